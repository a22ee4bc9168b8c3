"""Fixtures of the training tests."""

from tests.training.conftest import model, no_leaks, tokenizer, trajectories

__all__ = ["model", "no_leaks", "tokenizer", "trajectories"]
