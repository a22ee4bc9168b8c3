"""Estimates of each phase's memory, time and disk space, before a run has any cards."""
