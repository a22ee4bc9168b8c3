"""Creates the tiny model, loads models by name, and saves them with their training chat template."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from teller_gym.agents.chat import THINKING_KEY, PromptStyle, present
from teller_gym.agents.language import PROMPT_KEY
from teller_gym.base.errors import OptionError
from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.config.model import ModelConfig
from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations.expert import Trajectory
from teller_gym.training.models.chat_templates import expect_trainable
from teller_gym.training.models.tiny import build_model, train_tokenizer
from teller_gym.training.run_folder.checksums import seal


def make_model(config: Config, trajectories: Iterable[Trajectory]) -> tuple[Any, Any]:
    """Create or load a run's initial model and tokenizer.

    A tiny model's tokenizer is trained on the trajectories.
    """
    if config.model.tiny:
        style = PromptStyle.parse(config.model.prompt)
        blank = train_tokenizer([], 0)
        texts = []
        for trajectory in trajectories:
            messages, tools = present(trajectory.messages, trajectory.tools, style)
            texts.append(blank.apply_chat_template(messages, tools=tools, tokenize=False))
        tokenizer = train_tokenizer(texts, config.model.shape.vocabulary)
        model = build_model(config.model.shape, tokenizer, config.seed)
    else:
        model, tokenizer = _pretrained(config)
    if config.model.thinking:
        tokenizer.init_kwargs[THINKING_KEY] = True  # saved with the checkpoint, so that evaluations think, too
        expect_trainable(tokenizer, config.model.name)
    setattr(model.config, PROMPT_KEY, str(PromptStyle.parse(config.model.prompt)))
    return model if config.hardware.sharded else model.to(config.hardware.device), tokenizer


def _pretrained(config: Config) -> tuple[Any, Any]:
    import torch
    from transformers import AutoModelForCausalLM

    tokenizer = load_tokenizer(config.model.name)
    try:
        model = AutoModelForCausalLM.from_pretrained(
            config.model.name, dtype=getattr(torch, config.model.dtype), attn_implementation="sdpa"
        )
    except (OSError, ValueError) as error:
        raise _not_had(config.model.name, error) from error
    return model, tokenizer


def load_tokenizer(name: str) -> Any:
    """Load a pretrained model's tokenizer with a chat template for training.

    Raises:
        OptionError: the model is unavailable, or its chat template is unsuitable for training.
    """
    from transformers import AutoTokenizer
    from trl.chat_template_utils import get_training_chat_template

    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise _not_had(name, error) from error
    if not tokenizer.chat_template:
        raise OptionError(f"model {name} has no chat template; take a variant that was trained to chat")
    # A template must render earlier turns independently of later ones, and mark the assistant's tokens.
    try:
        template = get_training_chat_template(tokenizer)
    except ValueError as error:
        raise OptionError(
            f"model {name}: its chat template neither marks the assistant's tokens with {{% generation %}} nor is one "
            "that TRL knows how to mark, such as those of Qwen3, Qwen2.5 and Llama 3; take such a model, or a local "
            "folder with the template changed"
        ) from error
    if template is not None:
        tokenizer.chat_template = template
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    expect_trainable(tokenizer, name)
    return tokenizer


def window_of(model: ModelConfig) -> int:
    """Return the context window of a run's model in tokens.

    Raises:
        OptionError: the model is unavailable.
    """
    if model.tiny:
        return model.shape.positions
    from transformers import AutoConfig

    try:
        found = AutoConfig.from_pretrained(model.name)
    except (OSError, ValueError) as error:
        raise _not_had(model.name, error) from error
    return int(found.get_text_config().max_position_embeddings)


def _not_had(name: str, error: Exception) -> OptionError:
    return OptionError(
        f"model {name}: neither a folder with a checkpoint nor a model that the hub gave ({error}); "
        "without a hub, use model=tiny or a local folder"
    )


def load_model(folder: Path, config: Config) -> tuple[Any, Any]:
    """Load a checkpoint written by `save_model`.

    Raises:
        OptionError: the checkpoint cannot be loaded; the message names what to remove.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    dtype = getattr(torch, config.model.dtype)
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder)
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, attn_implementation="sdpa")
    except Exception as error:  # the libraries' exceptions for damaged files have no common class
        raise OptionError(
            f"{folder} cannot be loaded ({error}); remove that folder and run the same command: it is made again"
        ) from error
    # The trainer places sharded weights.
    return model if config.hardware.sharded else model.to(config.hardware.device), tokenizer


def whole_model(trainer: Any, model: ModelConfig, hardware: HardwareConfig) -> Any:
    """Return the trained model with all its weights and unmerged adapters.

    If the weights are sharded, all processes must call this; the first gets a copy on the CPU, the others None.
    """
    if not hardware.sharded:
        return trainer.model
    from peft import get_peft_model
    from transformers import AutoModelForCausalLM

    weights = trainer.accelerator.get_state_dict(trainer.model_wrapped)
    start = trainer.accelerator.unwrap_model(trainer.model).name_or_path
    if not trainer.accelerator.is_main_process:
        return None
    whole = AutoModelForCausalLM.from_pretrained(start, dtype=next(iter(weights.values())).dtype)
    adapters = model.lora_config()
    if adapters is not None:
        whole = get_peft_model(whole, adapters)
    whole.load_state_dict(weights)
    return whole


def save_model(model: Any, tokenizer: Any, folder: Path) -> None:
    """Save a sealed checkpoint.

    It has the weights with merged adapters, the tokenizer, and the training chat template.
    """
    import shutil

    whole = model.merge_and_unload() if hasattr(model, "merge_and_unload") else model
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    whole.save_pretrained(part)
    tokenizer.save_pretrained(part)
    seal(part)
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def quiet() -> None:
    """Silence the progress bars and notices of the training libraries.

    The package reports progress itself.
    """
    import datasets
    import transformers

    datasets.disable_progress_bars()
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
