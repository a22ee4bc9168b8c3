"""The environments as TRL takes them: rollouts, tools as methods, and a data set of tasks."""
