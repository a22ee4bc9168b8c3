"""Model sizes, known without loading weights.

They are in shapes.yaml for published models, and in config.json for local folders.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from teller_gym.base.errors import OptionError
from teller_gym.training.config.model import ModelConfig, TinyShape


class UnknownShapeError(OptionError):
    """Raised when a model's sizes are unknown here, although the hub may have the model."""


@dataclass(frozen=True)
class Shape:
    """Sizes of a causal model with Qwen3's architecture.

    Attributes:
        hidden, mlp, head_dim: widths of the residual stream, of the feed-forward layers, and of a head.
        heads, kv_heads: number of query heads, and of key and value heads.
        positions: context window in tokens.
        tied: True if the output layer uses the embeddings' weights.
    """

    hidden: int
    mlp: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    vocabulary: int
    positions: int
    tied: bool

    @property
    def layer_linear(self) -> int:
        """Number of weights in a layer's seven matrices."""
        queries, shared = self.heads * self.head_dim, self.kv_heads * self.head_dim
        return self.hidden * (2 * queries + 2 * shared + 3 * self.mlp)

    @property
    def layer(self) -> int:
        """Number of weights in a layer: its matrices, two norms of the layer's width, and two of a head's width."""
        return self.layer_linear + 2 * self.hidden + 2 * self.head_dim

    @property
    def embedding(self) -> int:
        """Number of weights in the embeddings; an untied output layer has as many."""
        return self.vocabulary * self.hidden

    @property
    def parameters(self) -> int:
        """Number of all weights."""
        return self.layers * self.layer + self.embedding * (1 if self.tied else 2) + self.hidden

    @property
    def cache_token(self) -> int:
        """Bytes of a token's keys and values in all layers, with 16-bit numbers."""
        return 2 * 2 * self.layers * self.kv_heads * self.head_dim

    def qwen3(self, **options: Any) -> Any:
        """Return a transformers configuration of a Qwen3 model with these sizes and further options."""
        from transformers import Qwen3Config

        return Qwen3Config(
            hidden_size=self.hidden, intermediate_size=self.mlp, num_hidden_layers=self.layers,
            num_attention_heads=self.heads, num_key_value_heads=self.kv_heads, head_dim=self.head_dim,
            vocab_size=self.vocabulary, max_position_embeddings=self.positions, tie_word_embeddings=self.tied,
            **options,
        )  # fmt: skip

    def adapters(self, rank: int) -> int:
        """Return the number of weights in low-rank adapters on every matrix except the output layer."""
        queries, shared = self.heads * self.head_dim, self.kv_heads * self.head_dim
        ends = 2 * (self.hidden + queries) + 2 * (self.hidden + shared) + 3 * (self.hidden + self.mlp)
        return self.layers * rank * ends


@cache
def published() -> dict[str, Shape]:
    """Return the shapes of published models by their names on the hub, from shapes.yaml."""
    text = resources.files("teller_gym.training.models").joinpath("shapes.yaml").read_text(encoding="utf-8")
    found = yaml.safe_load(text)
    return {name: Shape(**{**found["defaults"], **sizes}) for name, sizes in found["models"].items()}


def tiny_shape(sizes: TinyShape, vocabulary: int) -> Shape:
    """Return the shape of a tiny model with the given vocabulary size."""
    named = sizes.model_dump(include={"hidden", "mlp", "layers", "heads", "kv_heads", "head_dim", "positions"})
    return Shape(**named, vocabulary=vocabulary, tied=True)


def shape_of(model: ModelConfig | str) -> Shape:
    """Return the shape of a run's model, of a published model by name, or of the model in a local folder.

    Raises:
        UnknownShapeError: the name is unknown, or the folder's model is a mixture of experts, which is not supported.
        OptionError: the folder's configuration cannot be read.
    """
    if not isinstance(model, str):
        if model.tiny:
            return tiny_shape(model.shape, model.shape.vocabulary)
        model = model.name
    if model in published():
        return published()[model]
    file = Path(model) / "config.json"
    try:
        return _read(json.loads(file.read_text("utf-8")))
    except FileNotFoundError:
        raise UnknownShapeError(
            f"model {model}: its sizes are not known here; expected one of {', '.join(published())}, or a local folder "
            "with a config.json"
        ) from None
    except (OSError, ValueError, KeyError) as error:
        told = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise OptionError(f"{file}: expected the configuration of a causal model such as Qwen3 ({told})") from error


def _read(found: dict[str, Any]) -> Shape:
    """Return the shape described by a ``config.json``."""
    experts = next((found[name] for name in ("num_experts", "num_local_experts") if name in found), None)
    if experts:
        raise UnknownShapeError(f"model {found.get('model_type')}: expected one without experts, got {experts} of them")
    heads = found["num_attention_heads"]
    return Shape(
        hidden=found["hidden_size"],
        mlp=found["intermediate_size"],
        layers=found["num_hidden_layers"],
        heads=heads,
        kv_heads=found.get("num_key_value_heads", heads),
        head_dim=found.get("head_dim") or found["hidden_size"] // heads,
        vocabulary=found["vocab_size"],
        positions=found["max_position_embeddings"],
        tied=bool(found.get("tie_word_embeddings", False)),
    )
