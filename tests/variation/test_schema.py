"""Tests that shifted schemas keep the meaning of tools and can be mapped back completely."""

import copy
import json
import re
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from teller_gym.agents.schemas import fits
from teller_gym.base.errors import ErrorKind, ScenarioError, ToolError
from teller_gym.envs.spaces.sampling import sample_arguments
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tasks.store import load_tasks
from teller_gym.tools.call import Call, ToolCall
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import action_text, error_text
from teller_gym.tools.tool import Tool, ToolSet
from teller_gym.variation.options import HELDOUT_SCHEMAS, SCHEMAS, heldout_schema
from teller_gym.variation.pool import tools_in_play
from teller_gym.variation.results import perturb, plain
from teller_gym.variation.schema import ShiftedTools, shift_tools
from teller_gym.variation.schema.fields import result_names
from teller_gym.variation.schema.naming import replace_names

EVERYTHING = 243
SCHEMAS_TRIED = ("1/3", "1/41", "2/5", "heldout/0", "heldout/7")
WHOLE_POOL = tools_in_play("loans", EVERYTHING, "")
NAMES = list(WHOLE_POOL)
SUBMIT = load_scenario("loans").submit
OPENAI_NAME = re.compile("[a-zA-Z0-9_-]{1,64}")
NUMBER = st.integers(min_value=0, max_value=2**32)


def shifted(schema: str, count: int = EVERYTHING) -> ShiftedTools:
    found = tools_in_play("loans", count, "", schema)
    assert isinstance(found, ShiftedTools)
    return found


def sample(tool: Tool, seed: int) -> dict[str, Any]:
    """Draw arguments that fit a tool's schema."""
    return sample_arguments(tool.parameters, np.random.Generator(np.random.PCG64(seed)))


def outcome(tools: ToolSet, name: str, arguments: dict[str, Any]) -> tuple[str, Any]:
    """Return the original tool's name with the decoded arguments, or with the kind of error."""
    try:
        call = parse_action(action_text(Call(name, arguments)), tools)
    except ToolError as error:
        return error.tool or "", error.kind
    assert isinstance(call, ToolCall)
    return call.tool.name, call.arguments


def outcomes(schema: str, name: str, arguments: dict[str, Any]) -> tuple[tuple[str, Any], tuple[str, Any]]:
    """Return the outcome of a call, and of the same call in a shifted schema."""
    tools = shifted(schema)
    return outcome(WHOLE_POOL, name, arguments), outcome(tools, *tools.write(name, arguments))


# -- calls there and back ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("schema", SCHEMAS_TRIED)
def test_calls_of_every_tool_come_back_exactly(schema: str) -> None:
    understood = 0
    for number, (name, tool) in enumerate(WHOLE_POOL.items()):
        for seed in range(3):
            arguments = sample(tool, 3 * number + seed)
            original, back = outcomes(schema, name, arguments)
            assert back == original and type(back[1]) is type(original[1]), (name, arguments)
            understood += isinstance(original[1], msgspec.Struct)
    assert understood > 2 * len(WHOLE_POOL)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(SCHEMAS_TRIED), st.sampled_from(NAMES), NUMBER)
def test_any_fitting_call_comes_back_exactly(schema: str, name: str, seed: int) -> None:
    original, back = outcomes(schema, name, sample(WHOLE_POOL[name], seed))
    assert back == original


def test_standard_calls_come_back_in_another_order_of_arguments() -> None:
    tools = shifted("heldout/3")
    moved = 0
    for task in load_tasks("loans", "train", 20):
        for call in task.standard.calls:
            name, arguments = tools.write(call.name, call.arguments)
            assert list(arguments) == [p.name for p in tools[name].parameters if p.name in arguments]
            back = parse_action(action_text(Call(name, arguments)), tools)
            assert back == parse_action(action_text(call), WHOLE_POOL)
            moved += [tools[name].original.name, *arguments] != [call.name, *call.arguments]
    assert moved > 100


def test_a_split_tool_stands_for_its_choice_and_a_split_date_for_its_parts() -> None:
    choices = dates = 0
    for schema in SCHEMAS_TRIED:
        tools = shifted(schema)
        for name, entry in tools.mapping().items():
            original = WHOLE_POOL[entry["tool"]]
            for fixed, value in entry["fixed"].items():
                choices += 1
                for seed in range(5):
                    arguments = sample(original, seed) | {fixed: value}
                    written = tools.write(original.name, arguments)
                    assert written[0] == name and fixed not in entry["parameters"]
                    assert outcome(tools, *written) == outcome(WHOLE_POOL, original.name, arguments)
            dates += sum(isinstance(parts, list) for parts in entry["parameters"].values())
    assert choices > 30 and dates > 30


def test_a_call_of_an_unknown_tool_stays_unknown() -> None:
    tools = shifted("heldout/0")
    assert tools.write("raise_the_dead", {"a": 1}) == ("raise_the_dead", {"a": 1})
    renamed = [name for name in tools_in_play("loans", 0, "") if name not in tools]
    assert len(renamed) > 30
    for name in renamed:
        assert outcome(tools, name, {})[1] is ErrorKind.UNKNOWN_TOOL


# -- what is wrong stays wrong, in the same way ----------------------------------------------------------------------


def spoilt(tool: Tool, arguments: dict[str, Any], usable: list[str], how: int, which: int) -> dict[str, Any]:
    """Return arguments with one error: missing, unknown, of another type, or an impossible value."""
    name = usable[which % len(usable)]
    broken: tuple[Any, ...] = (
        {"an": "object"},
        [["a list"]],
        "no such value \u2620",
        1e15,
        -7,
        True,
        None,
        0.123456789,
    )
    if how == 0:
        return {key: value for key, value in arguments.items() if key != name}
    if how == 1:
        return arguments | {"colour_of_the_moon": "green"}
    return arguments | {name: broken[(how - 2) % len(broken)]}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(SCHEMAS_TRIED), st.sampled_from(NAMES), NUMBER, st.integers(0, 9), NUMBER)
def test_invalid_calls_get_the_same_kind_of_error(schema: str, name: str, seed: int, how: int, which: int) -> None:
    tool, tools = WHOLE_POOL[name], shifted(schema)
    (entry,) = [entry for entry in tools.mapping().values() if entry["tool"] == name][:1]
    usable = [own for own, new in entry["parameters"].items() if isinstance(new, str)]
    right = sample(tool, seed)
    assume(usable and isinstance(outcome(WHOLE_POOL, name, right)[1], msgspec.Struct))
    original, back = outcomes(schema, name, spoilt(tool, right, usable, how, which))
    assert back == original


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SCHEMAS_TRIED), st.sampled_from(NAMES), NUMBER, st.integers(0, 9), NUMBER)
def test_errors_of_the_parser_name_what_is_shown(schema: str, name: str, seed: int, how: int, which: int) -> None:
    tools = shifted(schema)
    new = tools.names[name][which % len(tools.names[name])]
    face = tools[new]
    shown = [parameter.name for parameter in face.parameters]
    assume(shown)
    arguments = spoilt(face, sample(face, seed), shown, how, which)
    try:
        parse_action(action_text(Call(new, arguments)), tools)
    except ToolError as error:
        assert error.tool == name
        assert error.field is None or error.field in (*shown, "colour_of_the_moon")
        hidden = {own for own in (name, *WHOLE_POOL.parameters) if "_" in own} - set(tools) - set(shown)
        assert hidden.isdisjoint(re.findall(r"[\w-]+", error.message)), error.message
        if error.field in shown and how > 1 and error.kind is not ErrorKind.MALFORMED and "got year" not in str(error):
            given_text = json.dumps(arguments[error.field])[:40]
            assert "decimals" in error.message or given_text.split('"')[0] in error.message, error.message


def test_errors_of_tools_name_what_is_shown_and_read_as_before() -> None:
    tools = shifted("heldout/7")
    original = ToolError(
        ErrorKind.VALIDATION,
        "received_date: expected the id that verify_identity gave in application_id, got 3",
        "received_date",
        "check_application_completeness",
    )
    found = tools.shown_error(original)
    assert "verify_identity" not in found.message and "application_id" not in found.message
    assert "received_date" not in (found.field, found.message.partition(":")[0])
    assert found.kind is original.kind and found.tool == original.tool
    back = json.loads(tools.read(error_text(found), "check_application_completeness"))["error"]
    assert back["field"] == "received_date" and "verify_identity" in back["message"]


def test_an_error_about_the_argument_that_a_name_stands_for_reads_as_before() -> None:
    found = 0
    for schema in SCHEMAS_TRIED:
        tools = shifted(schema)
        for entry in tools.mapping().values():
            for fixed in entry["fixed"]:
                error = ToolError(ErrorKind.VALIDATION, f"{fixed}: does not fit", fixed, entry["tool"])
                back = json.loads(tools.read(error_text(tools.shown_error(error)), entry["tool"]))["error"]
                assert back["field"] == fixed
                found += 1
    assert found


# -- names and texts -------------------------------------------------------------------------------------------------


def check_names(tools: ShiftedTools) -> None:
    originals = tools.originals
    shown = [name for names in tools.names.values() for name in names]
    assert len(shown) == len(set(shown)) == len(tools) and set(tools.names) == set(originals)
    assert len(tools.names[SUBMIT]) == 1
    for tool in tools.values():
        names = [parameter.name for parameter in tool.parameters]
        assert len(names) == len(set(names)), tool
        assert all(OPENAI_NAME.fullmatch(name) for name in (tool.name, *names)), tool
    mapping = tools.mapping()
    assert set(mapping) == set(tools)
    for name, entry in mapping.items():
        original, face = originals[entry["tool"]], tools[name]
        own = {*entry["parameters"], *entry["fixed"]}
        assert own == {parameter.name for parameter in original.parameters}
        new = [
            part for shown in entry["parameters"].values() for part in ([shown] if isinstance(shown, str) else shown)
        ]
        assert sorted(new) == sorted(parameter.name for parameter in face.parameters)
        assert tuple(entry["outputs"]) == original.outputs
        assert len(set(entry["outputs"].values())) == len(original.outputs)


def test_names_are_unique_and_the_mapping_is_complete_in_every_schema() -> None:
    for number in range(SCHEMAS):  # of the training schemas only some with the whole pool, which takes long
        check_names(shifted(f"1/{number}", 0 if number % 10 else EVERYTHING))
    for number in range(HELDOUT_SCHEMAS):
        check_names(shifted(heldout_schema(number)))


def test_schemas_differ_from_one_another_and_from_the_original() -> None:
    shown = [frozenset(shifted(schema, 0)) for schema in SCHEMAS_TRIED]
    assert len(set(shown)) == len(SCHEMAS_TRIED)
    own = set(tools_in_play("loans", 0, ""))
    assert all(len(names & own) < len(own) / 4 for names in shown)
    assert all(names.isdisjoint(own) for names in shown[-2:])
    orders = [[face.original.name for face in shifted(schema, 0).values()] for schema in SCHEMAS_TRIED]
    assert len(set(map(tuple, orders))) == len(orders)


def test_descriptions_keep_all_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(load_scenario("loans")), "wordings", {})
    for schema in ("1/3", "heldout/0"):
        tools = shift_tools(WHOLE_POOL, schema, load_scenario("loans"))
        names = {*WHOLE_POOL, *(p.name for tool in WHOLE_POOL.values() for p in tool.parameters)}
        names |= {name for tool in WHOLE_POOL.values() for name in result_names(tool, {})}
        for entry in tools.mapping().items():
            face, original = tools[entry[0]], WHOLE_POOL[entry[1]["tool"]]
            assert words(original.description) - names <= words(face.description), face
            for parameter in original.parameters:
                if parameter.name in entry[1]["fixed"]:
                    assert str(entry[1]["fixed"][parameter.name]) in face.description
                    continue
                new = entry[1]["parameters"][parameter.name]
                for part in [new] if isinstance(new, str) else new:
                    (shown,) = [p for p in face.parameters if p.name == part]
                    content = words(str(parameter.schema["description"])) - names
                    assert content <= words(str(shown.schema["description"])), (face, part)
                    if isinstance(new, str):
                        assert without_text(shown.schema) == without_text(parameter.schema)
                        assert shown.required == parameter.required


def words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z0-9_'%-]+\b", text))


def without_text(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "description"}


def test_a_text_names_the_tools_and_fields_as_they_are_shown() -> None:
    tools = shifted("heldout/0")
    text = "Call verify_identity, then use (application_id); verify_identity_twice and xverify_identity are none."
    found = tools.reword(text)
    assert found == text.replace("verify_identity,", f"{tools.names['verify_identity'][0]},").replace(
        "(application_id)", f"({tools.shown_field('get_application_data', 'application_id')})"
    )


@settings(max_examples=50)
@given(st.text('ab_- "c.', max_size=60), st.dictionaries(st.text("ab_", min_size=1, max_size=4), st.text(max_size=5)))
def test_replacing_names_leaves_the_rest(text: str, names: dict[str, str]) -> None:
    found = replace_names(text, {}, names)
    assert replace_names(text) == text
    if not set(re.findall(r"[A-Za-z][\w-]*", text)) & set(names):
        assert found == text
    assert replace_names(text, names, dict.fromkeys(names, "never")) == found


def test_names_that_cannot_be_told_apart_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teller_gym.variation.schema.naming.Naming.of_tool", lambda self, name: "the_tool")
    with pytest.raises(ScenarioError, match="tell all names apart"):
        shift_tools(tools_in_play("loans", 0, ""), "x", load_scenario("loans"))


# -- results ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("schema", SCHEMAS_TRIED)
def test_results_of_every_tool_read_as_before_perturbed_or_not(schema: str) -> None:
    tools = shifted(schema)
    rows = {"applicants": ("customer_id", "full_name", "date_of_birth")}
    renamed = 0
    for number, (name, tool) in enumerate(WHOLE_POOL.items()):
        record = {field: place for place, field in enumerate(result_names(tool, rows))}
        result = {**record, "its rows": [record, {**record, "not a name": 1}], "its codes": {"application_id": 1.5}}
        text = msgspec.json.encode(result).decode()
        seen = tools.shown_result(name, text)
        assert json.loads(tools.read(seen, name)) == result
        renamed += sum(field not in json.loads(seen) for field in record)
        mixed = perturb(text, f"k{number}", name, frozenset(), lambda field, own=name: tools.shown_field(own, field))  # type: ignore[misc]
        back = plain(json.loads(tools.read(mixed, name)))
        assert {field: back[field] for field in record} == record
        assert back["its_codes"] == result["its codes"]
    assert renamed > 100


def test_what_is_no_result_is_left_alone() -> None:
    assert shifted("1/3").read("") == ""
    plain_tools = tools_in_play("loans", 0, "")
    assert plain_tools.read("x", "y") == plain_tools.shown_result("y", "x") == "x"
    assert plain_tools.shown_field("y", "application_id") == "application_id"


# -- schema and decoder ----------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SCHEMAS_TRIED), NUMBER, NUMBER)
def test_what_a_shown_schema_allows_is_decoded(schema: str, which: int, seed: int) -> None:
    tools = shifted(schema)
    name = list(tools)[which % len(tools)]
    arguments = sample(tools[name], seed)
    assume(all(fits(arguments[p.name], p.schema) for p in tools[name].parameters if p.name in arguments))
    try:
        call = parse_action(action_text(Call(name, arguments)), tools)
    except ToolError as error:
        # JSON Schema cannot express the decimals of a unit, or that 31 June does not exist.
        assert "decimals" in error.message or "a day of the calendar" in error.message
    else:
        assert isinstance(call, ToolCall) and call.tool is WHOLE_POOL[call.tool.name]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SCHEMAS_TRIED), NUMBER, NUMBER, st.integers(0, 2), NUMBER)
def test_other_shapes_are_refused(schema: str, which: int, seed: int, how: int, place: int) -> None:
    tools = shifted(schema)
    face = tools[list(tools)[which % len(tools)]]
    required = [parameter.name for parameter in face.parameters if parameter.required]
    assume(required)
    name = required[place % len(required)]
    arguments: Any = copy.deepcopy(sample(face, seed))
    if how == 0:
        del arguments[name]
    elif how == 1:
        arguments["colour_of_the_moon"] = 1
    else:
        arguments[name] = {"an": "object"}
    with pytest.raises(ToolError) as caught:
        parse_action(action_text(Call(face.name, arguments)), tools)
    assert caught.value.kind in (ErrorKind.VALIDATION, ErrorKind.TYPE)
