"""What a generator says when a plan cannot come true."""

from __future__ import annotations


class NoCaseError(Exception):
    """What was drawn does not lead where the plan wants."""
