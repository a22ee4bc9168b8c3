"""Every kind of work: its expert is right, each judgement counts, and nothing cheap passes."""

from __future__ import annotations

import re

import pytest

from teller_gym.office.documents.csv_files import csv_bytes, read_table
from teller_gym.office.documents.tables import TextTable
from teller_gym.office.files.writing import write_file
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import PERTURBATIONS
from teller_gym.scenarios.wealth.prompts import request_of
from teller_gym.scenarios.wealth.works import cases, plan_of
from tests.scenarios.wealth.desks import FROZEN, NAMES, SEEDS, call, desk_of, judged, played, work

LAPSES = [(name, lapse) for name in NAMES for lapse in cases(FROZEN)[name].work.lapses]


@pytest.mark.parametrize("name", NAMES)
def test_the_expert_is_right_in_every_office(name: str) -> None:
    for seed in SEEDS:
        for autonomy in ("high", "low"):
            verdict = played(seed, name, autonomy=autonomy)
            assert verdict.success, (seed, autonomy, verdict)
            assert verdict.share == 1 and [one.checkpoint for one in verdict.findings] == list(
                cases(seed)[name].work.checkpoints
            )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("perturb", [*((one,) for one in PERTURBATIONS), PERTURBATIONS], ids="+".join)
def test_the_expert_is_right_whatever_the_perturbation(name: str, perturb: tuple[str, ...]) -> None:
    for seed in SEEDS[:8]:
        verdict = played(seed, name, perturb=perturb)
        assert verdict.success, (seed, verdict)


@pytest.mark.parametrize(("name", "lapse"), LAPSES)
def test_every_judgement_counts(name: str, lapse: str) -> None:
    expert = cases(FROZEN)[name].work.lapses[lapse].expert
    assert not played(FROZEN, name, expert).success
    lost = [seed for seed in SEEDS[1:13] if not played(seed, name, expert).success]
    assert len(lost) >= 6, f"it loses in {len(lost)} of 12 offices"


@pytest.mark.parametrize("name", NAMES)
def test_nothing_cheap_passes_a_checkpoint(name: str) -> None:
    case = cases(FROZEN)[name]
    assert _share(case, {}) == 0
    for content in (b"", b"\n", b"a,b\n1,2\n", b"\xff\xfe\x00"):
        assert _share(case, dict.fromkeys(case.work.deliverables, content)) == 0
    desk = desk_of(FROZEN)
    work(desk, case.work.expert(request_of(case, "high"), case.rules))
    right = {one: _content(desk, case, one) for one in case.work.deliverables}
    headers = {one: content.splitlines()[0] + b"\n" for one, content in right.items()}
    assert _share(case, headers) == 0
    plan = plan_of(FROZEN)
    for path in plan.artefacts:
        if path.startswith(case.client.folder):
            assert _share(case, dict.fromkeys(case.work.deliverables, plan.files[path])) == 0, path


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_of_what_is_delivered_counts(name: str) -> None:
    case, desk = cases(FROZEN)[name], desk_of(FROZEN)
    work(desk, case.work.expert(request_of(case, "high"), case.rules))
    done = desk.snapshot()
    for deliverable in case.work.deliverables:
        table = read_table(_content(desk, case, deliverable))
        # Of long tables every row counts in the same way.
        for row in range(0, len(table.rows), max(1, len(table.rows) // 12)):
            for column in range(len(table.columns)):
                desk.store.restore(done)
                _write(desk, case, deliverable, csv_bytes(_changed(table, row, column)))
                assert not judged(desk, case).success, (deliverable, table.rows[row], table.columns[column])
        for row in range(len(table.rows)):
            desk.store.restore(done)
            rest = TextTable(table.columns, (*table.rows[:row], *table.rows[row + 1 :]))
            _write(desk, case, deliverable, csv_bytes(rest))
            assert not judged(desk, case).success, (deliverable, table.rows[row], "left out")
        desk.store.restore(done)
        shuffled = TextTable(table.columns[::-1], tuple(row[::-1] for row in table.rows[::-1]))
        _write(desk, case, deliverable, csv_bytes(shuffled))
        assert judged(desk, case).success, "the order of rows and columns makes no difference"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_done_besides_is_held_against_it(name: str) -> None:
    case = cases(FROZEN)[name]
    other = next(one for one in case.world.clients if one is not case.client)
    contacts = call(desk_of(FROZEN), "search_crm", entity="Contact")["records"]
    contact = next(one["id"] for one in contacts if one["name"] == case.client.name)
    source = next(path for path in plan_of(FROZEN).artefacts if path.startswith(case.client.folder))
    for tool, arguments in (
        ("send_message", {"to": "#general", "text": "The work is done."}),
        ("post_crm_note", {"entity": "Contact", "record_id": contact, "text": "Done."}),
        ("update_crm_record", {"entity": "Contact", "record_id": contact, "values": {"description": "closed"}}),
        ("delete_file", {"path": source}),
        ("write_file", {"path": f"{other.folder}/copy.csv", "text": "a,b\n"}),
    ):
        desk = desk_of(FROZEN)
        work(desk, case.work.expert(request_of(case, "high"), case.rules))
        assert judged(desk, case).success
        assert "error" not in call(desk, tool, **arguments), tool
        verdict = judged(desk, case)
        assert not verdict.success and verdict.collateral, tool
    desk = desk_of(FROZEN)
    work(desk, case.work.expert(request_of(case, "high"), case.rules))
    call(desk, "write_file", path="/Scratch/draft.csv", text="a,b\n")
    call(
        desk, "send_message", to=f"@{case.world.staff['compliance'].username}", text="Good morning! Is the lift mended?"
    )
    assert judged(desk, case).success, "drafts and questions do no harm"


@pytest.mark.parametrize("name", NAMES)
def test_requests_name_the_client_and_the_day_and_the_long_one_says_more(name: str) -> None:
    for seed in SEEDS[:3]:
        case = cases(seed)[name]
        high, low = request_of(case, "high"), request_of(case, "low")
        for text in (high, low):
            assert case.client.name in text and case.world.today.isoformat() in text
            assert "{" not in text
        assert len(low) > 2 * len(high) and len(high) < 400
        assert not re.search(r"\.csv|\.pdf|\.txt", high), "a brief request names no file"


def _share(case: Case, files: dict[str, bytes]) -> float:
    desk = desk_of(FROZEN)
    for name, content in files.items():
        _write(desk, case, name, content)
    verdict = judged(desk, case)
    assert not verdict.success
    return verdict.share


def _write(desk, case: Case, name: str, content: bytes) -> None:  # type: ignore
    write_file(desk.store, desk.user, f"{case.client.folder}/{name}", content)


def _content(desk, case: Case, name: str) -> bytes:  # type: ignore
    content: bytes = desk.store.get("files.nodes", f"{desk.user}{case.client.folder}/{name}")["content"]
    return content


def _changed(table: TextTable, row: int, column: int) -> TextTable:
    """The table with one cell that says something else."""
    rows = [list(one) for one in table.rows]
    cell = rows[row][column]
    number = re.fullmatch(r"(-?\d+\.)(\d\d)", cell)
    rows[row][column] = f"{number[1]}{(int(number[2]) + 7) % 100:02d}" if number else f"{cell}x" if cell else "1.00"
    return TextTable(table.columns, tuple(map(tuple, rows)))
