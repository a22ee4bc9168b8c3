"""``teller-gym choose``: selects the seeds of a scenario's instances so that every split tests every judgement."""

from __future__ import annotations

from teller_gym.proof.choosing.command import run

__all__ = ["run"]
