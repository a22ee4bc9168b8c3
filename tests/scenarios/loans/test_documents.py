"""Checks of the loans documents: SOP tables agree with policy and template."""

import re

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.sop import fill
from teller_gym.scenarios.loans.policy import LoanPolicy

LOANS = load_scenario("loans")
SOP = LOANS.sop_document
POLICY: LoanPolicy = LOANS.policy


def test_the_application_tool_shows_the_existing_fields() -> None:
    shown = set(LOANS.tools["get_application_data"].outputs)
    own = {field.name for field in LOANS.template.existing if field.group is None}
    # The delivery preference is read from the recorded decision, so that letters depend on it.
    assert own - shown == {"delivery_preference"}
    assert shown - own == {"application_id", "business_date", "applicants"}


def test_every_clause_that_ends_a_case_has_its_rows_in_the_table_of_endings() -> None:
    table = next(table for table in SOP.tables if table.id == "T5")
    ending = re.compile(r"\bends? the case")
    ends = {clause.id.rpartition(".")[0] for clause in SOP.clauses().values() if ending.search(clause.explicit)}
    assert ends == {row[0] for row in table.rows}


def test_the_rate_table_has_a_row_for_every_rate() -> None:
    table = next(table for table in SOP.tables if table.id == "T4")
    rates = {
        (f"{name}, {months} months", f"{rate / 1000:.3f}")
        for name, product in POLICY.products.items()
        for months, rate in product.rates.items()
    }
    rows = {(fill(row[0], POLICY), fill(row[1], POLICY)) for row in table.rows}
    assert rates <= rows
