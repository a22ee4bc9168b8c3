"""Stage 1, graph reconstruction: tasks, prompts, answers and metrics. No tool is called in this stage."""
