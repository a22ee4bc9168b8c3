"""Where the proof looks for the function that makes the frozen file."""

from tests.proof.stub import build

__all__ = ["build"]
