"""Shared parts of the bank scenarios' experts; the solvers have a separate room."""
