"""Estimates of the memory, time and disk space of each phase, before a run has any cards."""
