"""Memory of each card during training, in bytes; docs/train/plan.md explains every term."""

from __future__ import annotations

from dataclasses import dataclass

from teller_gym.training.config.run import Config
from teller_gym.training.models.shapes import Shape, shape_of
from teller_gym.training.plan.layers import Precision, saved_bytes
from teller_gym.training.plan.model import GIB

CONTEXT = int(0.8 * GIB)
"""CUDA context with torch's kernels (about 0.5), and cuBLAS workspaces."""
NCCL = int(1.0 * GIB)
"""Buffers of NCCL's channels, if several processes train or weights are sent to a server."""
GAPS = 0.22
"""Share of a pass's temporary memory that is lost to gaps in torch's allocator.

Lengths change between passes. The value comes from measurements on an H200 (docs/train/gpu_check.md).
"""
PASSING = ("activations kept", "one layer", "output layer")
"""Temporary memory items of a pass."""
SLACK = 0.05
"""Share of all other memory that is lost to gaps while the package's own sampler generates turns.

An assumption.
"""
TILE_TOKENS, TILE_WORDS = 4096, 32768
"""Tokens and vocabulary entries per tile of TRL's output layer.

See trl/kernels/chunked_logprob.py and trl/trainer/utils.py.
"""
WIDTH = {"float32": 4, "bfloat16": 2, "float16": 2}


@dataclass(frozen=True)
class Setup:
    """Properties of a run that determine its training memory.

    Attributes:
        rank: rank of adapters; 0 trains all weights.
        width: bytes per loaded weight.
        sharding: distribution of the weights; ddp on a single process.
        half: True if matrices are multiplied in bf16.
        checkpointing: True if activations are recomputed.
        dtype: number format of the loaded weights.
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
        hardware, model = config.hardware, config.model
        sharding = hardware.sharding if hardware.processes > 1 else "ddp"
        return cls(
            shape_of(model), model.lora.rank, WIDTH[model.dtype], sharding, hardware.processes, hardware.bf16,
            hardware.gradient_checkpointing, hardware.device == "cuda", model.dtype,
        )  # fmt: skip

    @property
    def parts(self) -> int:
        """Number of processes over which weights, gradients and optimizer states are sharded."""
        return self.processes if self.sharding == "fsdp2" else 1

    @property
    def trained_width(self) -> int:
        """Bytes per trained weight.

        Adapters have 32 bits, and FSDP2 in accelerate converts trained weights to 32 bits.
        """
        return 4 if self.rank or self.sharding == "fsdp2" else self.width

    @property
    def adapters(self) -> int:
        return self.shape.adapters(self.rank) if self.rank else 0

    @property
    def trained(self) -> int:
        return self.adapters or self.shape.parameters

    @property
    def precision(self) -> Precision:
        dtype = "bfloat16" if self.sharding == "fsdp2" and self.half else self.dtype
        return Precision(dtype, autocast=self.half, rank=self.rank)


def weights(setup: Setup) -> int:
    """Return the memory for weights and adapters between passes."""
    width = setup.width if setup.rank else setup.trained_width
    return (width * setup.shape.parameters + 4 * setup.adapters) // setup.parts


def gradients(setup: Setup) -> int:
    """Return the memory for gradients that accumulate over passes."""
    return setup.trained_width * setup.trained // setup.parts


def buckets(setup: Setup) -> int:
    """Return the memory for DistributedDataParallel's buffers, which cover all gradients from the first update on."""
    return setup.trained_width * setup.trained if setup.processes > 1 and setup.parts == 1 else 0


def optimizer(setup: Setup, kind: str) -> int:
    """Return the memory for the optimizer state.

    AdamW has two moments per trained weight, SGD none.
    """
    return (2 if kind == "adamw" else 0) * setup.trained_width * setup.trained // setup.parts


def reference(setup: Setup, beta: float) -> int:
    """Return the memory for GRPO's reference model.

    With adapters it is 0, since the adapters are disabled instead.
    """
    return 0 if beta == 0 or setup.rank else setup.width * setup.shape.parameters // setup.parts


def copies(setup: Setup) -> int:
    """Return the memory for autocast's bf16 copies of matrices, kept from the forward to the backward pass.

    If activations are recomputed, so are the copies, one layer at a time.
    """
    if setup.checkpointing or not setup.half or setup.precision.weights != "float32":
        return 0
    return 2 * setup.shape.layers * setup.shape.layer_linear


def gathered(setup: Setup) -> int:
    """Return the memory for the weights that FSDP2 gathers on each card during a pass.

    It includes their gradients before they are sharded again.
    """
    shape = setup.shape
    if setup.sharding != "fsdp2":
        return 0
    outside = shape.parameters - shape.layers * shape.layer
    # The layer being computed and the one being fetched; embeddings and output layer all the time.
    whole = 2 * (2 * shape.layer + outside)
    learned = (shape.layer + outside) if not setup.rank else shape.adapters(setup.rank) // shape.layers
    return whole + 2 * learned


def activations(setup: Setup, tokens: int) -> dict[str, int]:
    """Return the activation memory of a pass by purpose.

    It has the stored activations of all layers, the temporary memory of one layer, and the output layer.
    """
    shape, stream = setup.shape, setup.precision.stream
    saved = saved_bytes(shape, setup.precision)
    small = 2 if setup.half else 4
    # Gradients of the gate, the other factor, their product, and the residual stream before and after.
    flying = 3 * shape.mlp * small + 2 * shape.hidden * stream
    if setup.checkpointing:
        kept, layer = shape.layers * shape.hidden * stream, saved + flying
    else:
        kept, layer = shape.layers * (shape.hidden * stream + saved), flying
    return {"activations kept": tokens * kept, "one layer": tokens * layer, "output layer": _head(setup, tokens)}


def _head(setup: Setup, tokens: int) -> int:
    """Return the memory for the output layer, whose logits TRL computes in tiles."""
    shape = setup.shape
    # The last norm in 32 bits, its result, and its gradient in 32 bits.
    states = tokens * shape.hidden * (4 + 2 + 4)
    words = min(TILE_WORDS, shape.vocabulary)
    tile = 2 * (min(TILE_TOKENS, tokens) * words + words * shape.hidden)
    gradient = 0 if setup.rank else 4 * shape.embedding
    return states + tile + gradient


def logits(setup: Setup, tokens: int) -> int:
    """Return the memory for logits with softmax and gradient.

    They are not computed in tiles, as in fine-tuning on a CPU.
    """
    return 3 * 4 * tokens * setup.shape.vocabulary


def static(setup: Setup, kind: str, beta: float = 0.0) -> dict[str, int]:
    """Return the memory on a card between updates, by purpose."""
    return {
        "weights": weights(setup),
        "optimizer": optimizer(setup, kind),
        "buckets": buckets(setup),
        "reference model": reference(setup, beta),
    }


def update(setup: Setup, kind: str, tokens: int, beta: float = 0.0) -> dict[str, int]:
    """Return the peak memory of an update whose largest pass has ``tokens`` tokens, by purpose."""
    return {
        **static(setup, kind, beta),
        "gradients": gradients(setup),
        "bf16 copies": copies(setup),
        "gathered": gathered(setup),
        **activations(setup, tokens),
    }


def with_reserve(setup: Setup, found: dict[str, int], several: bool) -> dict[str, int]:
    """Add the CUDA context, allocator gaps, and NCCL's channels if ``several`` is true.

    On a CPU, nothing is added.
    """
    found = {name: size for name, size in found.items() if size}
    if not setup.cuda:
        return found
    passing = sum(found.get(name, 0) for name in PASSING)
    gaps = GAPS * passing if passing else SLACK * sum(found.values())
    return found | {"reserve": CONTEXT + NCCL * several + int(gaps)}
