"""Computes the metrics by brute force from their definitions: paths are listed, reachable nodes are searched."""

from teller_gym.stage1.digraph import Digraph


def ratio(part: int, whole: int, otherwise: bool) -> float:
    return part / whole if whole else float(otherwise)


def jaccard(wanted: set[object], given: set[object]) -> float:
    return ratio(len(wanted & given), len(wanted | given), True)


def walks(graph: Digraph, path: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return all simple paths that continue a path to a sink."""
    steps = [down for up, down in graph.edges if up == path[-1]]
    if not steps:
        return [path]
    return [whole for down in steps if down not in path for whole in walks(graph, (*path, down))]


def paths(graph: Digraph) -> set[object]:
    """Return the simple paths from a source to a sink; an isolated node is not a path."""
    entered = {down for _, down in graph.edges}
    starts = {up for up, _ in graph.edges} - entered
    return {path for start in starts for path in walks(graph, (start,))}


def pairs(graph: Digraph) -> set[object]:
    """Return the (u, v) with a walk of one or more edges from u to v."""
    found: set[object] = set()
    for start in graph.nodes:
        ahead = [down for up, down in graph.edges if up == start]
        seen: set[str] = set()
        while ahead:
            name = ahead.pop()
            if name not in seen:
                seen.add(name)
                ahead += [down for up, down in graph.edges if up == name]
        found |= {(start, name) for name in seen}
    return found


def is_cyclic(graph: Digraph) -> bool:
    return any((name, name) in pairs(graph) for name in graph.nodes)


def plain_terms(gold: Digraph, answer: Digraph) -> dict[str, float]:
    terms = {}
    sets: dict[str, tuple[set[object], set[object]]] = {
        "node": (set(gold.nodes), set(answer.nodes)),
        "edge": (set(gold.edges), set(answer.edges)),
    }
    for what, (wanted, given) in sets.items():
        hits, missed, extra = len(wanted & given), len(wanted - given), len(given - wanted)
        terms[f"{what}_precision"] = ratio(hits, hits + extra, not missed)
        terms[f"{what}_recall"] = ratio(hits, hits + missed, not extra)
        terms[f"{what}_f1"] = ratio(2 * hits, 2 * hits + missed + extra, True)
        terms[f"{what}_overlap"] = ratio(hits, hits + missed + extra, True)
    terms["path_overlap"] = 0.0 if is_cyclic(answer) else jaccard(paths(gold), paths(answer))
    terms["reachability_overlap"] = jaccard(pairs(gold), pairs(answer))
    size = sum(len(one) for both in sets.values() for one in both)
    distance = sum(len(wanted ^ given) for wanted, given in sets.values())
    terms["edit_similarity"] = 1 - distance / size if size else 1.0
    return terms
