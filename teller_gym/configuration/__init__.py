"""One configuration language: Hydra composes files and the command line's words, pydantic models check the whole."""
