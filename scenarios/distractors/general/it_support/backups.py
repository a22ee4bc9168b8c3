"""Backups that are kept and deleted by rotation."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Copies = Annotated[int, Meta(ge=0, le=60)]
Percent = Annotated[float, Meta(ge=0, le=100)]
_DAYS_OF_A_CYCLE = 6
_MEGABITS_PER_GIGABYTE = 8000


class BackupPlan(Result):
    """Sizes in GB after compression and hours, with two decimals."""

    full_backup_gb: float
    largest_daily_gb: float
    storage_gb: float
    full_backup_hours: float
    restore_points: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_backup_rotation(
    bank: Bank,
    data_gb: Annotated[float, Meta(ge=1, le=1_000_000)],
    daily_change_percent: Percent,
    daily_method: Literal["full", "differential", "incremental"],
    daily_copies: Copies,
    weekly_copies: Copies,
    monthly_copies: Copies,
    compression_percent: Annotated[float, Meta(ge=0, le=90)] = 0,
    link_mbit_per_second: Annotated[float, Meta(ge=1, le=100_000)] = 1000,
) -> BackupPlan:
    """Work out the storage of a backup rotation (daily, weekly, monthly) and how long a full backup takes.

    Args:
        data_gb: Data to be saved, in GB of 1000 MB.
        daily_change_percent: Share of the data that changes from day to day.
        daily_method: Daily copies are full, all since the weekly copy, or all since the day before.
        daily_copies: Daily copies kept, six between two weekly ones.
        weekly_copies: Weekly copies kept; they are full. Other daily methods than full need one.
        monthly_copies: Monthly copies kept; they are full.
        compression_percent: By how much compression shrinks the data.
        link_mbit_per_second: Speed of the line to the backup server.
    """
    if daily_method != "full" and not weekly_copies:
        raise invalid("weekly_copies", f"expected 1 or more, since {daily_method} copies rest on one, got 0")
    if not daily_copies + weekly_copies + monthly_copies:
        raise invalid("daily_copies", "expected at least one copy of any kind, got none")
    full = Fraction(repr(data_gb)) * (100 - Fraction(repr(compression_percent))) / 100
    change = Fraction(repr(daily_change_percent)) / 100
    since = {"full": 0, "differential": _DAYS_OF_A_CYCLE, "incremental": 1}[daily_method]
    one = Fraction(1)
    shares = [min(change * min(since, i % _DAYS_OF_A_CYCLE + 1), one) if since else one for i in range(daily_copies)]
    return BackupPlan(
        full_backup_gb=round(float(full), 2),
        largest_daily_gb=round(float(full * max(shares, default=Fraction(0))), 2),
        storage_gb=round(float(full * (sum(shares) + weekly_copies + monthly_copies)), 2),
        full_backup_hours=round(float(full) * _MEGABITS_PER_GIGABYTE / link_mbit_per_second / 3600, 2),
        restore_points=daily_copies + weekly_copies + monthly_copies,
    )
