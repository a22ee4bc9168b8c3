"""Digest of the environments' behaviour, which shows that a change of code did not affect it.

    python -m benchmarks.digest                       # a digest for each part, then one of all, in two or three minutes
    python -m benchmarks.digest --json before.json    # the digests for a later comparison, too
    python -m benchmarks.digest --against before.json # names the parts that differ; exit status 1 if there is one
    python -m benchmarks.digest --only loans wealth   # the parts whose names contain one of the words

The digest covers all observations, rewards, ends and `info`, tool schemas and frozen files. The results of distractor
tools are left out, since no grader reads them.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import gymnasium as gym
import msgspec

import teller_gym
from teller_gym.agents.base import NamedAgent
from teller_gym.agents.graph_answers import GRAPH_ANSWERS, GraphAnswerer
from teller_gym.registration import EXECUTION
from teller_gym.tools.tool import Category

FROZEN_SPLITS = ("train", "validation", "heldout", "heldout_policy", "heldout_schema", "heldout_branch")
AGENTS = (
    *("expert", "noop", "call_everything", "majority", "always_deny", "always_escalate", "repeat", "skip_to_decision"),
    *("echo_example", "brute_force", "obey", "brute_force_codes", "clean_path", "clean_path_constant"),
)
DAY_AGENTS = ("expert", "noop", "open_all", "one_case", "first_come", "unhurried", "stale_reader")
OFFICE_AGENTS = (
    "noop",
    "obey",
    "copy_input",
    "list_every_value",
    "message_everybody",
    "close_everything",
    "claim_done",
)
OPTIONS: dict[str, dict[str, Any]] = {
    "explicit": {"sop": "explicit"},
    "distractors": {"distractors": 20},
    "all_distractors": {"distractors": "all"},
    "sparse": {"reward": "sparse", "state_view": "none", "diagnose": True},
    "policy_shift": {"policy_shift": True},
    "schema_shift": {"schema_shift": True, "distractors": 10},
    "perturb": {"perturb": True},
    "faults": {"faults": True},
}
"""Options of a stage 2 env, by the name of the part that uses them."""
OFFICE_OPTIONS: dict[str, dict[str, Any]] = {
    "low": {"autonomy": "low"},
    "must_login": {"auth": "must_login"},
    "perturb": {"perturb": "all", "faults": True},
}
DISTRACTORS = (Category.FINANCIAL_DISTRACTOR, Category.GENERAL_DISTRACTOR)
MANY_STEPS = 200
"""Maximum number of steps of an episode; longer ones repeat themselves."""

Part = Iterator[Any]
"""JSON values that go into a digest."""


def episode(env: gym.Env[Any, Any], agent: NamedAgent | GraphAnswerer, **reset: Any) -> Part:
    """Play an episode, and yield each observation, reward, end and info."""
    obs, info = env.reset(**reset)
    agent.reset()
    yield [obs, info, env.unwrapped.tool_schemas()]  # type: ignore[attr-defined]
    ended = False
    for _ in range(MANY_STEPS):
        action = agent.act(obs, info)
        obs, reward, terminated, truncated, info = env.step(action)
        ended = terminated or truncated
        seen = {"state": obs["state"]} if _to_distractor(env, action) else {**obs, "error": info["error"]}
        yield [action, seen, reward, terminated, truncated, {**info, "error": None}]
        if ended:
            break
    if ended:
        yield msgspec.to_builtins(env.unwrapped.diagnosis())  # type: ignore[attr-defined]


def _to_distractor(env: gym.Env[Any, Any], action: str) -> bool:
    """Return True for a call of a distractor tool."""
    try:
        name = json.loads(action)["name"]
    except (ValueError, TypeError, KeyError):
        return False
    tools = env.unwrapped.tools  # type: ignore[attr-defined]
    return isinstance(name, str) and name in tools and tools[name].category in DISTRACTORS


def frozen(scenario: str, env_id: str) -> Part:
    """Play all frozen tasks with the expert, and yield its calls and standard results, too."""
    env = gym.make(env_id)
    expert = teller_gym.make_agent("expert", env)
    for split in FROZEN_SPLITS:
        for task in teller_gym.load_tasks(scenario, split):
            yield [task.id, task.standard.outputs, msgspec.to_builtins(task.standard.calls)]
            yield from episode(env, expert, options={"task_id": task.id})


def agents(scenario: str, env_id: str, names: Iterable[str], tasks: int) -> Part:
    """Play the first held-out tasks with reference agents."""
    for name in names:
        env = gym.make(env_id)
        agent = teller_gym.make_agent(name, env)
        for task in teller_gym.load_tasks(scenario, "heldout")[:tasks]:
            yield from episode(env, agent, options={"task_id": task.id})


def random_agent(env_id: str, options: dict[str, Any], seeds: Sequence[int]) -> Part:
    """Play random calls, whose strings are sampled from the action space."""
    for seed in seeds:
        env = gym.make(env_id, **options)
        agent = teller_gym.make_agent("random", env)
        if hasattr(agent, "seed"):
            agent.seed(seed)
        yield from episode(env, agent, seed=seed)


def generated(env_id: str, options: dict[str, Any], seeds: Sequence[int], agent: str = "expert") -> Part:
    """Play generated cases, one per seed."""
    env = gym.make(env_id, split="generated", **options)
    played = teller_gym.make_agent(agent, env)
    for seed in seeds:
        yield from episode(env, played, seed=seed)


def drawn(env_id: str, options: dict[str, Any], seeds: Sequence[int], names: Iterable[str] = ("expert",)) -> Part:
    """Play tasks of the training split, one drawn per seed."""
    for name in names:
        env = gym.make(env_id, **options)
        agent = teller_gym.make_agent(name, env)
        for seed in seeds:
            yield from episode(env, agent, seed=seed)


def graphs(env_id: str, seeds: Sequence[int]) -> Part:
    """Answer tasks of stage 1 with every reference answer."""
    env = gym.make(env_id)
    for name in sorted(GRAPH_ANSWERS):
        agent = GraphAnswerer(name, env)
        for seed in seeds:
            yield from episode(env, agent, seed=seed)


def files(package: str) -> Part:
    """Yield the name and digest of each frozen file of a scenario."""
    root = Path(str(resources.files(package)))
    for path in sorted(root.rglob("*")):
        if path.suffix == ".jsonl" or path.name == "heldout.yaml":
            yield [path.relative_to(root).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()]


def parts() -> dict[str, Callable[[], Part]]:
    """Return all parts by name, in the order in which they are played."""
    found: dict[str, Callable[[], Part]] = {}
    for card in EXECUTION:
        name, env_id = card.kwargs["scenario"], card.id
        found[f"{name}/files"] = lambda name=name: files(f"teller_gym.scenarios.{name}")  # type: ignore[misc]
        found[f"{name}/frozen"] = lambda name=name, env_id=env_id: frozen(name, env_id)  # type: ignore[misc]
        found[f"{name}/agents"] = lambda n=name, i=env_id: agents(n, i, AGENTS, 6)  # type: ignore[misc]
        found[f"{name}/generated"] = lambda i=env_id: generated(i, {}, range(150))  # type: ignore[misc]
        for title, options in OPTIONS.items():
            found[f"{name}/{title}"] = lambda i=env_id, o=options: drawn(i, o, range(12))  # type: ignore[misc]
        found[f"{name}/random"] = lambda i=env_id: random_agent(i, {}, range(4))  # type: ignore[misc]
        graph = env_id.replace("-v", "Graph-v")
        found[f"{name}/graph"] = lambda i=graph: graphs(i, range(4))  # type: ignore[misc]
    found["bank/drawn"] = lambda: drawn("Teller-Bank-v0", {"distractors": 5}, range(30), ("expert", "repeat"))
    found["bank/without_loans"] = lambda: drawn("Teller-BankWithoutLoans-v0", {}, range(10))
    found["day/drawn"] = lambda: drawn("Teller-Day-v0", {}, range(6), DAY_AGENTS)
    found["day/generated"] = lambda: generated("Teller-Day-v0", {"distractors": 2}, range(6))
    found["day/random"] = lambda: random_agent("Teller-Day-v0", {}, range(4))
    found["wealth/files"] = lambda: files("teller_gym.scenarios.wealth")
    found["wealth/frozen"] = lambda: wealth_frozen()
    found["wealth/generated"] = lambda: generated("Teller-Wealth-v0", {}, range(36))
    found["wealth/agents"] = lambda: drawn("Teller-Wealth-v0", {}, range(8), OFFICE_AGENTS)
    for title, options in OFFICE_OPTIONS.items():
        found[f"wealth/{title}"] = lambda o=options: drawn("Teller-Wealth-v0", o, range(12))  # type: ignore[misc]
    found["wealth/random"] = lambda: random_agent("Teller-Wealth-v0", {}, range(6))
    return found


def wealth_frozen() -> Part:
    """Play all frozen tasks of the wealth-management office with the expert."""
    env = gym.make("Teller-Wealth-v0")
    expert = teller_gym.make_agent("expert", env)
    for split in ("train", "validation", "heldout"):
        for task in teller_gym.load_tasks("wealth", split):
            yield from episode(env, expert, options={"task_id": task.id})


def digest(part: Part) -> str:
    """Return the digest of a part's values, as 16 hexadecimal digits."""
    taken = hashlib.sha256()
    for value in part:
        taken.update(json.dumps(value, sort_keys=True, default=str).encode("utf-8"))
        taken.update(b"\n")
    return taken.hexdigest()[:16]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the digests, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.digest", description=str(__doc__).split("\n", 1)[0])
    parser.add_argument("--json", type=Path, help="file to write the digests to")
    parser.add_argument("--against", type=Path, help="file of an earlier run to compare with")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="play the parts whose names contain one of the words")
    chosen = parser.parse_args(arguments)
    known = parts()
    names = [name for name in known if not chosen.only or any(word in name for word in chosen.only)]
    if not names:
        parser.error(f"--only: expected a part of one of these names: {', '.join(known)}")
    earlier = json.loads(chosen.against.read_text("utf-8")) if chosen.against else {}
    found: dict[str, str] = {}
    for name in names:
        found[name] = digest(known[name]())
        differs = name in earlier and earlier[name] != found[name]
        print(f"{found[name]}  {name}{'  DIFFERS' if differs else ''}", flush=True)
    print(f"{digest(iter(sorted(found.items())))}  all {len(found)} parts")
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    different = [name for name in found if name in earlier and earlier[name] != found[name]]
    if chosen.against:
        compared = len(found.keys() & earlier.keys())
        print(
            f"{compared} parts compared with {chosen.against}, {len(different)} differ: {', '.join(different) or '-'}"
        )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
