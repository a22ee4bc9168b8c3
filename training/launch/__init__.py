"""Checks before a run, and its launch on cards and nodes."""
