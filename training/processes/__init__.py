"""The processes of a run: training together, and work in a process of its own."""
