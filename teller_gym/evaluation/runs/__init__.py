"""Running evaluations: selection of tasks, agents, scheduling, limits and regrading."""
