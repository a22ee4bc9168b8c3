"""Spaces of free text. They accept any string, because a model may emit any text."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import msgspec
from gymnasium import Space
from gymnasium.vector.utils import create_shared_memory

from teller_gym.base.errors import OptionError
from teller_gym.envs.spaces.sampling import sample_arguments
from teller_gym.tools.tool import ToolSet

_encode = msgspec.json.Encoder().encode
_MOST_NODES = 24
_DOWNSTREAM = 2.0
"""Average number of edges per node in a drawn graph."""


class FreeText(Space[str]):
    """Space of all texts of any length. ``sample()`` draws lower case letters."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(shape=None, dtype=None, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """False: text cannot be flattened into an array."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Draw a short text; masks are not supported."""
        codes = self.np_random.integers(97, 123, size=8)
        return "".join(map(chr, codes.tolist()))

    def contains(self, x: Any) -> bool:
        """Return True if ``x`` is text."""
        return isinstance(x, str)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


@create_shared_memory.register(FreeText)
def _refuse_shared_memory(space: FreeText, n: int = 1, ctx: Any = None) -> Any:
    """Raise an error that names the option to pass when Gymnasium makes an asynchronous vector env."""
    raise OptionError(
        "shared_memory: expected False, because free text has no fixed size; "
        "pass vector_kwargs={'shared_memory': False} to gym.make_vec, or shared_memory=False to AsyncVectorEnv"
    )


class ToolCallText(FreeText):
    """Space of all texts; ``sample()`` draws a schema-valid call of an available tool, from the space's own generator.

    Args:
        tools: available tools.
        seed: seed of the generator; see also ``seed()``.
    """

    def __init__(self, tools: ToolSet, seed: int | None = None) -> None:
        super().__init__(seed)
        # Spaces are sent between processes, and the functions in tools cannot be pickled.
        self._parameters = tools.parameters

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Draw a schema-valid call as JSON text; masks are not supported."""
        names = list(self._parameters)
        name = names[int(self.np_random.integers(len(names)))]
        arguments = sample_arguments(self._parameters[name], self.np_random)
        return _encode({"name": name, "arguments": arguments}).decode()

    def __deepcopy__(self, memo: dict[int, Any]) -> ToolCallText:
        new = copy.copy(self)
        new._np_random = copy.deepcopy(self._np_random, memo)
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToolCallText) and list(self._parameters) == list(other._parameters)

    def __hash__(self) -> int:
        return len(self._parameters)


class GraphAnswerText(FreeText):
    """Space of all texts; ``sample()`` draws a graph over a pool of tools as JSON, from the space's own generator.

    Args:
        names: names of the tools in the pool; an env replaces them at every reset.
        seed: seed of the generator; see also ``seed()``.
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
        return _encode({"nodes": nodes, "edges": edges}).decode()
