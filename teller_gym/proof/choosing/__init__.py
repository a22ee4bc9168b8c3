"""``teller-gym choose``: pick the seeds of a scenario's instances, so that every judgement is tested in every split."""

from __future__ import annotations

from teller_gym.proof.choosing.command import run

__all__ = ["run"]
