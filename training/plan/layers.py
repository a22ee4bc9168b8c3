"""Bytes per token that a layer keeps for its backward pass, from a measured table or measured on the spot.

The tensors that autograd saves depend on shapes and precision, not on the device: one layer with the true shapes is run
on a CPU at two short lengths, and the difference is the cost per token. The table of all published shapes is made by

    python -m teller_gym.training.plan.layers > training/plan/layers.yaml

in a minute on one CPU core and 2 GiB, without weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from teller_gym.base.errors import MissingExtraError
from teller_gym.base.output import take_any_text
from teller_gym.training.models.shapes import Shape, published
from teller_gym.training.run_folder.metrics_log import versions

SHORT, LONG = 16, 48
"""Tokens of the two measurements."""
TABLE = "layers.yaml"


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
    def key(self) -> str:
        """Name of the precision in the table."""
        return self.weights + ("" if self.autocast else "-plain") + (f"-lora{self.rank}" if self.rank else "")

    @property
    def stream(self) -> int:
        """Bytes per number of the residual stream: embeddings and norms are not autocast."""
        return 4 if self.weights == "float32" else 2


OFFERED = (Precision("float32"), Precision("bfloat16"), Precision("bfloat16", rank=16))
"""Precisions in the table: all weights whole on each card; all weights spread over cards; adapters."""


@cache
def table() -> dict[str, dict[str, int]]:
    """Return the measured bytes per token by layer (`name_of`) and precision."""
    text = resources.files("teller_gym.training.plan").joinpath(TABLE).read_text(encoding="utf-8")
    found: dict[str, dict[str, int]] = yaml.safe_load(text)
    return found


def name_of(shape: Shape) -> str:
    """Return the name of a layer in the table, made of everything on which its memory depends."""
    return f"{shape.hidden}-{shape.mlp}-{shape.heads}-{shape.kv_heads}-{shape.head_dim}"


@cache
def saved_bytes(shape: Shape, precision: Precision) -> int:
    """Return the bytes per token that one layer keeps for its backward pass, without its input."""
    known = table().get(name_of(shape), {}).get(precision.key)
    if known is not None:
        return known
    try:
        return measure(shape, precision)
    except ModuleNotFoundError as error:
        what = f"to plan for a model with layers of the size {name_of(shape)}, which {TABLE} lacks, teller-gym"
        raise MissingExtraError(what, "train") from error


def measure(shape: Shape, precision: Precision) -> int:
    """Run a layer at two lengths; return the bytes per token that autograd keeps for it, without its input.

    The tensors have sizes and types but no memory, since the largest layers would need gigabytes.
    """
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    before = torch.get_default_dtype()
    torch.set_default_dtype(getattr(torch, precision.weights))
    try:
        layer, turns = _layer(shape, precision)
        with FakeTensorMode():
            _without_memory(layer)
            _without_memory(turns)
            short, long = (_kept(layer, turns, shape, precision, tokens) for tokens in (SHORT, LONG))
    finally:
        torch.set_default_dtype(before)
    return round((long - short) / (LONG - SHORT))


def _layer(shape: Shape, precision: Precision) -> tuple[Any, Any]:
    """Return a layer with its adapters, and the rotary embedding, on the "meta" device."""
    import torch
    from transformers import Qwen3Config
    from transformers.models.qwen3.modeling_qwen3 import Qwen3DecoderLayer, Qwen3RotaryEmbedding

    config = Qwen3Config(
        hidden_size=shape.hidden, intermediate_size=shape.mlp, num_hidden_layers=1, vocab_size=8,
        num_attention_heads=shape.heads, num_key_value_heads=shape.kv_heads, head_dim=shape.head_dim,
        attn_implementation="sdpa",
    )  # fmt: skip
    with torch.device("meta"):
        layer = Qwen3DecoderLayer(config, 0)
        if precision.rank:
            from peft import LoraConfig, inject_adapter_in_model

            layer.requires_grad_(False)
            names = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
            layer = inject_adapter_in_model(LoraConfig(r=precision.rank, target_modules=names), layer)
            for name, weight in layer.named_parameters():
                if "lora_" in name:  # float32, as after get_peft_model
                    weight.data = weight.data.float()
        return layer.train(), Qwen3RotaryEmbedding(config)


def _without_memory(module: Any) -> None:
    """Move a module's tensors to a fake CPU of a FakeTensorMode."""
    import torch

    for part in module.modules():
        for name, weight in part.named_parameters(recurse=False):
            empty = torch.empty(weight.shape, dtype=weight.dtype)
            setattr(part, name, torch.nn.Parameter(empty, requires_grad=weight.requires_grad))
        for name, values in part.named_buffers(recurse=False):
            setattr(part, name, torch.empty(values.shape, dtype=values.dtype))


def _kept(layer: Any, turns: Any, shape: Shape, precision: Precision, tokens: int) -> int:
    """Return the bytes that autograd keeps for a run over ``tokens`` tokens."""
    import torch

    width = torch.float32 if precision.stream == 4 else torch.bfloat16
    states = torch.zeros(1, tokens, shape.hidden, dtype=width, requires_grad=True)
    own = {weight.untyped_storage()._cdata for weight in (*layer.parameters(), states)}
    kept: dict[int, Any] = {}

    def keep(tensor: Any) -> Any:
        storage = tensor.untyped_storage()
        kept.setdefault(storage._cdata, storage)
        return tensor

    with (
        torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor),
        torch.autocast("cpu", torch.bfloat16, enabled=precision.autocast),
    ):
        places = torch.arange(tokens)[None]
        output = layer(states, position_ids=places, position_embeddings=turns(states, places), attention_mask=None)
    del output
    return sum(storage.nbytes() for at, storage in kept.items() if at not in own)


def main() -> None:
    """Print the table as YAML."""
    used = {name: version for name, version in versions().items() if name in ("torch", "transformers", "peft")}
    shown = ", ".join(f"{name} {version.partition('+')[0]}" for name, version in sorted(used.items()))
    print("# Bytes a token that autograd keeps for one layer, its input not among them.")
    print("# Made by: python -m teller_gym.training.plan.layers > training/plan/layers.yaml")
    print(f"# One layer on a CPU, {SHORT} and {LONG} tokens, the difference; {shown}.")
    print("# A layer is hidden-mlp-heads-kv_heads-head_dim.")
    for name, shape in {name_of(shape): shape for shape in published().values()}.items():
        found = {precision.key: measure(shape, precision) for precision in OFFERED}
        print(yaml.safe_dump({name: found}, sort_keys=False), end="", flush=True)


if __name__ == "__main__":
    take_any_text()
    main()
