"""Bytes per token that a layer keeps for its backward pass, by its shape and precision.

The tensors that autograd saves depend on shapes and precision, not on the device. Their size is linear in the sizes of
the layer, with the numbers of `layers.yaml`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from teller_gym.training.models.shapes import Shape


@dataclass(frozen=True)
class Precision:
    """Precision in which a layer is computed.

    Attributes:
        weights: dtype of a layer's weights during computation, such as float32, which may differ from the optimizer's.
        autocast: True if matrices are multiplied in bf16 for any dtype of the weights.
        rank: rank of adapters on frozen weights; 0 trains the weights.
    """

    weights: str
    autocast: bool = True
    rank: int = 0

    @property
    def stream(self) -> int:
        """Bytes per number of the residual stream: embeddings and norms are not autocast."""
        return 4 if self.weights == "float32" else 2


@cache
def table() -> dict[str, list[int]]:
    """Read layers.yaml: by precision, the bytes per token for each unit of a layer's sizes."""
    text = resources.files("teller_gym.training.plan").joinpath("layers.yaml").read_text(encoding="utf-8")
    found: dict[str, list[int]] = yaml.safe_load(text)
    return found


def saved_bytes(shape: Shape, precision: Precision) -> int:
    """Return the bytes per token that one layer keeps for its backward pass, without its input."""
    units = table()[precision.weights + "-plain" * (not precision.autocast) + "-lora" * (precision.rank > 0)]
    queries, keys = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    sizes = (shape.hidden, shape.mlp, queries, keys, shape.heads, shape.kv_heads, shape.head_dim)
    # Two norms keep a number each; each of the seven matrices keeps what its adapter has made of the input.
    adapters = 7 * precision.rank * (2 if precision.autocast else 4)
    return sum(unit * size for unit, size in zip(units, sizes, strict=True)) + 8 + adapters
