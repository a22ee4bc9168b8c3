"""The tools of an agent's desk: effects, refusals, and robustness against any call."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.small_office import open_office
from teller_gym.base.errors import ToolError
from teller_gym.envs.spaces.sampling import sample_arguments
from teller_gym.office.desk.desk import Desk
from teller_gym.office.desk.tools import TOOLS
from teller_gym.office.documents.pdf import pdf_bytes
from teller_gym.office.documents.pdf_document import Paragraph, PdfDocument, Title
from teller_gym.office.files.writing import write_file
from teller_gym.tools.call import ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import run_tool

CASES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text("utf-8"))


@pytest.fixture
def desk() -> Desk:
    return Desk(open_office().store, "ada")


def call(desk: Desk, tool: str, **arguments: Any) -> Any:
    read = parse_action(json.dumps({"name": tool, "arguments": arguments}), TOOLS)
    assert isinstance(read, ToolCall)
    return json.loads(run_tool(desk, read))  # type: ignore[arg-type]


def refused(desk: Desk, tool: str, **arguments: Any) -> ToolError:
    before = desk.store.state_hash()
    with pytest.raises(ToolError) as error:
        call(desk, tool, **arguments)
    assert desk.store.state_hash() == before, "a refused call changes nothing"
    return error.value


# -- files ------------------------------------------------------------------------------------------------------------


def test_files_are_listed_read_written_and_found(desk: Desk) -> None:
    (folder,) = call(desk, "list_folder")["entries"]
    assert (folder["name"], folder["type"]) == ("Clients", "folder")
    assert call(desk, "read_file", path="/Clients/Kerr/assets.csv")["text"] == "asset,value\nhouse,250000\n"
    first = call(desk, "write_file", path="/Clients/Kerr/worth.csv", text="über,1\n")
    assert first == {"path": "/Clients/Kerr/worth.csv", "size": 8, "created": True}
    assert call(desk, "write_file", path="/Clients/Kerr/worth.csv", text="")["created"] is False
    assert [one["name"] for one in call(desk, "find_files", text="*.CSV")["found"]] == ["assets.csv", "worth.csv"]


def test_files_are_moved_copied_and_deleted(desk: Desk) -> None:
    call(desk, "make_folder", path="/Archive")
    call(desk, "copy_file", source="/Clients/Kerr/assets.csv", destination="/Archive/assets.csv")
    call(desk, "move_file", source="/Archive/assets.csv", destination="/Archive/old.csv")
    assert [one["name"] for one in call(desk, "list_folder", path="/Archive")["entries"]] == ["old.csv"]
    # A copy does not overwrite an existing file.
    error = refused(desk, "copy_file", source="/Clients/Kerr/assets.csv", destination="/Archive/old.csv")
    assert error.message.startswith("412 ") and error.field == "destination"
    call(desk, "delete_file", path="/Archive")
    assert refused(desk, "list_folder", path="/Archive").message.startswith("404 ")


def test_a_long_file_is_read_in_pieces_without_loss(desk: Desk) -> None:
    text = "".join(f"{number},é\n" for number in range(5000))
    call(desk, "write_file", path="/long.csv", text=text)
    pieces: list[str] = []
    offset: int | None = 0
    while offset is not None:
        piece = call(desk, "read_file", path="/long.csv", offset=offset)
        pieces.append(piece["text"])
        offset = piece["next_offset"]
    assert len(pieces) > 3 and "".join(pieces) == text
    assert "expected less than" in refused(desk, "read_file", path="/long.csv", offset=len(text)).message


@pytest.mark.parametrize(("tool", "arguments", "status", "field"), CASES["refusals"])
def test_refusals_have_the_services_status_and_name_the_argument(
    desk: Desk, tool: str, arguments: dict[str, Any], status: str, field: str
) -> None:
    error = refused(desk, tool, **arguments)
    assert error.message.startswith(f"{status} ") and error.field == field
    assert error.kind == "validation"


# -- CRM, chat and tracker --------------------------------------------------------------------------------------------


def test_a_contact_is_found_read_changed_and_noted_on(desk: Desk) -> None:
    found = call(desk, "search_crm", entity="Contact", attribute="lastName", value="Kerr")
    assert found["total"] == 1
    key = found["records"][0]["id"]
    call(desk, "update_crm_record", entity="Contact", record_id=key, values={"title": "Retired"})
    assert call(desk, "get_crm_record", entity="Contact", record_id=key)["record"]["title"] == "Retired"
    call(desk, "post_crm_note", entity="Contact", record_id=key, text="Rang on Monday")
    (note, *_) = call(desk, "read_crm_stream", entity="Contact", record_id=key)["notes"]
    assert (note["post"], note["createdByName"]) == ("Rang on Monday", "Ada Lund")
    call(desk, "delete_crm_record", entity="Contact", record_id=key)
    assert call(desk, "search_crm", entity="Contact")["total"] == 0


def test_a_zero_is_shown_and_what_is_empty_is_not(desk: Desk) -> None:
    made = call(desk, "create_crm_record", entity="Opportunity", values={
        "name": "Pension", "amount": 0, "probability": 0, "closeDate": "2026-04-01", "stage": "Prospecting",
    })["record"]  # fmt: skip
    assert made["amount"] == 0 and made["probability"] == 0
    assert "description" not in made and None not in made.values()


def test_messages_reach_people_and_channels(desk: Desk) -> None:
    sent = call(desk, "send_message", to="@ben", text="Lunch & learn?")
    (read,) = call(desk, "read_messages", room="@ben")["messages"]
    assert (read["id"], read["from"], read["text"]) == (sent["id"], "ada", "Lunch & learn?")
    assert call(desk, "search_messages", text="learn")["messages"][0]["room"] == "@ben"
    call(desk, "send_message", to="#general", text="Good morning")
    assert {one["room"] for one in call(desk, "list_rooms")["rooms"]} == {"#general", "@ben"}
    assert [one["username"] for one in call(desk, "list_people")["people"]] == ["ada", "ben"]


def test_a_work_item_is_made_commented_on_and_closed(desk: Desk) -> None:
    (project,) = call(desk, "list_projects")["projects"]
    who = {one["name"]: one["id"] for one in call(desk, "list_members", project_id=project["id"])["members"]}
    made = call(desk, "create_item", project_id=project["id"], name="Ring <Mona>", description="a < b\nand more",
                assignee_ids=[who["ben"]], target_date="2026-03-09")["item"]  # fmt: skip
    assert (made["key"], made["assignees"]) == ("CL-2", ["ben"])
    call(desk, "comment_on_item", key="CL-2", text="No <answer> & no mail\ntwice")
    read = call(desk, "get_item", key="CL-2")
    assert read["item"]["description"] == "a < b\nand more"
    assert [(one["by"], one["text"]) for one in read["comments"]] == [("ada", "No <answer> & no mail\ntwice")]
    (done,) = [one for one in call(desk, "list_states", project_id=project["id"])["states"] if one["name"] == "Done"]
    closed = call(desk, "update_item", key="CL-2", state_id=done["id"])["item"]
    assert closed["state"]["group"] == "completed" and closed["completed_at"]
    assert [one["key"] for one in call(desk, "list_items", project_id=project["id"], state="done")["items"]] == ["CL-2"]
    assert [one["key"] for one in call(desk, "list_items", project_id=project["id"], text="mona")["items"]] == [
        "CL-2", "CL-1",
    ]  # fmt: skip


# -- all together -----------------------------------------------------------------------------------------------------


def test_a_fork_goes_its_own_way(desk: Desk) -> None:
    begun = desk.facts()
    other = desk.fork()
    call(other, "write_file", path="/x.txt", text="x")
    assert desk.facts() == begun != other.facts()
    call(desk, "write_file", path="/x.txt", text="x")
    assert desk.facts() == other.facts()


def test_every_tool_says_what_kind_of_act_it_is() -> None:
    reading = {name for name, tool in TOOLS.items() if not tool.writes}
    assert {name for name in TOOLS if name.startswith(("list_", "read_", "search_", "get_", "find_"))} == reading - {
        "calculate"
    }
    assert TOOLS["send_message"].sentence == TOOLS["post_crm_note"].sentence == "Final: it cannot be taken back."


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(sorted(TOOLS)), seed=st.integers(0, 10_000))
def test_no_call_that_fits_a_schema_breaks_a_tool(name: str, seed: int) -> None:
    desk = Desk(open_office().store, "ada")
    rng = np.random.Generator(np.random.PCG64(seed))
    arguments = sample_arguments(TOOLS.parameters[name], rng)
    try:
        call(desk, name, **arguments)
    except ToolError as error:
        assert error.message and len(error.message) < 2000


_AWKWARD = st.sampled_from(
    ["/", "..", "/../..", "/Clients/Kerr/assets.csv", "\x00", "%2e%2e", "a" * 999, "@ada", "#general", "é\u202e",
     "CL-1", "Contact", "User", "name", "id", "deleted", "passwordHash", "-1", "null", "{}", "'; drop table",
     "*", "?" * 50]
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(name=st.sampled_from(sorted(TOOLS)), words=st.lists(_AWKWARD, min_size=6, max_size=6))
def test_awkward_texts_break_no_tool(name: str, words: list[str]) -> None:
    desk = Desk(open_office().store, "ada")
    parameters = TOOLS.parameters[name]
    arguments = {
        one.name: word
        for one, word in zip(parameters, words, strict=False)
        if one.schema.get("type") == "string" or "anyOf" in one.schema
    }
    if "values" in {one.name for one in parameters}:
        arguments["values"] = {words[0] or "name": words[1], words[2]: None}  # type: ignore[assignment]
    try:
        call(desk, name, **arguments)
    except ToolError as error:
        assert error.message


# -- computing --------------------------------------------------------------------------------------------------------


def test_expressions_are_worked_out_exactly(desk: Desk) -> None:
    assert call(desk, "calculate", expression="round(0.1 + 0.2, 2)")["value"] == "0.30"
    error = refused(desk, "calculate", expression="1 +")
    assert error.field == "expression" and "character" in error.message


def test_code_reads_and_writes_the_offices_files(desk: Desk) -> None:
    code = (
        "from decimal import Decimal\n"
        "total = sum(Decimal(row['value']) for row in read_csv('/Clients/Kerr/assets.csv'))\n"
        "write_csv('/Clients/Kerr/total.csv', [{'Item': 'Total', 'Amount': str(total)}])\n"
        "print('written')\n"
        "str(total)\n"
    )
    ran = call(desk, "run_python", code=code)
    assert ran == {"printed": "written\n", "result": "250000", "truncated": False}
    assert call(desk, "read_file", path="/Clients/Kerr/total.csv")["text"].split() == ["Item,Amount", "Total,250000"]


def test_code_that_fails_says_where_and_why(desk: Desk) -> None:
    error = refused(desk, "run_python", code="print('so far')\nread_text('/nothing.txt')")
    assert error.field == "code" and "line 2" in error.message and "so far" in error.message
    assert "FileNotFoundError" in error.message


def test_the_clock_of_code_is_the_offices(desk: Desk) -> None:
    ran = call(desk, "run_python", code="from datetime import date\nstr(date.today())")
    assert ran["result"] == "2026-03-02"


def test_a_pdf_is_read_as_text(desk: Desk) -> None:
    document = PdfDocument((Title("Kerr & Co"), Paragraph("Mona Kerr: the rate is 4.25 %.")))
    write_file(desk.store, "ada", "/Clients/Kerr/letter.pdf", pdf_bytes(document))
    text = call(desk, "read_file", path="/Clients/Kerr/letter.pdf")["text"]
    assert "the rate is 4.25 %." in text and text.index("Kerr & Co") < text.index("Mona Kerr")
