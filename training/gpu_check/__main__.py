"""Measures whether a recipe fits a card: memory and speed of SFT and GRPO at their longest rows, with random weights.

    python -m teller_gym.training.gpu_check --sizes 0.6B 1.7B --hardware l20_1 --cap 44.5
    python -m teller_gym.training.gpu_check --sizes 4B 8B 14B --hardware a100_80_1 --cap 79 --markdown

Random weights and tokens cost the same memory and time as real ones, so no hub is needed. `--cap` limits torch to a
number of GiB, so that a larger card can represent a smaller one. During rollouts, a plain allocation takes the place of
vLLM's share. docs/train/gpu_check.md explains the output.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from teller_gym.base.errors import OptionError, SettingsError
from teller_gym.base.output import take_any_text
from teller_gym.training.config.run import Config, load
from teller_gym.training.gpu_check.memory_meter import Meter, Share
from teller_gym.training.gpu_check.report import Watch, error_of, line_of, markdown
from teller_gym.training.gpu_check.synthetic_rows import Sizes, SyntheticPool, examples
from teller_gym.training.models.shapes import Shape, shape_of
from teller_gym.training.models.tiny import train_tokenizer
from teller_gym.training.plan.model import GIB
from teller_gym.training.processes.isolate import give_back
from teller_gym.training.run_folder.metrics_log import versions
from teller_gym.training.tasks.seeds import make_env

SIZES = ("toy", "0.6B", "1.7B", "4B", "8B", "14B")
"""Qwen3 sizes that are trained on one card, and one for tests."""

_TOY = Shape(64, 128, layers=2, heads=2, kv_heads=2, head_dim=32, vocabulary=4096, positions=40_960, tied=True)


def random_model(shape: Shape, dtype: torch.dtype, device: str, end: int) -> Any:
    """Create a Qwen3 model of the given shape with random weights."""
    from transformers import Qwen3ForCausalLM

    config = shape.qwen3(eos_token_id=end, pad_token_id=0, attn_implementation="sdpa")
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.device(device):
            return Qwen3ForCausalLM(config)
    finally:
        torch.set_default_dtype(before)


class Check:
    """Checks SFT and GRPO updates of one model size, with vLLM's share of the card allocated during rollouts."""

    def __init__(self, size: str, config: Config, chosen: argparse.Namespace, share: Share) -> None:
        self.size, self.config, self.chosen, self.share = size, config, chosen, share
        self.shape = _TOY if size == "toy" else shape_of(f"Qwen/Qwen3-{size}")
        self.tokenizer = train_tokenizer([], 4096)
        longest, vocabulary = config.model.total_tokens, self.shape.vocabulary
        self.sizes = Sizes(longest, vocabulary, 60, 150, 10, 12) if size == "toy" else Sizes(longest, vocabulary)

    def run(self, folder: Path) -> list[dict[str, Any]]:
        """Check SFT, then GRPO, each with fresh weights, and return a result for each."""
        # The first phase may use half of the time; the second gets the rest.
        end = time.perf_counter() + self.chosen.minutes * 60
        half = time.perf_counter() + self.chosen.minutes * 30
        return [self._phase("sft", folder, half, self._sft), self._phase("grpo", folder, end, self._grpo)]

    def _phase(self, phase: str, folder: Path, end: float, work: Callable[[Any, Path, Watch], None]) -> dict[str, Any]:
        give_back()
        watch = Watch(folder / f"{phase}.jsonl", phase, self.chosen.updates, end, Meter(self.share))
        error, dtype = None, getattr(torch, self.config.model.dtype)
        try:
            model = random_model(self.shape, dtype, self.config.hardware.device, self.tokenizer.eos_token_id)
            watch.look_at(model)
            work(model, folder, watch)
        except Exception as problem:
            # A successful phase also ends with an exception: see `Watch`.
            error = error_of(problem)
        finally:
            watch.meter.mark("updates")
            self.share.close()
        return line_of(self.config, self.size, watch, error, self.chosen.cap)

    def _sft(self, model: Any, folder: Path, watch: Watch) -> None:
        from teller_gym.training.phases.sft import train_sft

        sft = self.config.method.sft
        rows = examples(self.sizes, self.chosen.updates, sft.accumulate, sft.batch_tokens)
        train_sft(model, self.tokenizer, [], rows, self.config, folder / "sft", watch)

    def _grpo(self, model: Any, folder: Path, watch: Watch) -> None:
        from teller_gym.training.phases.grpo import train_grpo

        config, grpo, env = self.config, self.config.method.grpo, self.config.env
        lengths = self.sizes.rows(grpo.tasks * grpo.group, config.hardware.update_tokens)
        watch.table = SyntheticPool(
            lambda: make_env(env.id, env.options, "generated"), self.sizes, lengths, watch.meter.round
        )
        train_grpo(model, self.tokenizer, config, folder / "grpo", watch, folder / "transcripts.jsonl", watch.table)


def prepared(size: str, chosen: argparse.Namespace) -> tuple[Config, Share]:
    """Return the configuration for one model size and the placeholder for vLLM's memory share.

    Raises:
        OptionError: the hardware has more than one card.
    """
    model = "0.6B" if size == "toy" else size
    overrides = [
        f"model=qwen3_{model.replace('.', '_').lower()}", f"hardware={chosen.hardware}", "logger=none",
        # More updates than will be made: the check ends the phase before the trainer saves.
        f"method.grpo.steps={chosen.updates + 1}", "method.grpo.tasks=2", "method.grpo.group=4",
        "method.sft.log_steps=1", "method.grpo.log_steps=1", "method.sft.save_steps=1000000",
        "method.grpo.save_steps=1000000", "method.validation.sft_steps=0", "method.validation.grpo_steps=0",
        "method.grpo.most_groups=1",
    ]  # fmt: skip
    if chosen.lora is not None:
        overrides += [f"model.lora.rank={chosen.lora}", f"model.dtype={'bfloat16' if chosen.lora else 'float32'}"]
    overrides += chosen.overrides
    wanted = load("train", overrides)[0].hardware
    if wanted.processes > 1 or wanted.serves:
        raise OptionError(
            f"--hardware {chosen.hardware}: expected a single card, such as l20_1 or a100_80_1, got "
            f"{wanted.processes} training processes with vLLM as {wanted.vllm_mode}"
        )
    held = int(wanted.vllm_memory * wanted.card_gib * GIB) if wanted.generation == "vllm" else 0
    return load("train", [*overrides, "hardware.generation=transformers"])[0], Share(held, wanted.vllm_sleep)


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m teller_gym.training.gpu_check",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sizes", nargs="+", default=["0.6B"], choices=SIZES)
    parser.add_argument("--cap", type=float, help="GiB that torch may use, such as 44.5 for an L20, 79 for an A100")
    parser.add_argument("--hardware", default="l20_1", help="group hardware: l20_1, a100_80_1 or cpu")
    parser.add_argument(
        "--lora", type=int, help="rank of adapters, 0 trains all weights; as the size's model file has it"
    )
    parser.add_argument("--updates", type=int, default=3, help="optimizer steps of each phase, at most")
    parser.add_argument("--minutes", type=float, default=7.5, help="of a size, at most; the first phase has half")
    parser.add_argument("--markdown", action="store_true", help="print a table after the lines")
    parser.add_argument("overrides", nargs="*", help="further settings, as in teller-gym train")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Check each size and return the exit code.

    Returns:
        0 if every size fits, 1 if one does not fit or has no time for an update, 2 if the command is invalid.
    """
    chosen = parse(argv)
    try:
        return _main(chosen)
    except SettingsError as error:
        print("\n".join(error.problems), file=sys.stderr)
    except OptionError as error:
        print(error, file=sys.stderr)
    return 2


def _main(chosen: argparse.Namespace) -> int:
    if chosen.cap and torch.cuda.is_available():
        total = torch.cuda.get_device_properties(0).total_memory / GIB
        torch.cuda.set_per_process_memory_fraction(min(1.0, chosen.cap / total))
    if not torch.cuda.is_available():
        print("torch sees no GPU: memory is not measured, and peak_gib is null", file=sys.stderr)
    rows = []
    for size in chosen.sizes:
        config, share = prepared(size, chosen)
        if config.hardware.device == "cuda" and not torch.cuda.is_available():
            raise OptionError(
                f"--hardware {chosen.hardware}: expected a GPU, and torch {torch.__version__} sees none; "
                "--hardware cpu --sizes toy tries the check without one"
            )
        with tempfile.TemporaryDirectory() as folder:
            for row in Check(size, config, chosen, share).run(Path(folder)):
                rows.append(row | {"versions": versions()})
                print(json.dumps(rows[-1]), flush=True)
    if chosen.markdown:
        print(markdown(rows))
    return 0 if all(row["fits"] for row in rows) else 1


if __name__ == "__main__":
    take_any_text()
    raise SystemExit(main())
