"""Pieces of work in an office: tasks, verdicts, and the protocol of scenarios."""
