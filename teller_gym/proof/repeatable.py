"""Checks that seeds control everything: the same bytes in another process and among interleaved envs."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import Any

import gymnasium as gym
import msgspec

from teller_gym.base.text import canonical_json
from teller_gym.envs.contract import contract_of
from teller_gym.proof.play import Kind, standard_actions, subject
from teller_gym.proof.report import ProofItem, item

_STEPS = 12


class Trace:
    """One env, reset with a seed, stepped one action at a time: random calls first, then the standard ones."""

    def __init__(self, env_id: str, seed: int) -> None:
        generated = seed % 4 == 3 and subject(env_id).kind is not Kind.GRAPH
        self.env: gym.Env[Any, Any] = gym.make(env_id, split="generated" if generated else "train")
        self._seed = seed
        self._digest = hashlib.sha256()
        self._actions: list[str] = []
        self._left = -1
        self.over = False

    def advance(self) -> None:
        """Do the next thing and take its bytes into account."""
        if self._left < 0:
            observation, info = self.env.reset(seed=self._seed)
            self.env.action_space.seed(self._seed)
            self._take(observation, 0.0, info)
            self._actions = standard_actions(contract_of(self.env).task)
            self._left = _STEPS
            return
        if self._left > 0:
            self._left -= 1
            action = self.env.action_space.sample()
        else:
            action = self._actions.pop(0) if self._actions else "nothing more"
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._take([action, observation], reward, info)
        self.over = terminated or truncated

    def _take(self, observation: Any, reward: Any, info: Any) -> None:
        self._digest.update(canonical_json([observation, repr(float(reward)), info]))

    def digest(self) -> str:
        """Return the digest of all that has been seen."""
        return self._digest.hexdigest()


def digests(env_id: str, seeds: range, *, interleaved: bool = False) -> list[str]:
    """Return one digest a seed, over the bytes of observations, rewards and info of an episode."""
    traces = [Trace(env_id, seed) for seed in seeds] if interleaved else []
    if interleaved:
        while any(not trace.over for trace in traces):
            for trace in traces:
                if not trace.over:
                    trace.advance()
        return [trace.digest() for trace in traces]
    found = []
    for seed in seeds:
        trace = Trace(env_id, seed)
        while not trace.over:
            trace.advance()
        found.append(trace.digest())
    return found


def repeatable(env_id: str, n: int = 40) -> ProofItem:
    """Check that a seed gives the same bytes again: also in a process with another hash seed, and interleaved."""
    seeds = range(n)
    here = digests(env_id, seeds)
    others = {
        "a second time": digests(env_id, seeds),
        "interleaved": digests(env_id, seeds, interleaved=True),
        "in another process": _elsewhere(env_id, n),
    }
    problems = [
        f"seed {seed} gives other bytes {where}"
        for where, found in others.items()
        for seed, (mine, theirs) in enumerate(zip(here, found, strict=True))
        if mine != theirs
    ]
    different = len(set(here))
    if n > 1 and different == 1:
        problems.append("all seeds give the same bytes")
    figure = f"{n} seeds, {different} different episodes, each the same {', '.join(others)}"
    claim = "seeds control everything"
    return item("repeatable", claim, figure, problems, {"seeds": n, "different": different})


def _elsewhere(env_id: str, n: int) -> list[str]:
    """Return the digests as another process with another hash seed finds them."""
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-m", "teller_gym.proof.repeatable", env_id, str(n)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the other process failed: {done.stderr.decode(errors='replace')[-2000:]}")
    return msgspec.json.decode(done.stdout, type=list[str])


def main() -> None:
    """Print the digests of ``argv[1]`` for the first ``argv[2]`` seeds as JSON."""
    import teller_gym  # noqa: F401 - registers the ids

    print(msgspec.json.encode(digests(sys.argv[1], range(int(sys.argv[2])))).decode())


if __name__ == "__main__":
    main()
