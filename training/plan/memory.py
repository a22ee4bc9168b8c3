"""What each card holds while weights are trained, in bytes. docs/train/plan.md explains every term."""

from __future__ import annotations

from dataclasses import dataclass

from teller_gym.training.config.run import Config
from teller_gym.training.models.shapes import Shape, shape_of
from teller_gym.training.plan.layers import Precision, saved_bytes
from teller_gym.training.plan.model import GIB

CONTEXT = int(0.8 * GIB)
"""CUDA's context with the kernels of torch (about 0.5), and cuBLAS's workspaces."""
NCCL = int(1.0 * GIB)
"""Buffers of NCCL's channels, where several processes train or weights are sent to a server."""
GAPS = 0.22
"""Of what a pass holds for a while: gaps that torch's allocator does not fill, as lengths change between passes; from
measurements on an H200 (docs/train/gpu_check.md)."""
PASSING = ("activations kept", "one layer", "output layer")
"""Parts that a pass holds for a while."""
SLACK = 0.05
"""The same of everything else while turns are drawn by our own sampler; an assumption."""
TILE_TOKENS, TILE_WORDS = 4096, 32768
"""Tokens and words of a tile of TRL's output layer (trl/kernels/chunked_logprob.py, trl/trainer/utils.py)."""
BUCKET = 500_000_000
"""Numbers of a bucket that DeepSpeed reduces or gathers at once (its default)."""
LIVE = 1_000_000_000
"""Weights that ZeRO-3 holds whole at once, at most (its default)."""
WIDTH = {"float32": 4, "bfloat16": 2, "float16": 2}


@dataclass(frozen=True)
class Setup:
    """What the memory of training depends on.

    Attributes:
        shape: of the model.
        rank: of adapters; 0 trains all weights.
        width: bytes of a weight as it is loaded.
        sharding: ddp on a single process.
        processes: that train.
        half: whether matrices are multiplied in bf16.
        checkpointing: whether activations are computed twice.
        cuda: whether it is a GPU.
        dtype: of the weights as they are loaded.
    """

    shape: Shape
    rank: int
    width: int
    sharding: str
    processes: int
    half: bool
    checkpointing: bool
    cuda: bool
    dtype: str

    @classmethod
    def of(cls, config: Config) -> Setup:
        """Read it from a run's settings."""
        hardware, model = config.hardware, config.model
        sharding = hardware.sharding if hardware.processes > 1 else "ddp"
        return cls(
            shape_of(model), model.lora.rank, WIDTH[model.dtype], sharding, hardware.processes, hardware.bf16,
            hardware.gradient_checkpointing, hardware.device == "cuda", model.dtype,
        )  # fmt: skip

    @property
    def zero(self) -> bool:
        """Whether DeepSpeed trains, which then has the weights in bf16 and their full values in the optimizer."""
        return self.sharding.startswith("zero")

    @property
    def adapters(self) -> int:
        """Weights of the adapters."""
        return self.shape.adapters(self.rank) if self.rank else 0

    @property
    def trained(self) -> int:
        """Weights that are trained."""
        return self.adapters or self.shape.parameters

    @property
    def precision(self) -> Precision:
        """How a layer is computed."""
        spread = self.sharding == "fsdp2" or self.zero
        dtype = "bfloat16" if spread and self.half else self.dtype
        return Precision(dtype, autocast=self.half, rank=self.rank)


def weights(setup: Setup) -> int:
    """Bytes of weights and adapters between passes."""
    if setup.zero:
        # Adapters of a bf16 model, too.
        whole = 2 * (setup.shape.parameters + setup.adapters)
        return whole if setup.sharding == "zero2" else whole // setup.processes
    # FSDP2 in accelerate raises what is trained to 32 bits.
    width = 4 if setup.sharding == "fsdp2" and not setup.rank else setup.width
    whole = width * setup.shape.parameters + 4 * setup.adapters
    return whole // setup.processes if setup.sharding == "fsdp2" else whole


def _trained_width(setup: Setup) -> int:
    """Bytes of a number that is trained."""
    return 4 if setup.rank or setup.sharding == "fsdp2" else setup.width


def gradients(setup: Setup) -> int:
    """Bytes of gradients that add up over passes."""
    if setup.zero:
        return 2 * setup.trained // setup.processes
    whole = _trained_width(setup) * setup.trained
    return whole // setup.processes if setup.sharding == "fsdp2" else whole


def buckets(setup: Setup) -> int:
    """Bytes through which processes exchange gradients, held from the first update on."""
    if setup.processes == 1 or setup.sharding == "fsdp2":
        return 0
    if setup.zero:
        # One is filled while the other is sent.
        return 2 * 2 * min(BUCKET, setup.trained)
    # DistributedDataParallel's cover all gradients.
    return _trained_width(setup) * setup.trained


def optimizer(setup: Setup, kind: str) -> int:
    """Bytes of the optimizer's state: AdamW has two moments of what is trained, SGD none."""
    moments = 2 if kind == "adamw" else 0
    if setup.zero:
        # Full values, the moments, and gradients in full precision while it steps.
        return 4 * (1 + moments + 1) * setup.trained // setup.processes
    whole = moments * _trained_width(setup) * setup.trained
    return whole // setup.processes if setup.sharding == "fsdp2" else whole


def reference(setup: Setup, beta: float) -> int:
    """Bytes of the model that GRPO began with; adapters are switched off instead."""
    if beta == 0 or setup.rank:
        return 0
    whole = (2 if setup.zero else setup.width) * setup.shape.parameters
    return whole // setup.processes if setup.sharding in ("fsdp2", "zero3") else whole


def copies(setup: Setup) -> int:
    """Bytes of the bf16 copies of matrices that autocast keeps from forward to backward.

    Where activations are computed twice, the copies are, too, a layer at a time.
    """
    if setup.checkpointing or not setup.half or setup.precision.weights != "float32":
        return 0
    return 2 * setup.shape.layers * setup.shape.layer_linear


def gathered(setup: Setup) -> int:
    """Bytes of weights that are whole on each card for a while, and of their gradients before they are spread."""
    shape = setup.shape
    if setup.sharding == "fsdp2":
        outside = shape.parameters - shape.layers * shape.layer
        # The layer that is computed and the one that is fetched meanwhile; embeddings and output layer all along.
        whole = 2 * (2 * shape.layer + outside)
        learned = (shape.layer + outside) if not setup.rank else shape.adapters(setup.rank) // shape.layers
        return whole + 2 * learned
    if setup.sharding == "zero3":
        return 2 * min(LIVE, shape.parameters)
    return 0


def activations(setup: Setup, tokens: int) -> dict[str, int]:
    """Bytes that a pass over that many tokens takes: what is kept of all layers, one layer's work, and the head's."""
    shape, stream = setup.shape, setup.precision.stream
    saved = saved_bytes(shape, setup.precision)
    small = 2 if setup.half else 4
    # Gradients of the gate, of the other factor and of their product, and of the residual stream before and after.
    flying = 3 * shape.mlp * small + 2 * shape.hidden * stream
    if setup.checkpointing:
        kept, layer = shape.layers * shape.hidden * stream, saved + flying
    else:
        kept, layer = shape.layers * (shape.hidden * stream + saved), flying
    return {"activations kept": tokens * kept, "one layer": tokens * layer, "output layer": _head(setup, tokens)}


def _head(setup: Setup, tokens: int) -> int:
    """Bytes of the output layer, which TRL computes in tiles: logits are never whole."""
    shape = setup.shape
    # The last norm in 32 bits, its result, and its gradient in 32 bits.
    states = tokens * shape.hidden * (4 + 2 + 4)
    words = min(TILE_WORDS, shape.vocabulary)
    tile = 2 * (min(TILE_TOKENS, tokens) * words + words * shape.hidden)
    gradient = 0 if setup.rank else 4 * shape.embedding
    return states + tile + gradient


def logits(setup: Setup, tokens: int) -> int:
    """Bytes of whole logits with softmax and gradient, as fine-tuning on a CPU computes them."""
    return 3 * 4 * tokens * setup.shape.vocabulary


def static(setup: Setup, kind: str, beta: float = 0.0) -> dict[str, int]:
    """What a card holds between updates."""
    return {
        "weights": weights(setup),
        "optimizer": optimizer(setup, kind),
        "buckets": buckets(setup),
        "reference model": reference(setup, beta),
    }


def update(setup: Setup, kind: str, tokens: int, beta: float = 0.0) -> dict[str, int]:
    """What a card holds at the fullest moment of an update whose largest pass has that many tokens."""
    return {
        **static(setup, kind, beta),
        "gradients": gradients(setup),
        "bf16 copies": copies(setup),
        "gathered": gathered(setup),
        **activations(setup, tokens),
    }


def with_reserve(setup: Setup, found: dict[str, int], several: bool) -> dict[str, int]:
    """Add what is nobody's: context, channels between processes, gaps; nothing on a CPU.

    Args:
        setup: of the run.
        found: what the trainer holds.
        several: whether it talks with other processes or a server.
    """
    found = {name: size for name, size in found.items() if size}
    if not setup.cuda:
        return found
    passing = sum(found.get(name, 0) for name in PASSING)
    gaps = GAPS * passing if passing else SLACK * sum(found.values())
    return found | {"reserve": CONTEXT + NCCL * several + int(gaps)}
