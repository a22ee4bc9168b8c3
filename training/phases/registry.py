"""Phases of a run in order."""

from __future__ import annotations

from teller_gym.training.config.run import Config
from teller_gym.training.phases.data_phase import DataPhase, UntrainedPhase
from teller_gym.training.phases.grpo_phase import GrpoPhase
from teller_gym.training.phases.phase import Phase
from teller_gym.training.phases.rounds_phase import CorrectionsPhase, RejectionPhase
from teller_gym.training.phases.sft_phase import SftPhase

PHASES: tuple[Phase, ...] = (
    DataPhase(),
    UntrainedPhase(),
    SftPhase(),
    RejectionPhase(),
    CorrectionsPhase(),
    GrpoPhase(),
)
"""All phases, in the order in which a run performs them."""


def phase_named(name: str) -> Phase:
    """Return the phase with the given name."""
    return next(phase for phase in PHASES if phase.name == name)


def wanted_phases(config: Config) -> list[Phase]:
    """Return the phases that have work to do in a run, in order."""
    return [phase for phase in PHASES if phase.steps(config)]


def trained_names() -> tuple[str, ...]:
    """Return the names of the training phases, in order."""
    return tuple(phase.name for phase in PHASES if phase.trains)
