"""The machines a run is made for: cards, nodes, how the weights are spread, and who generates."""

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
    """Where the model is."""
    card: Text
    """Name of the card, for plans and reports."""
    card_gib: Positive
    """Memory of a card that programs can have, in GiB; on a CPU, of the machine for each process."""
    card_tflops: Positive
    """Dense matrix work of a card in bf16 by its data sheet, in 10^12 operations a second."""
    card_gbs: Positive
    """Bandwidth of a card's memory by its data sheet, in 10^9 bytes a second."""
    cards: Count
    """Cards of a node; on a CPU, processes."""
    nodes: Count
    """Nodes, those of vLLM's server included."""
    sharding: Literal["ddp", "fsdp2", "zero2", "zero3"]
    """What each training process holds: all (ddp), its part of gradients and optimizer (zero2), its part of the weights
    as well (fsdp2, zero3)."""
    bf16: bool
    """Whether to compute in bf16; CPUs without units for it emulate it slowly."""
    gradient_checkpointing: bool
    """Whether to compute activations twice instead of keeping them."""
    update_tokens: Count
    """Tokens of one forward and backward pass of GRPO, padding included; a longer rollout has a pass of its own."""
    generation: Literal["transformers", "vllm"]
    """transformers is our batched sampler."""
    vllm_mode: Literal["colocate", "server"]
    """Whether vLLM shares the training cards or serves from nodes of its own."""
    vllm_memory: Annotated[float, Ge(0), Le(1)]
    """Share of a card's memory that a colocated vLLM takes for its weights and its attention cache."""
    vllm_nodes: Number
    """Nodes, of all, that vLLM's server has to itself."""
    vllm_tensor_parallel: Count
    """Cards that one copy of the model is spread over for generation."""
    vllm_sleep: bool
    """Whether a colocated vLLM frees its memory while the weights are updated."""
    vllm_dtype: Literal["auto", "bfloat16", "float16"] = "auto"
    """Numbers that vLLM computes in for GRPO; auto takes the model's own, bfloat16 for Qwen3. float16 has steps an
    eighth as wide, so that small changes of adapters reach it, and a smaller range."""
    vllm_url: Text
    """Where the server is, with vllm_mode=server."""
    live_episodes: Count | None
    """Episodes that a process plays at once, so many as the attention cache holds; further ones of the step begin as
    others end. null plays all at once."""
    threads: Number
    """Threads of torch; 0 leaves it to OMP_NUM_THREADS."""
    data_processes: Number = 1
    """Processes that play the expert and turn its episodes to tokens; 0 takes one for each core, of which the training
    processes of a machine have equal parts. The data are the same."""
    check_fit: bool = True
    """Whether `teller-gym train` refuses what the plan says cannot fit on its GPUs, before data are made."""

    @property
    def processes(self) -> int:
        """Training processes, one a card, on all nodes."""
        return (self.nodes - self.vllm_nodes) * self.cards

    @property
    def side_by_side(self) -> int:
        """Processes that make data on this machine."""
        return self.data_processes or max(1, cores() // self.cards)

    @property
    def serves(self) -> bool:
        """Whether vLLM's server generates."""
        return self.generation == "vllm" and self.vllm_mode == "server"

    @property
    def sharded(self) -> bool:
        """Whether a process holds only a part of the weights."""
        return self.sharding in ("fsdp2", "zero3") and self.processes > 1

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.generation == "vllm" and self.device == "cpu":
            raise problem("vllm needs a GPU; expected transformers with device cpu, got vllm", "generation")
        if self.generation == "transformers" and self.sharded:
            text = (
                f"sampling with transformers needs the whole model in each process, and {self.sharding} spreads the "
                "weights over the processes: every token would gather them; expected vllm, or sharding=ddp or zero2"
            )
            raise problem(text, "generation")
        if self.device == "cpu" and self.sharding != "ddp" and self.processes > 1:
            raise problem(f"expected ddp with device cpu, got {self.sharding}", "sharding")
        server = self.serves
        if self.generation == "vllm" and not server and self.vllm_tensor_parallel > 1:
            text = (
                "processes that share an engine must all ask it for equally many turns, and episodes differ in that; "
                f"expected 1 with vllm_mode=colocate, or vllm_mode=server, got {self.vllm_tensor_parallel}"
            )
            raise problem(text, "vllm_tensor_parallel")
        if server and self.vllm_nodes == 0:
            raise problem("expected at least 1 with vllm_mode=server, got 0", "vllm_nodes")
        if not server and self.vllm_nodes:
            raise problem(f"expected 0 without vllm_mode=server, got {self.vllm_nodes}", "vllm_nodes")
        if self.vllm_nodes >= self.nodes:
            raise problem(f"expected fewer than nodes ({self.nodes}), got {self.vllm_nodes}", "vllm_nodes")
        if self.cards % self.vllm_tensor_parallel:
            text = f"expected a part of cards ({self.cards}), got {self.vllm_tensor_parallel}"
            raise problem(text, "vllm_tensor_parallel")
        return self

    def environment(self) -> dict[str, str]:
        """Variables by which accelerate, in every training process, knows how to spread the weights."""
        if self.processes == 1 or self.sharding == "ddp":
            return {}
        if self.sharding == "fsdp2":
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
        found = {
            "ACCELERATE_USE_DEEPSPEED": "true",
            "ACCELERATE_DEEPSPEED_ZERO_STAGE": "2",
            "ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_DEVICE": "none",
            "ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_DEVICE": "none",
        }
        if self.sharding == "zero3":
            found |= {
                "ACCELERATE_DEEPSPEED_ZERO_STAGE": "3",
                "ACCELERATE_DEEPSPEED_ZERO3_INIT": "false",
                "ACCELERATE_DEEPSPEED_ZERO3_SAVE_16BIT_MODEL": "true",
            }
        return found

    def trainer_options(self) -> dict[str, Any]:
        """Options of both trainers that depend on the machine."""
        return {
            "bf16": self.bf16,
            "gradient_checkpointing": self.gradient_checkpointing,
            "use_cpu": self.device == "cpu",
            "dataloader_pin_memory": self.device != "cpu",
            # Every weight has a part in every pass; looking for others would cost a walk over the graph each time.
            "ddp_find_unused_parameters": False,
        }
