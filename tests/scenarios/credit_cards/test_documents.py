"""The credit card scenario's documents: sizes, the SOP's two renderings, and where its numbers come from."""

import re
from collections import Counter

import pytest

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.sop import Abstraction, fill
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.tool import Category

CARDS = load_scenario("credit_cards")
SOP = CARDS.sop_document
POLICY: CardPolicy = CARDS.policy


def test_the_graph_has_11_nodes_and_17_edges() -> None:
    assert (len(CARDS.graph.nodes), len(CARDS.graph.edges)) == (11, 17)


def test_32_tools_and_over_half_of_them_take_more_than_six_parameters() -> None:
    assert Counter(tool.category for tool in CARDS.tools.values()) == {Category.CORE: 11, Category.AUXILIARY: 21}
    assert sum(len(tool.parameters) > 6 for tool in CARDS.tools.values()) > 32 / 2


def test_three_output_fields_that_the_final_review_takes() -> None:
    assert CARDS.output_fields == ("decision", "amount", "due_date")
    assert [p.name for p in CARDS.tools[CARDS.submit].parameters] == ["request_id", *CARDS.output_fields]


def test_the_record_has_at_most_50_fields() -> None:
    assert len((*CARDS.template.existing, *CARDS.template.obtained)) <= 50


def test_abstractions_are_of_all_kinds() -> None:
    kinds = Counter(clause.abstraction for clause in SOP.clauses().values())
    assert kinds[Abstraction.IMPLICIT_DECISION] >= 4
    assert all(kinds[kind] > 0 for kind in Abstraction)


@pytest.mark.parametrize("rendering", ["explicit", "abstract"])
def test_both_renderings_name_every_gate_and_leave_no_placeholder(rendering: str) -> None:
    text = CARDS.sop(rendering)
    gates = [clause for clause in SOP.clauses().values() if clause.gate]
    # Once for each gate, and once where the words are defined.
    assert len(re.findall(r"only\s+then\s+go\s+on", text, re.IGNORECASE)) == len(gates) + 1
    assert not re.search(r"\{\w", text)


def test_what_the_abstract_rendering_leaves_out_stands_where_it_says() -> None:
    """Numbers of an explicit clause stand in its abstract wording, or in a place that found_in names."""
    texts = {f"definition:{d.id}": d.text for d in SOP.definitions}
    texts |= {f"table:{t.id}": " ".join(cell for row in t.rows for cell in row) for t in SOP.tables}
    texts |= {f"clause:{c.id}": c.abstract or c.explicit for c in SOP.clauses().values()}
    texts |= {f"tool:{name}": tool.description for name, tool in CARDS.tools.items()}
    for clause in SOP.clauses().values():
        if clause.abstract is None:
            continue
        held = fill(" ".join([clause.abstract, *(texts[place] for place in clause.found_in)]), POLICY)
        for number in re.findall(r"\{[\w.]+(?::\w+)?\}", clause.explicit):
            assert fill(number, POLICY) in held, (clause.id, number)


def test_bands_out_of_order_are_refused() -> None:
    import msgspec

    with pytest.raises(ScenarioError, match="highest score first"):
        msgspec.structs.replace(POLICY, bands=POLICY.bands[::-1])
    with pytest.raises(ScenarioError, match="lowest minimum"):
        msgspec.structs.replace(POLICY, min_credit_score=600)
