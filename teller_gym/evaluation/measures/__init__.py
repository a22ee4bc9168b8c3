"""Measures computed from episode records: metrics with intervals, root causes, comparisons and run reports."""
