"""Cards: their facts match the scenario, and hand-written text survives a new measurement."""

from pathlib import Path

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.cards.__main__ import main
from teller_gym.cards.page import BEGIN, END, FROZEN, diagram, facts_of, measured, put_into
from teller_gym.cards.tokens import Spread, budgets, counter
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from teller_gym.tasks.store import split_tasks

IDS = [task.id for task in split_tasks("loans", Split.HELDOUT)[:3]]


def test_sizes_and_outcomes_are_those_of_the_frozen_tasks() -> None:
    facts, scenario = facts_of("loans"), load_scenario("loans")
    assert facts.tasks == {split: len(split_tasks("loans", split)) for split in FROZEN}
    assert sum(facts.edges.values()) == len(scenario.graph.edges)
    assert (facts.core, facts.core + facts.auxiliary) == (len(scenario.graph.nodes), len(scenario.tools))
    heldout = [task.standard.outputs["decision"] for task in split_tasks("loans", Split.HELDOUT)]
    assert {value: counts[Split.HELDOUT] for value, counts in facts.outcomes.items()} == {
        value: heldout.count(value) for value in facts.outcomes
    }
    lengths = [len(task.standard.calls) for split in FROZEN for task in split_tasks("loans", split)]
    assert facts.calls[::2] == (min(lengths), max(lengths))


def test_the_diagram_has_every_node_and_edge() -> None:
    graph = load_scenario("loans").graph
    lines = [line.strip() for line in diagram(graph)]
    named = dict(line[:-1].split("[") for line in lines if line.endswith("]"))
    arrows = [line.split() for line in lines if len(line.split()) == 3]
    assert sorted(named.values()) == sorted(graph.nodes)
    assert [(named[a], named[b]) for a, _, b in arrows] == [(edge.upstream, edge.downstream) for edge in graph.edges]


def test_more_distractors_take_more_tokens_and_compact_takes_fewer() -> None:
    few, many = budgets("Teller-Loans-v0", IDS, counter(None), (0, 40))
    assert few.compact.p50 < few.full.p50 < many.full.p50
    assert few.episode == many.episode
    assert few.episode.p50 <= few.episode.p95 <= few.episode.most


def test_a_spread_over_one_to_a_hundred(monkeypatch: pytest.MonkeyPatch) -> None:
    from teller_gym.cards.tokens import _spread

    assert _spread(list(range(100, 0, -1))) == Spread(50, 95, 100)


def test_four_characters_are_a_token_without_a_vocabulary() -> None:
    assert [counter(None)(text) for text in ("", "a", "abcd", "abcde")] == [0, 1, 1, 2]


def test_what_is_no_vocabulary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"expected a \.tiktoken file, a tokenizer\.json or its folder"):
        counter(tmp_path)


def test_words_of_the_page_survive() -> None:
    facts = facts_of("loans")
    part = measured(facts, budgets("Teller-Loans-v0", IDS[:1], counter(None), (0,)), {"noop": (0.0, 0.0)}, "counted so")
    first = put_into("", part, "Loans", "What it is.")
    own = first.replace("What it is.", "My words.") + "\nMore of mine.\n"
    again = put_into(own, part.replace("counted so", "counted anew"), "Loans", "What it is.")
    assert again == own.replace("counted so", "counted anew")
    assert again.count(BEGIN) == again.count(END) == 1


def test_an_unknown_scenario_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["nope"])
    assert ended.value.code == 2
    assert "expected scenarios of loans" in capsys.readouterr().err
