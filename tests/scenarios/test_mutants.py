"""The mutation helpers: changed comparisons, fresh copies of dependent modules, and reports of undetected mutants."""

import sys

import pytest

from teller_gym.procedure.scenario import load_scenario
from tests.scenarios.mutants import FLIPS, NEGATIONS, copies, mutants, unchanged
from tests.scenarios.mutation import Mutation

PACKAGE = "teller_gym.scenarios.loans"
FACTS, SOLVER, CREDIT = f"{PACKAGE}.solver_facts", f"{PACKAGE}.solver", f"{PACKAGE}.tools.credit"
ROOTS = (SOLVER, f"{PACKAGE}.expert", CREDIT)


def test_each_comparison_is_turned_once() -> None:
    places = [mutant.place for mutant in mutants(FACTS, FLIPS)]
    assert "solver_facts.qualifying_income: latest < before  ->  latest <= before" in places
    assert len(places) > len(list(mutants(FACTS, NEGATIONS))) > 3


def test_what_builds_on_a_module_is_built_anew() -> None:
    load_scenario("loans")
    before = {name: sys.modules[name] for name in (FACTS, SOLVER, CREDIT, f"{PACKAGE}.tools")}
    made = copies(FACTS, unchanged(FACTS), ROOTS)
    assert list(made) == [FACTS, SOLVER]
    assert made[SOLVER].Case is made[FACTS].Case is not before[SOLVER].Case
    assert {name: sys.modules[name] for name in before} == before
    assert before[f"{PACKAGE}.tools"].credit is before[CREDIT]
    lookup = "teller_gym.scenarios.banking.lookup"
    assert CREDIT in copies(lookup, unchanged(lookup), ROOTS)
    assert list(copies(f"{PACKAGE}.judgement", unchanged(f"{PACKAGE}.judgement"), ROOTS))[-1] == f"{PACKAGE}.expert"


def test_a_module_that_breaks_leaves_all_as_it_was() -> None:
    load_scenario("loans")
    before = sys.modules[FACTS]
    with pytest.raises(ZeroDivisionError):
        copies(FACTS, compile("1 / 0", "broken", "exec"), ROOTS)
    assert sys.modules[FACTS] is before


def test_what_nobody_notices_is_told() -> None:
    blind = Mutation("loans", solver=("solver", "solver_facts"), tools=("collateral",), equivalent={})
    blind.__dict__["cases"] = []
    assert blind.survivors(FACTS, FLIPS) == {mutant.place for mutant in mutants(FACTS, FLIPS)}
    wrong = Mutation("loans", tools=("collateral",), equivalent={"nowhere: a < b  ->  a <= b": "?"})
    wrong.__dict__["cases"] = []
    with pytest.raises(AssertionError):
        wrong.check()


def test_a_turned_comparison_is_noticed_by_the_frozen_instances() -> None:
    mutation = Mutation("loans", tools=("collateral",))
    found = list(mutants(f"{PACKAGE}.tools.collateral", FLIPS))
    assert len(mutation.survivors(f"{PACKAGE}.tools.collateral", FLIPS)) < len(found) / 2
