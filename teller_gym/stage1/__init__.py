"""Stage 1, graph reconstruction: tasks, prompts, answers, and metrics, without any calls."""
