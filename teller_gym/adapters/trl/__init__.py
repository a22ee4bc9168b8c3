"""Environments for TRL: a rollout function, an environment factory, and a task data set."""
