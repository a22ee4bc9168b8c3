"""Shared parts of the solvers of the bank procedures; their experts have a room of their own."""
