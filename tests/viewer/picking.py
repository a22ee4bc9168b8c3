"""Picking episodes out of those of several runs."""

from __future__ import annotations

from teller_gym.evaluation.records.episode import Episode


def everything(records: dict[str, list[Episode]]) -> list[Episode]:
    return [one for run in records.values() for one in run]


def valid(episodes: list[Episode]) -> list[Episode]:
    return [one for one in episodes if one["status"] != "invalid"]
