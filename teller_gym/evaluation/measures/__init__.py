"""Figures computed from records: metrics with intervals, root causes, comparisons and the report of a run."""
