"""The task kinds, one folder each."""
