"""The environments in TRL's forms: a rollout function, an environment factory, and a data set of tasks."""
