"""The space of stage 1 answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from teller_gym.envs.spaces.text import FreeText

_MOST_NODES = 24
_DOWNSTREAM = 2.0
"""Edges of a drawn graph, a node."""


class GraphAnswerText(FreeText):
    """Any text; ``sample()`` draws a graph over tools of the pool as JSON, from the space's own generator.

    Args:
        names: of the tools in the pool; an env puts those of the task here at every reset.
        seed: of the generator; see also ``seed()``.
    """

    def __init__(self, names: Iterable[str], seed: int | None = None) -> None:
        super().__init__(seed)
        self.names = tuple(names)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Draw an acyclic graph of up to 24 nodes as JSON text; masks are not supported."""
        rng = self.np_random
        count = int(rng.integers(1, min(_MOST_NODES, len(self.names)) + 1))
        nodes = [self.names[int(place)] for place in rng.permutation(len(self.names))[:count]]
        share = min(1.0, 2 * _DOWNSTREAM / count)
        edges = [
            [up, down] for place, up in enumerate(nodes) for down in nodes[place + 1 :] if float(rng.random()) < share
        ]
        return msgspec.json.encode({"nodes": nodes, "edges": edges}).decode()
