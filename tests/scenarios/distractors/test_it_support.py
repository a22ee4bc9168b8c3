"""The IT help desk: expected values are worked out by hand."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, empty_bank

TICKET: dict[str, Any] = {"reporter": "E1042", "subject": "No sign-in", "affected_system": "email"}
TICKET |= {"impact": "team", "urgency": "blocked", "affected_users": 3}


def test_tickets() -> None:
    bank = empty_bank()
    first = call("open_support_ticket", bank, **TICKET)
    assert (first["priority"], first["respond_within_hours"], first["tickets_ahead"]) == ("P1", 1, 0)
    assert call("open_support_ticket", bank, **TICKET) == first
    second = call("open_support_ticket", bank, **TICKET | {"affected_system": "phones"}, workaround_known=True)
    assert (second["priority"], second["respond_within_hours"], second["tickets_ahead"]) == ("P2", 4, 1)
    assert call("open_support_ticket", **TICKET | {"urgency": "can_wait"})["priority"] == "P3"
    assert call("open_support_ticket", **TICKET | {"urgency": "can_wait", "affected_users": 50})["priority"] == "P2"
    listed = call("list_support_tickets", bank)
    assert [ticket["ticket_id"] for ticket in listed["tickets"]] == [first["ticket_id"], second["ticket_id"]]
    assert (listed["total_found"], listed["affected_users"]) == (2, 6)
    assert call("list_support_tickets", bank, priority="P2")["tickets"][0]["affected_system"] == "phones"
    assert call("list_support_tickets", bank, affected_system="laptop")["total_found"] == 0
    assert len(call("list_support_tickets", bank, limit=1)["tickets"]) == 1
    for wrong in ({"affected_users": 1}, {"impact": "one_person"}, {"subject": "\n"}, {"reporter": "E1042\n"}):
        with pytest.raises(ToolError):
            call("open_support_ticket", **TICKET | wrong)


def test_print_job_by_hand() -> None:
    job: dict[str, Any] = {"document_pages": 100, "first_page": 3, "last_page": 12, "pages_per_side": 2, "copies": 3}
    # Five sides are three sheets, one of them with an empty back.
    expected = {"sheets": 9, "printed_sides": 15, "blank_sides": 3, "tray_refills": 0, "minutes": 0.4}
    assert call("plan_print_job", **job) == expected
    assert call("plan_print_job", **job, separator_sheets=True)["sheets"] == 12
    assert call("plan_print_job", **job, sides_per_minute=10)["minutes"] == 1.5
    single = call("plan_print_job", document_pages=101, two_sided=False, tray_sheets=50)
    assert (single["sheets"], single["tray_refills"], single["blank_sides"]) == (101, 2, 101)
    for wrong in ({"last_page": 2}, {"last_page": 101}):
        with pytest.raises(ToolError) as refused:
            call("plan_print_job", **job | wrong)
        assert refused.value.field == "last_page"
    with pytest.raises(ToolError, match="first_page"):
        call("plan_print_job", document_pages=5, first_page=6)


@given(st.integers(1, 5000), st.integers(1, 1000), st.sampled_from([1, 2, 4, 6, 9, 16]), st.booleans())
@settings(deadline=None, max_examples=50)
def test_paper_holds_all_pages_and_not_a_sheet_more(pages: int, copies: int, per_side: int, two_sided: bool) -> None:
    made = call("plan_print_job", document_pages=pages, copies=copies, pages_per_side=per_side, two_sided=two_sided)
    a_sheet = per_side * (2 if two_sided else 1)
    assert (made["sheets"] // copies - 1) * a_sheet < pages <= made["sheets"] // copies * a_sheet
    assert made["printed_sides"] + made["blank_sides"] == 2 * made["sheets"]


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


def test_file_names_by_hand() -> None:
    names = ["  Report: Q1?.pdf ", "report_ q1_.PDF", "con.txt", "...", "Büro/Plan.docx"]
    cleaned = call("clean_file_names", file_names=names, target_system="windows")
    assert cleaned["names"] == ["Report_ Q1_.pdf", "report_ q1__2.PDF", "con_.txt", "unnamed", "Büro_Plan.docx"]
    assert cleaned["changed"] == 5
    web = call("clean_file_names", file_names=names[4:], target_system="web", replacement="-", ascii_only=True)
    assert web["names"] == ["Buro-Plan.docx"]
    assert call("clean_file_names", file_names=["A:b"], target_system="linux") == {"names": ["A:b"], "changed": 0}
    asked: dict[str, Any] = {
        "file_names": ["A long name of a file.TXT"],
        "target_system": "linux",
        "longest": 16,
        "lower_case": True,
    }
    assert call("clean_file_names", **asked)["names"] == ["a long name.txt"]
    with pytest.raises(ToolError):
        call("clean_file_names", file_names=[], target_system="linux")


@given(
    st.lists(st.text(max_size=40), min_size=1, max_size=10),
    st.sampled_from(["windows", "linux", "web"]),
    st.integers(16, 80),
    st.booleans(),
)
@settings(deadline=None, max_examples=100)
def test_clean_names_are_short_different_and_allowed(names: list[str], system: str, longest: int, plain: bool) -> None:
    asked: dict[str, Any] = {"target_system": system, "longest": longest, "ascii_only": plain}
    cleaned = call("clean_file_names", file_names=names, **asked)["names"]
    assert len({name.lower() for name in cleaned}) == len(names)
    for name in cleaned:
        assert 0 < len(name) <= longest
        assert "/" not in name
        assert name == name.strip().rstrip(".")
        assert name.isascii() or not (plain or system == "web")
