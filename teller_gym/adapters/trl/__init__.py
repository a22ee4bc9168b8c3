"""The environments for TRL: a rollout function, an environment factory, and a data set of tasks."""
