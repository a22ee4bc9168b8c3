"""Measurements computed from episode records: metrics with intervals, root causes, comparisons, a run's report."""
