"""Writes scenario cards: ``python -m teller_gym.cards loans --out docs/environments/cards``.

Hand-written text outside the markers of a card's measured part is kept.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import teller_gym
from teller_gym.agents.reference import REFERENCE_AGENTS
from teller_gym.base.files import write_whole
from teller_gym.base.output import take_any_text
from teller_gym.cards.page import facts_of, measured, put_into
from teller_gym.cards.tokens import Budget, budgets, counter
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from teller_gym.registration import SCENARIOS, execution_card
from teller_gym.tasks.store import split_tasks

DISTRACTORS: tuple[int | str, ...] = (0, 40, "all")


def write(name: str, out: Path, vocabulary: Path | None, counted: str) -> Path:
    """Measure a scenario, write its card, and return the card's path."""
    env_id = execution_card(SCENARIOS[name]).id
    facts = facts_of(name)
    ids = [task.id for task in split_tasks(name, Split.HELDOUT)]
    tokens: list[Budget] = budgets(env_id, ids, counter(vocabulary), DISTRACTORS)
    agents = {}
    for agent in REFERENCE_AGENTS:
        found = teller_gym.evaluate(agent, env_id, split=Split.HELDOUT.value).metrics
        agents[agent] = (found["score"].value or 0.0, found["success"].value or 0.0)
    out.mkdir(parents=True, exist_ok=True)
    page = out / f"{name}.md"
    before = page.read_text("utf-8") if page.exists() else ""
    title = load_scenario(name).title.removeprefix("SOP: ")
    opening = f"{facts.purpose}\n\n{facts.scope}"
    text = put_into(before, measured(facts, tokens, agents, counted), title, opening)
    write_whole(page, text.encode(), synced=False)
    return page


def main(argv: list[str] | None = None) -> None:
    """Write the cards of the named scenarios, or of all."""
    parser = argparse.ArgumentParser(prog="python -m teller_gym.cards", description="Write the cards of scenarios.")
    parser.add_argument("scenarios", nargs="*", metavar="NAME", help=f"of {', '.join(SCENARIOS)} (default: all)")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("docs/environments/cards"),
        help="folder of the cards (docs/environments/cards)",
    )
    parser.add_argument("--vocabulary", type=Path, help="qwen.tiktoken, a tokenizer.json, or a folder with one")
    parser.add_argument("--counted", help="how tokens are counted, in words of the page")
    chosen = parser.parse_args(argv)
    unknown = [name for name in chosen.scenarios if name not in SCENARIOS]
    if unknown:
        parser.error(f"expected scenarios of {', '.join(SCENARIOS)}, got {', '.join(unknown)}")
    counted = chosen.counted or (
        "four characters counted as one token"
        if chosen.vocabulary is None
        else f"counted with {chosen.vocabulary.name}"
    )
    for name in chosen.scenarios or SCENARIOS:
        print(write(name, chosen.out, chosen.vocabulary, counted), flush=True)


if __name__ == "__main__":
    take_any_text()
    main()
