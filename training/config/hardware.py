"""The machines of a run: cards, nodes, the distribution of weights, and the generator."""

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
    """Dense bf16 matrix throughput of a card from its data sheet, in 10^12 operations per second."""
    card_gbs: Positive
    """Memory bandwidth of a card from its data sheet, in 10^9 bytes per second."""
    cards: Count
    """Cards per node; on a CPU, processes."""
    nodes: Count
    """Number of nodes, including that of vLLM's server."""
    sharding: Literal["ddp", "fsdp2"]
    """Distribution over training processes: each holds everything (ddp), or its part of weights, gradients and
    optimizer state (fsdp2)."""
    bf16: bool
    """Computes in bf16; CPUs without units for it emulate it slowly."""
    gradient_checkpointing: bool
    """Recomputes activations instead of keeping them."""
    update_tokens: Count
    """Tokens of one forward and backward pass in GRPO, including padding; a longer rollout gets a pass of its own."""
    generation: Literal["transformers", "vllm"]
    """Engine of the rollouts; transformers is the package's own batched sampler."""
    vllm_mode: Literal["colocate", "server"]
    """Runs vLLM on the training cards (colocate) or as a server on one further node of its own (server)."""
    vllm_memory: Annotated[float, Ge(0), Le(1)]
    """Share of a card's memory that a colocated vLLM takes for its weights and attention cache."""
    vllm_tensor_parallel: Count
    """Number of cards over which one copy of the model is spread for generation."""
    vllm_sleep: bool
    """Lets a colocated vLLM free its memory while the weights are updated."""
    vllm_dtype: Literal["auto", "bfloat16", "float16"] = "auto"
    """Number format of vLLM in GRPO; auto takes the model's own, bfloat16 for Qwen3. The steps of float16 are an eighth
    as wide, so that small changes of adapters reach it, but its range is smaller."""
    vllm_url: Text
    """URL of the server, with vllm_mode=server."""
    live_episodes: Count | None
    """Episodes that a process plays at once, as many as the attention cache holds; the others of the step begin as
    these end. null plays all at once."""
    threads: Number
    """Threads of torch; 0 leaves the number to OMP_NUM_THREADS."""
    data_processes: Number = 1
    """Processes that play the expert and tokenize its episodes; 0 takes one per core, shared equally among the training
    processes of a machine. The data does not depend on it."""
    check_fit: bool = True
    """Refuses a run that, by its plan, cannot fit on its GPUs, before data is made."""

    @property
    def training_nodes(self) -> int:
        return self.nodes - self.serves

    @property
    def processes(self) -> int:
        """Number of training processes on all nodes, one per card."""
        return self.training_nodes * self.cards

    @property
    def side_by_side(self) -> int:
        """Number of processes that make data on this machine."""
        return self.data_processes or max(1, cores() // self.cards)

    @property
    def serves(self) -> bool:
        return self.generation == "vllm" and self.vllm_mode == "server"

    @property
    def sharded(self) -> bool:
        """True if a process holds only a part of the weights."""
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
        """Return the environment variables with which accelerate spreads the weights over the training processes."""
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
        """Return the machine's options, which both trainers take."""
        return {
            "bf16": self.bf16,
            "gradient_checkpointing": self.gradient_checkpointing,
            "use_cpu": self.device == "cpu",
            "dataloader_pin_memory": self.device != "cpu",
            # Every weight takes part in every pass; searching for unused ones would walk the graph each time.
            "ddp_find_unused_parameters": False,
        }
