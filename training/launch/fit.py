"""Plans a run, and refuses one that does not fit its cards."""

from __future__ import annotations

from teller_gym.base.errors import OptionError
from teller_gym.training.config.run import Config
from teller_gym.training.models.shapes import UnknownShapeError, shape_of
from teller_gym.training.phases import registry
from teller_gym.training.plan.lengths import lengths_of
from teller_gym.training.plan.model import GIB, Plan, PlannedPhase
from teller_gym.training.plan.nearest import nearest
from teller_gym.training.plan.planner import Planner, Tasks
from teller_gym.training.run_folder.progress import tell


def plan(config: Config) -> Plan:
    """Return the plan of a run, without a GPU or any training work.

    Raises:
        OptionError: the model's sizes are unknown, or a split has fewer tasks than requested.
    """
    planner = Planner(config, Tasks.of(config))
    done = planner.all(registry.PHASES)
    hardware, setup = config.hardware, planner.setup
    problems = problems_of(config, done)
    return Plan(
        model=config.model.name,
        parameters=setup.shape.parameters,
        trained=setup.trained,
        card=hardware.card,
        card_bytes=int(hardware.card_gib * GIB),
        cards=hardware.nodes * hardware.cards,
        serving=hardware.vllm_nodes * hardware.cards,
        phases=done,
        problems=problems,
        nearest=nearest(config, fitting) if problems else None,
    )


def problems_of(config: Config, phases: tuple[PlannedPhase, ...]) -> tuple[str, ...]:
    """Return all reasons why a run cannot fit, each as a clause."""
    found = [f"{phase.name} {told}" for phase in phases for told in phase.problems]
    return (*_too_long(config), *found)


def _too_long(config: Config) -> list[str]:
    """Describe episodes that exceed their limits."""
    lengths, total, window = lengths_of(config), config.model.total_tokens, shape_of(config.model).positions
    if total > window:
        return [f"model.total_tokens is {total:,}, and the window of {config.model.name} {window:,}"]
    if lengths.prompt + lengths.after > total:
        told = f"a mean episode has {lengths.prompt + lengths.after:,} tokens, {lengths.prompt:,} of them its prompt"
        return [f"model.total_tokens is {total:,}, and {told}"]
    return []


def fitting(config: Config) -> bool:
    """Return True if a run fits."""
    return not problems_of(config, Planner(config).all(registry.PHASES))


def refusal(found: Plan) -> str:
    """Describe in one sentence why a run cannot fit, and the nearest settings that do."""
    room = found.card_bytes / GIB
    over = [f"{one.name} {one.needed / GIB:.1f}" for one in found.phases if one.needed > found.card_bytes]
    told = [f"of {room:.1f} GiB a card, {_listed(over)} would be needed"] if over else []
    told += list(dict.fromkeys(problem for one in found.phases for problem in one.problems if "GiB" not in problem))
    told += [problem for problem in found.problems if problem.startswith("model.")]
    if found.nearest:
        help_ = f"the nearest that fits: {' '.join(found.nearest)}"
    else:
        help_ = "nothing that was tried fits; take a smaller model or larger cards"
    cards = f"{found.cards} {found.card}" if found.cards > 1 else f"one {found.card}"
    return f"{found.model} does not fit {cards}: {'; '.join(told)}; {help_}"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def expect_fit(config: Config) -> None:
    """Refuse a run that cannot fit its GPUs, unless hardware.check_fit is off.

    Raises:
        OptionError: naming what does not fit, and the nearest settings that do.
    """
    if config.hardware.device != "cuda" or not config.hardware.check_fit:
        return
    try:
        if fitting(config):
            return
    except UnknownShapeError as error:
        tell(f"whether the run fits was not checked: {error}")
        return
    told = "; hardware.check_fit=false tries it all the same (`teller-gym plan` prints the figures)"
    raise OptionError(refusal(plan(config)) + told)
