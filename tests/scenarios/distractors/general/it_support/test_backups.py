"""Tests of it_support/backups: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call

BACKUP: dict[str, Any] = {"data_gb": 1000, "daily_change_percent": 5, "daily_copies": 6, "weekly_copies": 4}
BACKUP |= {"monthly_copies": 2, "compression_percent": 50}


def test_backups_by_hand() -> None:
    assert call("plan_backup_rotation", **BACKUP, daily_method="incremental") == {
        "full_backup_gb": 500.0,
        "largest_daily_gb": 25.0,
        "storage_gb": 3150.0,  # 500 * (4 + 2 + 6 * 0.05)
        "full_backup_hours": 1.11,  # 4000 seconds
        "restore_points": 12,
    }
    differential = call("plan_backup_rotation", **BACKUP, daily_method="differential")
    assert (differential["largest_daily_gb"], differential["storage_gb"]) == (150.0, 3525.0)  # 5, 10, ... 30 %
    full = call("plan_backup_rotation", **BACKUP, daily_method="full", link_mbit_per_second=100)
    assert (full["storage_gb"], full["full_backup_hours"]) == (6000.0, 11.11)
    with pytest.raises(ToolError, match="rest on one"):
        call("plan_backup_rotation", **BACKUP | {"weekly_copies": 0}, daily_method="incremental")
    none = {"daily_copies": 0, "weekly_copies": 0, "monthly_copies": 0}
    with pytest.raises(ToolError, match="at least one copy"):
        call("plan_backup_rotation", **BACKUP | none, daily_method="full")


@given(st.floats(0, 100), st.integers(0, 60), st.floats(1, 1e6))
@settings(deadline=None, max_examples=50)
def test_methods_in_order_of_size(change: float, copies: int, data: float) -> None:
    asked: dict[str, Any] = BACKUP | {"daily_change_percent": change, "daily_copies": copies, "data_gb": data}
    methods = ("incremental", "differential", "full")
    sizes = [call("plan_backup_rotation", **asked, daily_method=method)["storage_gb"] for method in methods]
    assert sizes == sorted(sizes)
