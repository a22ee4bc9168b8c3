"""Hydra configuration groups, read as `pkg://teller_gym.configs` or through `importlib.resources`."""
