"""Plans a run and rejects one that does not fit on its cards."""

from __future__ import annotations

from teller_gym.base.errors import OptionError
from teller_gym.training.config.run import Config
from teller_gym.training.models.shapes import UnknownShapeError
from teller_gym.training.phases import registry
from teller_gym.training.plan.model import GIB, Plan
from teller_gym.training.plan.planner import Planner, Tasks
from teller_gym.training.run_folder.progress import tell

HELP = (
    "lower method.sft.batch_tokens (with more method.sft.accumulate), hardware.update_tokens or model.total_tokens, "
    "change hardware.vllm_memory, train adapters (model.lora.rank=16 model.dtype=bfloat16), or take a smaller model or "
    "more cards; docs/train/plan.md says what each changes"
)
"""Advice at the end of the error message for a run that does not fit on its GPUs."""


def plan(config: Config) -> Plan:
    """Return a run's plan, without a GPU or any training work.

    Raises:
        OptionError: the model's sizes are unknown, or a split has fewer tasks than requested.
    """
    planner = Planner(config, Tasks.of(config))
    hardware, setup, phases = config.hardware, planner.setup, planner.all(registry.PHASES)
    return Plan(
        model=config.model.name,
        parameters=setup.shape.parameters,
        trained=setup.trained,
        card=hardware.card,
        card_bytes=int(hardware.card_gib * GIB),
        cards=hardware.nodes * hardware.cards,
        serving=hardware.serves * hardware.cards,
        phases=phases,
        problems=(*_too_long(planner), *(f"{phase.name} {told}" for phase in phases for told in phase.problems)),
    )


def _too_long(planner: Planner) -> list[str]:
    """Return messages about a token limit that does not suit the model or the task.

    The limit may be above the model's context window, or below the length of a mean episode.
    """
    model, lengths, window = planner.config.model, planner.lengths, planner.setup.shape.positions
    if model.total_tokens > window:
        return [f"model.total_tokens is {model.total_tokens:,}, and the window of {model.name} {window:,}"]
    mean = lengths.prompt + lengths.after
    if mean > model.total_tokens:
        told = f"a mean episode has {mean:,} tokens, {lengths.prompt:,} of them its prompt"
        return [f"model.total_tokens is {model.total_tokens:,}, and {told}"]
    return []


def refusal(found: Plan) -> str:
    """Return a one-line error message: why a run cannot fit, and what to change."""
    over = ", ".join(f"{one.name} {one.needed / GIB:.1f}" for one in found.phases if one.needed > found.card_bytes)
    told = [f"of {found.card_bytes / GIB:.1f} GiB a card would be needed: {over}"] if over else []
    told += list(dict.fromkeys(one for phase in found.phases for one in phase.problems if "GiB" not in one))
    told += [problem for problem in found.problems if problem.startswith("model.")]
    cards = f"{found.cards} {found.card}" if found.cards > 1 else f"one {found.card}"
    return f"{found.model} does not fit {cards}: {'; '.join(told)}; {HELP}"


def expect_fit(config: Config) -> None:
    """Raise an error if a run cannot fit on its GPUs, unless hardware.check_fit is off.

    Raises:
        OptionError: the message names the phases that do not fit, and the settings to change.
    """
    if config.hardware.device != "cuda" or not config.hardware.check_fit:
        return
    try:
        found = plan(config)
    except UnknownShapeError as error:
        tell(f"whether the run fits was not checked: {error}")
        return
    if not found.fits:
        tried = "hardware.check_fit=false tries it all the same (`teller-gym plan` prints the figures)"
        raise OptionError(f"{refusal(found)}; {tried}")
