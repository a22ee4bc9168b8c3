"""The documents of Loans: how long the SOP is, and its tables beside policy and frozen cases."""

import dataclasses
import re

import msgspec
import pytest

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.sop import fill
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tasks.store import frozen_tasks

LOANS = load_scenario("loans")
SOP = LOANS.sop_document
TASKS = list(frozen_tasks("loans").values())
POLICY: LoanPolicy = LOANS.policy


@pytest.mark.parametrize(("rendering", "limit"), [("abstract", 1_750), ("explicit", 2_200)])
def test_the_sop_is_short(rendering: str, limit: int) -> None:
    words = [line.split() for line in LOANS.sop(rendering).splitlines() if not line.startswith("|")]
    assert sum(map(len, words)) <= limit


def test_the_application_tool_shows_the_existing_fields() -> None:
    shown = set(LOANS.tools["get_application_data"].outputs)
    own = {field.name for field in LOANS.template.existing if field.group is None}
    # The preference is read back from the recorded decision, so that letters depend on it.
    assert own - shown == {"delivery_preference"}
    assert shown - own == {"application_id", "business_date", "applicants"}


def test_every_clause_that_ends_a_case_has_its_rows_in_the_table_of_endings() -> None:
    table = next(table for table in SOP.tables if table.id == "T5")
    ending = re.compile(r"\bends? the case")
    ends = {clause.id.rpartition(".")[0] for clause in SOP.clauses().values() if ending.search(clause.explicit)}
    assert ends == {row[0] for row in table.rows}


def test_every_ending_of_the_table_is_met_by_a_frozen_case() -> None:
    table = next(table for table in SOP.tables if table.id == "T5")
    outputs = [task.standard.outputs for task in TASKS]
    for _, finding, decision, reason in table.rows:
        named = [word for word in re.findall(r"[a-z_]+", reason) if "_" in word or word == "none"]
        reasons = {name for name in named if name != "main_factor"}
        met = {o["principal_reason"] for o in outputs if o["decision"] == decision}
        assert reasons <= met, finding


def test_the_rate_table_has_a_row_for_every_rate() -> None:
    table = next(table for table in SOP.tables if table.id == "T4")
    rates = {
        (f"{name}, {months} months", f"{rate / 1000:.3f}")
        for name, product in POLICY.products.items()
        for months, rate in product.rates.items()
    }
    rows = {(fill(row[0], POLICY), fill(row[1], POLICY)) for row in table.rows}
    assert rates <= rows


def test_policies_are_frozen() -> None:
    assert not dataclasses.is_dataclass(POLICY)
    with pytest.raises(AttributeError):
        POLICY.min_credit_score = 1  # type: ignore[misc]


@pytest.mark.parametrize("name", ["mortgage_insurance", "grades"])
def test_bands_in_another_order_are_refused(name: str) -> None:
    bands = getattr(POLICY, name)
    for wrong in (bands[::-1], (*bands, bands[-1])):
        with pytest.raises(ScenarioError, match=rf"policy\.{name}: expected the highest limit first"):
            msgspec.structs.replace(POLICY, **{name: wrong})
