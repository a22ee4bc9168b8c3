"""Checks before a run, and its start on cards and nodes."""
