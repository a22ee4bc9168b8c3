"""The function that makes the frozen file, where the proof looks for it."""

from tests.proof.stub import build

__all__ = ["build"]
