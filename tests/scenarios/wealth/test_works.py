"""Every kind of work: the expert succeeds, each judgement matters, and nothing trivial passes."""

import re

import pytest

from teller_gym.office.desk.desk import Desk
from teller_gym.office.documents.csv_files import CsvStyle, csv_bytes, read_table
from teller_gym.office.documents.tables import TextTable
from teller_gym.office.files.writing import write_file
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import PERTURBATIONS
from teller_gym.scenarios.wealth.prompts import request_of
from teller_gym.scenarios.wealth.works import cases, plan_of
from tests.scenarios.wealth.desks import FROZEN, NAMES, SEEDS, after, call, delivered, desk_of, done, judged, played

LAPSES = [(name, lapse) for name in NAMES for lapse in cases(FROZEN)[name].work.lapses]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("perturb", [(), PERTURBATIONS], ids=["plain", "perturbed"])
def test_the_expert_is_right(name: str, perturb: tuple[str, ...]) -> None:
    """The claim ``oracle`` of ``teller-gym check`` covers many more offices, and each perturbation separately."""
    for seed, autonomy in zip(SEEDS, ("high", "low"), strict=False):
        verdict = played(seed, name, autonomy=autonomy, perturb=perturb)
        assert verdict.success, (seed, autonomy, verdict)
        assert [one.checkpoint for one in verdict.findings] == list(cases(seed)[name].work.checkpoints)


@pytest.mark.parametrize(("name", "lapse"), LAPSES)
def test_every_judgement_counts(name: str, lapse: str) -> None:
    """The claim ``lapses`` of ``teller-gym check`` also covers fresh offices."""
    assert not played(FROZEN, name, cases(FROZEN)[name].work.lapses[lapse].expert).success


@pytest.mark.parametrize("name", NAMES)
def test_nothing_cheap_passes_a_checkpoint(name: str) -> None:
    case = cases(FROZEN)[name]
    assert _share(case, {}) == 0
    for content in (b"", b"\n", b"a,b\n1,2\n", b"\xff\xfe\x00"):
        assert _share(case, dict.fromkeys(case.work.deliverables, content)) == 0
    headers = {one: content.splitlines()[0] + b"\n" for one, content in delivered(name).items()}
    assert _share(case, headers) == 0
    plan = plan_of(FROZEN)
    for path in plan.artefacts:
        if path.startswith(case.client.folder):
            assert _share(case, dict.fromkeys(case.work.deliverables, plan.files[path])) == 0, path


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_of_what_is_delivered_counts(name: str) -> None:
    case, desk = cases(FROZEN)[name], done(name)
    begun = desk.snapshot()
    for deliverable, content in delivered(name).items():
        table = read_table(content)
        for cell in ("", "\x00", "'", "(", "١٢", "9" * 5_000, "=1+1", "-"):
            for column in (number for number, right in enumerate(table.rows[0]) if right):
                desk.store.restore(begun)
                _write(desk, case, deliverable, csv_bytes(_changed(table, 0, column, cell)))
                assert not judged(desk, case).success, (deliverable, cell)
        # In long tables all rows count in the same way, so some are enough.
        for row in range(0, len(table.rows), max(1, len(table.rows) // 12)):
            for column in range(len(table.columns)):
                desk.store.restore(begun)
                _write(desk, case, deliverable, csv_bytes(_changed(table, row, column)))
                assert not judged(desk, case).success, (deliverable, table.rows[row], table.columns[column])
        for row in range(len(table.rows)):
            desk.store.restore(begun)
            rest = TextTable(table.columns, (*table.rows[:row], *table.rows[row + 1 :]))
            _write(desk, case, deliverable, csv_bytes(rest))
            assert not judged(desk, case).success, (deliverable, table.rows[row], "left out")
        desk.store.restore(begun)
        shuffled = TextTable(
            tuple(one.upper() for one in table.columns[::-1]),
            tuple(tuple(f" {cell.upper()} " for cell in row[::-1]) for row in table.rows[::-1]),
        )
        _write(desk, case, deliverable, csv_bytes(shuffled, CsvStyle(delimiter=";")))
        assert judged(desk, case).success, "order, case, white space and delimiters make no difference"


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
        desk = done(name)
        assert judged(desk, case).success
        assert "error" not in call(desk, tool, **arguments), tool
        verdict = judged(desk, case)
        assert not verdict.success and verdict.collateral, tool
    desk = done(name)
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
    verdict = after(case.work.name, *(files.get(one) for one in case.work.deliverables))
    assert not verdict.success
    return verdict.share


def _write(desk: Desk, case: Case, name: str, content: bytes) -> None:
    write_file(desk.store, desk.user, f"{case.client.folder}/{name}", content)


def _changed(table: TextTable, row: int, column: int, cell: str | None = None) -> TextTable:
    """Return the table with one cell replaced by a text, by default by a different value."""
    rows = [list(one) for one in table.rows]
    if cell is None:
        cell = rows[row][column]
        number = re.fullmatch(r"(-?\d+\.)(\d\d)", cell)
        cell = f"{number[1]}{(int(number[2]) + 7) % 100:02d}" if number else f"{cell}x" if cell else "1.00"
    rows[row][column] = cell
    return TextTable(table.columns, tuple(map(tuple, rows)))
