"""Running evaluations: task selection, agents, scheduling, limits and regrading."""
