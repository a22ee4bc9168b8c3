"""The measured part of a card as Markdown, and its place in a page that has hand-written text besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from teller_gym.cards.facts import FROZEN, Facts
from teller_gym.cards.tokens import Budget, Spread
from teller_gym.evaluation.measures.tables import markdown_text
from teller_gym.procedure.graph import EdgeKind, Graph

BEGIN = "<!-- measured: begin; written by teller_gym.cards -->"
END = "<!-- measured: end -->"


ARROWS = {EdgeKind.DATA: "-->", EdgeKind.STATE: "-.->", EdgeKind.TEMPORAL: "==>"}
LEGEND = "Solid arrows are data dependencies, dotted ones state, thick ones temporal."


def diagram(graph: Graph) -> list[str]:
    """Return the lines of the diagram: nodes in topological order, then the edges as the graph has them."""
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
    """Return the measured part of a scenario's card."""
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
    """Return a page with its measured part replaced; a new page begins with a title and an opening."""
    if BEGIN in page and END in page:
        before, _, rest = page.partition(BEGIN)
        return before + part + rest.partition(END)[2]
    if not page.strip():
        page = f"# {title}\n\n{opening}\n"
    return f"{page.rstrip()}\n\n{part}\n"
