"""Checkpoint folders with whole models, or with LoRA adapters that name their base model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teller_gym.base.errors import MissingExtraError, OptionError

ADAPTER_FILE = "adapter_config.json"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Locations of a model's parts.

    Attributes:
        base: folder or hub name of the whole model.
        adapter: folder of the LoRA adapter, or None.
        rank: rank of the adapter, or 0 if there is none.
    """

    base: str
    adapter: Path | None = None
    rank: int = 0

    def tokenizer(self) -> Any:
        """Load the tokenizer.

        It is the adapter's if it has one, otherwise the base model's with the adapter's chat template, if any.
        """
        from transformers import AutoTokenizer

        if self.adapter is None:
            return AutoTokenizer.from_pretrained(self.base)
        if (self.adapter / "tokenizer_config.json").is_file():
            tokenizer = AutoTokenizer.from_pretrained(str(self.adapter))
            if tokenizer.chat_template:
                return tokenizer
            tokenizer.chat_template = AutoTokenizer.from_pretrained(self.base).chat_template
            return tokenizer
        tokenizer = AutoTokenizer.from_pretrained(self.base)
        template = self.adapter / "chat_template.jinja"
        if template.is_file():
            tokenizer.chat_template = template.read_text("utf-8")
        return tokenizer

    def model(self, dtype: Any, adapter: str = "merge") -> Any:
        """Load the model with transformers, and the adapter with peft.

        Args:
            dtype: torch dtype of the weights.
            adapter: `merge` adds the adapter to the weights, `keep` computes it separately.

        Raises:
            MissingExtraError: there is an adapter and peft is not installed.
        """
        from transformers import AutoModelForCausalLM

        model = AutoModelForCausalLM.from_pretrained(self.base, dtype=dtype, attn_implementation="sdpa")
        if self.adapter is None:
            return model
        try:
            from peft import PeftModel
        except ImportError:
            raise MissingExtraError("a model with an adapter", "train") from None
        adapted = PeftModel.from_pretrained(model, str(self.adapter))
        return adapted.merge_and_unload() if adapter == "merge" else adapted


def _holds_model(folder: Path) -> bool:
    return (folder / "config.json").is_file()


def find_checkpoint(folder: str | Path) -> Checkpoint:
    """Return the checkpoint in a folder.

    Any other text is considered a model name on a hub. An adapter's base model is searched for in the working folder,
    then in the adapter's own folder; otherwise its name is considered a model name on a hub.

    Raises:
        OptionError: an adapter does not name its base model, or is not a LoRA adapter.
    """
    path = Path(folder) / ADAPTER_FILE
    if not path.is_file():
        return Checkpoint(str(folder))
    try:
        config = json.loads(path.read_text("utf-8"))
        base, kind, rank = config["base_model_name_or_path"], config["peft_type"], config["r"]
    except (ValueError, KeyError, TypeError) as error:
        raise OptionError(f"{path} is no description of a LoRA adapter: {error!r}") from error
    if kind != "LORA":
        raise OptionError(f"{path}: expected an adapter of the kind LORA, got {kind!r}")
    if not isinstance(base, str) or not base:
        raise OptionError(f"{path}: expected base_model_name_or_path to name a folder or a model, got {base!r}")
    beside = Path(folder) / base
    found = str(beside) if not _holds_model(Path(base)) and _holds_model(beside) else base
    return Checkpoint(found, Path(folder), int(rank))
