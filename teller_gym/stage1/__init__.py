"""Stage 1, graph reconstruction: tasks, what an agent reads, reading its answer, and the metrics. Nothing is called."""
