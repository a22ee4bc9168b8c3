"""Configuration, composed by Hydra from files and command-line overrides, and validated by pydantic models."""
