"""Bytes per token that a layer stores for its backward pass, by shape and precision.

The tensors that autograd saves depend on shapes and precision, not on the device. Their size is linear in the layer's
sizes, with the coefficients in `layers.yaml`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from teller_gym.training.models.shapes import Shape


@dataclass(frozen=True)
class Precision:
    """Numerical precision of a layer's computation.

    Attributes:
        weights: dtype of a layer's weights during computation, such as float32, which may differ from the optimizer's.
        autocast: True if matrices are multiplied in bf16, whatever the dtype of the weights.
        rank: rank of adapters on frozen weights; 0 trains the weights.
    """

    weights: str
    autocast: bool = True
    rank: int = 0

    @property
    def stream(self) -> int:
        """Bytes per number in the residual stream, since embeddings and norms are not autocast."""
        return 4 if self.weights == "float32" else 2


@cache
def table() -> dict[str, list[int]]:
    """Return, by precision, the bytes per token for each unit of a layer's sizes, from layers.yaml."""
    text = resources.files("teller_gym.training.plan").joinpath("layers.yaml").read_text(encoding="utf-8")
    found: dict[str, list[int]] = yaml.safe_load(text)
    return found


def saved_bytes(shape: Shape, precision: Precision) -> int:
    """Return the bytes per token that one layer stores for its backward pass, without its input."""
    units = table()[precision.weights + "-plain" * (not precision.autocast) + "-lora" * (precision.rank > 0)]
    queries, keys = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    sizes = (shape.hidden, shape.mlp, queries, keys, shape.heads, shape.kv_heads, shape.head_dim)
    # Two norms keep a number each; each of the seven matrices keeps what its adapter has made of the input.
    adapters = 7 * precision.rank * (2 if precision.autocast else 4)
    return sum(unit * size for unit, size in zip(units, sizes, strict=True)) + 8 + adapters
