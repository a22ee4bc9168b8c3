"""Hardware settings: cards, nodes, weight sharding and the generation engine."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Le
from pydantic import model_validator

from teller_gym.base.workers import cores
from teller_gym.configuration.settings import Settings, Text, problem
from teller_gym.training.config.numbers import Count, Number, Positive


class HardwareConfig(Settings):
    """Group ``hardware``."""

    device: Literal["cpu", "cuda"]
    """Device of the model."""
    card: Text
    """Name of the card, for plans and reports."""
    card_gib: Positive
    """Memory of a card that is available to programs, in GiB; on a CPU, the machine's memory per process."""
    card_tflops: Positive
    """Dense bf16 matrix throughput of a card according to its data sheet, in 10^12 operations per second."""
    card_gbs: Positive
    """Memory bandwidth of a card according to its data sheet, in 10^9 bytes per second."""
    cards: Count
    """Cards per node, or processes on a CPU."""
    nodes: Count
    """Number of nodes, including the vLLM server's node."""
    sharding: Literal["ddp", "fsdp2"]
    """Distribution over training processes: each holds all weights, gradients and optimizer states (ddp) or a part of
    them (fsdp2)."""
    bf16: bool
    """Computes in bf16; CPUs without bf16 units emulate it slowly."""
    gradient_checkpointing: bool
    """Recomputes activations instead of storing them."""
    update_tokens: Count
    """Tokens per forward and backward pass in GRPO, including padding; a longer rollout gets its own pass."""
    generation: Literal["transformers", "vllm"]
    """Rollout engine; transformers is the package's own batched sampler."""
    vllm_mode: Literal["colocate", "server"]
    """Runs vLLM on the training cards (colocate) or as a server on an additional node (server)."""
    vllm_memory: Annotated[float, Ge(0), Le(1)]
    """Share of a card's memory that a colocated vLLM takes for its weights and attention cache."""
    vllm_tensor_parallel: Count
    """Number of cards over which one copy of the model is spread for generation."""
    vllm_sleep: bool
    """Frees the memory of a colocated vLLM during weight updates."""
    vllm_dtype: Literal["auto", "bfloat16", "float16"] = "auto"
    """Number format of vLLM in GRPO; auto takes the model's own, bfloat16 for Qwen3. float16 has eight times finer
    steps, so that small adapter changes survive rounding, but a smaller range."""
    vllm_url: Text
    """URL of the vLLM server, with vllm_mode=server."""
    live_episodes: Count | None
    """Episodes that a process plays at once, as many as the attention cache holds; the step's other episodes begin as
    these end. null plays all at once."""
    threads: Number
    """Torch threads; 0 leaves the number to OMP_NUM_THREADS."""
    data_processes: Number = 1
    """Processes that play the expert and tokenize its episodes; 0 starts one per core, shared equally among the
    training processes of a machine. The data does not depend on this number."""
    check_fit: bool = True
    """Rejects a run whose plan does not fit on its GPUs, before data is made."""

    @property
    def training_nodes(self) -> int:
        return self.nodes - self.serves

    @property
    def processes(self) -> int:
        """Number of training processes on all nodes, one per card."""
        return self.training_nodes * self.cards

    @property
    def side_by_side(self) -> int:
        """Number of processes on this machine that make data."""
        return self.data_processes or max(1, cores() // self.cards)

    @property
    def serves(self) -> bool:
        return self.generation == "vllm" and self.vllm_mode == "server"

    @property
    def sharded(self) -> bool:
        """True if each process holds only a part of the weights."""
        return self.sharding == "fsdp2" and self.processes > 1

    @model_validator(mode="after")
    def _fits(self) -> Self:
        generation, server, parallel = self.generation, self.serves, self.vllm_tensor_parallel
        if generation == "vllm" and self.device == "cpu":
            raise problem("vllm needs a GPU; expected transformers with device cpu, got vllm", "generation")
        if generation == "transformers" and self.sharded:
            text = (
                f"sampling with transformers needs the whole model in each process, and {self.sharding} spreads the "
                "weights over the processes: every token would gather them; expected vllm, or sharding=ddp"
            )
            raise problem(text, "generation")
        if generation == "vllm" and not server and parallel > 1:
            text = (
                "processes that share an engine must all ask it for equally many turns, and episodes differ in that; "
                f"expected 1 with vllm_mode=colocate, or vllm_mode=server, got {parallel}"
            )
            raise problem(text, "vllm_tensor_parallel")
        if server and self.nodes == 1:
            raise problem("expected at least 2 with vllm_mode=server, one of them for the server, got 1", "nodes")
        if self.cards % parallel:
            raise problem(f"expected a part of cards ({self.cards}), got {parallel}", "vllm_tensor_parallel")
        return self

    def environment(self) -> dict[str, str]:
        """Return the environment variables that make accelerate shard the weights over the training processes."""
        if not self.sharded:
            return {}
        return {
            "ACCELERATE_USE_FSDP": "true",
            "FSDP_VERSION": "2",
            "FSDP_AUTO_WRAP_POLICY": "TRANSFORMER_BASED_WRAP",
            "FSDP_RESHARD_AFTER_FORWARD": "true",
            "FSDP_STATE_DICT_TYPE": "FULL_STATE_DICT",
            # Only the first process of a run reads the weights; the others get their parts from it.
            "FSDP_CPU_RAM_EFFICIENT_LOADING": "true",
            "FSDP_SYNC_MODULE_STATES": "true",
        }

    def trainer_options(self) -> dict[str, Any]:
        """Return the hardware arguments that both trainers take."""
        return {
            "bf16": self.bf16,
            "gradient_checkpointing": self.gradient_checkpointing,
            "use_cpu": self.device == "cpu",
            "dataloader_pin_memory": self.device != "cpu",
            # Every weight takes part in every pass; searching for unused ones would walk the graph each time.
            "ddp_find_unused_parameters": False,
        }
