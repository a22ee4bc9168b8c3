"""Claims about stage 1: the gold graph scores 1, and answers without reading score close to 0."""

from __future__ import annotations

from collections.abc import Callable

from teller_gym.agents.graph_answers import GRAPH_ANSWERS, empty, gold
from teller_gym.agents.lexical import SETTINGS
from teller_gym.procedure.task import Split
from teller_gym.proof.cheap import MOST_SCORE
from teller_gym.proof.play import Played, play_actions, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.stage1.context import context
from teller_gym.stage1.metrics import score_graph
from teller_gym.stage1.task import SIZES, GraphTask, gold_of, graph_task, pool_of
from teller_gym.variation.pool import ALL

_MEASURED = (Split.VALIDATION, Split.HELDOUT)
_COUNTS = (0, 20, 40, ALL)
"""Numbers of distractors for measuring the lexical baseline."""

MOST_EDGE_F1 = 0.35
MOST_NODE_F1 = 0.70
"""Maximum node F1 for the lexical baseline; naming all of the scenario's own tools reaches 0.66 in Loans."""


def gold_answer(env_id: str, instances: int) -> ProofItem:
    """Check that the gold graph scores 1 on tasks of every split, with the tools renamed in each task."""
    tasks = _tasks(env_id, instances)
    played = zip(tasks, _played(env_id, tasks, gold), strict=True)
    problems = [f"{task.id}: {flaw}" for task, one in played if (flaw := one.flaw(errors_allowed=False))]
    figure = f"{len(tasks) - len(problems)} of {len(tasks)} tasks"
    return item("graph.gold", "the gold graph scores 1.0 and is the reward", figure, problems, {"tasks": len(tasks)})


def empty_answer(env_id: str, instances: int) -> ProofItem:
    """Check that an empty graph scores 0."""
    tasks = _tasks(env_id, instances)
    problems = [
        f"{task.id}: score {played.score:.3f}"
        for task, played in zip(tasks, _played(env_id, tasks, empty), strict=True)
        if played.success or played.score != 0.0
    ]
    return item("graph.empty", "an empty graph scores 0.0", f"{len(tasks)} tasks", problems, {"tasks": len(tasks)})


def complete_answer(env_id: str, instances: int) -> ProofItem:
    """Check that a graph with all tools in the pool connected, which needs no reading, scores low."""
    tasks = _tasks(env_id, instances)
    scores = [played.score for played in _played(env_id, tasks, GRAPH_ANSWERS["complete"])]
    mean = sum(scores) / len(scores)
    problems = [] if mean < MOST_SCORE else [f"mean score {mean:.3f}, expected under {MOST_SCORE}"]
    figure = f"mean score {mean:.3f}, best {max(scores):.3f}, {len(tasks)} tasks"
    claim = f"connecting everything scores under {MOST_SCORE}"
    return item("graph.complete", claim, figure, problems, {"mean_score": mean, "tasks": len(tasks)})


def spoilt_answers(env_id: str, instances: int) -> ProofItem:
    """Check that a graph with one type of error (order, distractors, direction) scores lower than the gold graph."""
    tasks = _tasks(env_id, instances)
    names = ("chain", "gold_with_distractors", "gold_reversed")
    problems, means = [], {}
    for name in names:
        played = _played(env_id, tasks, GRAPH_ANSWERS[name])
        means[name] = sum(one.score for one in played) / len(played)
        problems += [
            f"{task.id}: {name} scores {one.score:.3f}"
            for task, one in zip(tasks, played, strict=True)
            if one.success or not one.score < 1.0
        ]
    figure = ", ".join(f"{name} {mean:.3f}" for name, mean in means.items()) + f", {len(tasks)} tasks"
    measured = {"mean_scores": means, "tasks": len(tasks)}
    return item("graph.spoilt", "a spoilt graph scores less than the gold one", figure, problems, measured)


def lexical_answer(env_id: str, instances: int) -> ProofItem:
    """Check that a lexical baseline, which only compares words, scores low with any number of distractors."""
    scenario, instances = subject(env_id).scenario.name, min(instances, SIZES[Split.HELDOUT])
    problems, figures, measured = [], [], {}
    for count in _COUNTS:
        edge_f1, node_f1 = _best_lexical(scenario, count, instances)
        measured[str(count)] = {"edge_f1": edge_f1, "node_f1": node_f1}
        figures.append(f"{count}: {edge_f1:.3f} and {node_f1:.3f}")
        for what, value, most in (("edge", edge_f1, MOST_EDGE_F1), ("node", node_f1, MOST_NODE_F1)):
            if not value < most:
                problems.append(f"{count} distractors: {what} F1 {value:.3f}, expected under {most}")
    figure = f"edge and node F1 by distractors: {'; '.join(figures)}; {instances} tasks"
    claim = f"comparing words reaches edge F1 under {MOST_EDGE_F1}, node F1 under {MOST_NODE_F1}"
    return item("graph.lexical", claim, figure, problems, {"tasks": instances, "by_distractors": measured})


def _best_lexical(scenario: str, count: int | str, instances: int) -> tuple[float, float]:
    """Return the highest mean edge F1 and node F1 over the lexical baseline's settings on held-out tasks."""
    edges, nodes = ([0.0] * len(SETTINGS) for _ in range(2))
    for number in range(instances):
        task = graph_task(scenario, Split.HELDOUT, number, distractors=count)
        wanted, shown = gold_of(task), context(task)
        for place, setting in enumerate(SETTINGS):
            scores = score_graph(wanted, setting.answer(scenario, shown))
            edges[place] += scores.edge_f1 / instances
            nodes[place] += scores.node_f1 / instances
    return max(edges), max(nodes)


def pools_apart(env_id: str, instances: int) -> ProofItem:
    """Check that no pool in an evaluation split occurs in training."""
    scenario = subject(env_id).scenario.name
    trained = {tuple(pool_of(graph_task(scenario, Split.TRAIN, number)).tools): number for number in range(instances)}
    problems = [
        f"{task.id} shows the pool of train task {trained[shown]}"
        for task in _tasks(env_id, instances)
        if task.split in _MEASURED and (shown := tuple(pool_of(task).tools)) in trained
    ]
    figure = f"{instances} train tasks, {len(set(trained))} different pools"
    if len(trained) < instances:
        problems.append(f"{instances - len(trained)} train tasks show the pool of another")
    return item("graph.pools", "no pool of an evaluation split is shown in training", figure, problems)


def _tasks(env_id: str, instances: int) -> list[GraphTask]:
    """Return at most ``instances`` tasks of each split."""
    scenario = subject(env_id).scenario.name
    return [
        graph_task(scenario, split, number) for split, size in SIZES.items() for number in range(min(size, instances))
    ]


def _played(env_id: str, tasks: list[GraphTask], answer: Callable[[GraphTask], str]) -> list[Played]:
    under = subject(env_id)
    return [play_actions(under, task, [answer(task)]) for task in tasks]
