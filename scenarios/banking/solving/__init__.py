"""Shared parts of the bank scenarios' solvers; the experts have a separate room."""
