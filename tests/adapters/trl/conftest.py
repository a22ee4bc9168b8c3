"""The small models and data of the training tests."""

from tests.training.conftest import model, tokenizer, trajectories

__all__ = ["model", "tokenizer", "trajectories"]
