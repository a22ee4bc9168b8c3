"""Tests that docs/extend/scenario_files.md lists exactly the keys that a scenario's files may contain."""

import re
from pathlib import Path

import msgspec
import pytest

from teller_gym.procedure.graph import Edge, Graph, Node, NodeInput
from teller_gym.procedure.injections import AskedCall, Asks, Injection
from teller_gym.procedure.policy_rules import Rule
from teller_gym.procedure.sop import Clause, Definition, Sop, SopTable, Step
from teller_gym.procedure.template import Field, Template
from teller_gym.procedure.wordings import Alternatives
from teller_gym.proof.choosing.quotas import Choice, Quotas
from teller_gym.tasks.freezing.chosen import ChosenSeed
from teller_gym.tasks.freezing.instances import Sizes

REPO = Path(__file__).parents[2]
PAGE = (REPO / "docs" / "extend" / "scenario_files.md").read_text(encoding="utf-8")

STRUCTS: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "template.yaml": (Template, Field),
    "graph.yaml": (Graph, Node, NodeInput, Edge),
    "sop.yaml": (Sop, Definition, SopTable, Step, Clause),
    "policy_shift.yaml": (Rule,),
    "wordings.yaml": (Alternatives,),
    "schema_words.yaml": (Alternatives,),
    "injections.yaml": (Injection, Asks, AskedCall),
    "frozen.yaml": (Sizes,),
    "endings.yaml": (Quotas, Choice),
    "chosen_seeds.yaml": (ChosenSeed,),
}
"""Struct types of each file, in the order of the tables on the page."""


def section(file: str) -> str:
    found = re.search(rf"^## {re.escape(file)}$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/extend/scenario_files.md has no section {file}"
    return found[1]


def tables(text: str) -> list[dict[str, str]]:
    """Return each table's keys with the value in the next column."""
    found = []
    for block in re.split(r"^\|---.*$", text, flags=re.MULTILINE)[1:]:
        rows = re.findall(r"^\| `([^`]+)` \| (.*?) \|", block.partition("\n\n")[0], re.MULTILINE)
        found.append(dict(rows))
    return found


@pytest.mark.parametrize("file", STRUCTS)
def test_every_key_is_explained_and_no_other(file: str) -> None:
    found = tables(section(file))
    expected = [{field.encode_name for field in msgspec.structs.fields(struct)} for struct in STRUCTS[file]]
    assert [set(table) for table in found] == expected


@pytest.mark.parametrize("file", STRUCTS)
def test_what_may_be_left_out_is_marked(file: str) -> None:
    for struct, table in zip(STRUCTS[file], tables(section(file)), strict=True):
        for field in msgspec.structs.fields(struct):
            marked = table[field.encode_name].endswith(")")
            # The prefix, the request and a node's outputs are optional only under conditions.
            if field.encode_name not in ("prefix", "request", "outputs"):
                assert field.required != marked, f"{file}: {field.encode_name}"


def test_every_file_that_is_read_has_a_section() -> None:
    read = set()
    for path in (REPO / "teller_gym").rglob("*.py"):
        read |= set(re.findall(r'document\("(?:\w+/)?(\w+\.yaml)"\)', path.read_text(encoding="utf-8")))
    assert {"sop.yaml", "policy.yaml", "frozen.yaml", "withheld_branches.yaml"} <= read
    for file in read | set(STRUCTS):
        assert section(file).strip()
        assert f"| [{file}](#{file.replace('.', '')}) |" in PAGE
