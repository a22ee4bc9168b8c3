"""Shared parts of the experts of the bank procedures; their solvers have a room of their own."""
