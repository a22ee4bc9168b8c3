"""Renders the measured part of a card as Markdown and inserts it into a page with hand-written text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from teller_gym.cards.tokens import Budget, Spread
from teller_gym.procedure.graph import EdgeKind, Graph
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import VARIANT_SPLITS, Split
from teller_gym.tables.markdown import markdown_text
from teller_gym.tasks.store import split_tasks
from teller_gym.tools.tool import Category

BEGIN = "<!-- measured: begin; written by teller_gym.cards -->"
END = "<!-- measured: end -->"


ARROWS = {EdgeKind.DATA: "-->", EdgeKind.STATE: "-.->", EdgeKind.TEMPORAL: "==>"}
LEGEND = "Solid arrows are data dependencies, dotted ones state, thick ones temporal."


def diagram(graph: Graph) -> list[str]:
    """Return the lines of a Mermaid diagram: nodes in topological order, then edges in the graph's order."""
    number = {name: f"n{place}" for place, name in enumerate(graph.order())}
    nodes = [f"    {key}[{name}]" for name, key in number.items()]
    edges = [f"    {number[edge.upstream]} {ARROWS[edge.kind]} {number[edge.downstream]}" for edge in graph.edges]
    return ["```mermaid", "flowchart TD", *nodes, *edges, "```"]


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return the lines of a Markdown table; cells are escaped."""
    lines = [head, *rows]
    cells = ["| " + " | ".join(markdown_text(str(cell)) for cell in row) + " |" for row in lines]
    return [cells[0], "|---" * len(head) + "|", *cells[1:]]


def measured(facts: Facts, budgets: Sequence[Budget], agents: Mapping[str, tuple[float, float]], counted: str) -> str:
    """Return the measured part of a scenario's card; ``counted`` says how tokens were counted."""
    sections = {
        "Graph": [*diagram(facts.graph), "", LEGEND],
        "Sizes": _sizes(facts),
        "Outcomes": [f"How often each `{facts.outcome}` occurs in each frozen split:", "", *_outcomes(facts)],
        "Tokens": [
            f"Median / 95th percentile / maximum over the held-out instances, {counted}. The prompt is the opening",
            "with the abstract SOP; the episode is what the expert's calls and their results add.",
            "",
            *table(["distractors", "prompt, full schemas", "prompt, compact", "episode"], [_row(b) for b in budgets]),
        ],
        "Reference agents": [
            "On the held-out instances:",
            "",
            *table(["agent", "mean score", "success"], [(a, f"{s:.3f}", f"{w:.0%}") for a, (s, w) in agents.items()]),
        ],
    }
    lines = [line for title, body in sections.items() for line in (f"## {title}", "", *body, "")]
    return "\n".join([BEGIN, "", *lines, END])


def _sizes(facts: Facts) -> list[str]:
    edges = ", ".join(f"{count} {kind.value}" for kind, count in facts.edges.items())
    few, middle, many = facts.calls
    rows = [
        ("graph", f"{len(facts.graph.nodes)} nodes, {len(facts.graph.edges)} edges ({edges})"),
        ("tools of the scenario", f"{facts.core} core, {facts.auxiliary} auxiliary"),
        ("frozen instances", ", ".join(f"{count} {split.value}" for split, count in facts.tasks.items())),
        ("final review", ", ".join(facts.outputs)),
        ("calls of the standard result", f"{few} to {many}, median {middle}"),
    ]
    return table(["", ""], rows)


def _outcomes(facts: Facts) -> list[str]:
    total = {split: max(1, facts.tasks[split]) for split in FROZEN}
    rows = [
        [value, *(f"{counts[split]} ({counts[split] / total[split]:.0%})" for split in FROZEN)]
        for value, counts in facts.outcomes.items()
    ]
    return table([facts.outcome, *(split.value for split in FROZEN)], rows)


def _row(budget: Budget) -> list[str]:
    return [str(budget.distractors), *map(_spread, (budget.full, budget.compact, budget.episode))]


def _spread(spread: Spread) -> str:
    return f"{spread.p50:,} / {spread.p95:,} / {spread.most:,}"


def put_into(page: str, part: str, title: str, opening: str) -> str:
    """Return a page with its measured part replaced; an empty page first gets a title and an opening."""
    if BEGIN in page and END in page:
        before, _, rest = page.partition(BEGIN)
        return before + part + rest.partition(END)[2]
    if not page.strip():
        page = f"# {title}\n\n{opening}\n"
    return f"{page.rstrip()}\n\n{part}\n"


FROZEN = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT, *VARIANT_SPLITS)


@dataclass(frozen=True)
class Facts:
    """Sizes and outcomes of a scenario."""

    purpose: str
    scope: str
    graph: Graph
    edges: dict[EdgeKind, int]
    core: int
    auxiliary: int
    outputs: tuple[str, ...]
    tasks: dict[Split, int]
    calls: tuple[int, int, int]
    """Fewest, median and most calls of the standard results of all frozen tasks."""
    outcome: str
    """The output field that ``outcomes`` counts: the first of the final review."""
    outcomes: dict[str, dict[Split, int]]
    """Frequency of each value of that field in each split, the most frequent first."""


def facts_of(name: str) -> Facts:
    """Collect the facts of a scenario; raises OptionError for an unknown name."""
    scenario = load_scenario(name)
    tasks = {split: split_tasks(name, split) for split in FROZEN}
    calls = sorted(len(task.standard.calls) for found in tasks.values() for task in found)
    outcome = scenario.output_fields[0]
    seen = {split: Counter(str(task.standard.outputs[outcome]) for task in found) for split, found in tasks.items()}
    total: Counter[str] = sum(seen.values(), Counter())
    values = sorted(total, key=lambda value: (-total[value], value))
    kinds = Counter(edge.kind for edge in scenario.graph.edges)
    categories = Counter(tool.category for tool in scenario.tools.values())
    return Facts(
        purpose=scenario.sop_document.purpose,
        scope=scenario.sop_document.scope,
        graph=scenario.graph,
        edges={kind: kinds[kind] for kind in EdgeKind},
        core=categories[Category.CORE],
        auxiliary=categories[Category.AUXILIARY],
        outputs=scenario.output_fields,
        tasks={split: len(found) for split, found in tasks.items()},
        calls=(calls[0], calls[(len(calls) - 1) // 2], calls[-1]),
        outcome=outcome,
        outcomes={value: {split: seen[split][value] for split in FROZEN} for value in values},
    )
