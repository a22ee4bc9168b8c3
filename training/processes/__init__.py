"""The processes of a run: training in parallel, and isolated work."""
