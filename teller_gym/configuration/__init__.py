"""Configuration: Hydra composes files with command-line overrides, and pydantic models validate the result."""
