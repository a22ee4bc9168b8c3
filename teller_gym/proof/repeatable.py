"""Claim that seeds determine everything, with equal bytes in another process and with interleaved envs."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

import gymnasium as gym
import msgspec

from teller_gym.base.text import canonical_json
from teller_gym.envs.contract import contract_of
from teller_gym.proof.play import Kind, standard_actions, subject
from teller_gym.proof.report import ProofItem, item

_STEPS = 12
_PROGRAM = """
import sys
import msgspec
import teller_gym
from teller_gym.proof.repeatable import digests
print(msgspec.json.encode(digests(sys.argv[1], range(int(sys.argv[2])))).decode())
"""


def _trace(env_id: str, seed: int) -> Iterator[str]:
    """Play random calls and then the standard ones, and yield the digest of the episode so far after each step.

    The digest covers the bytes of observations, rewards and info.
    """
    generated = seed % 4 == 3 and subject(env_id).kind is not Kind.GRAPH
    env: gym.Env[Any, Any] = gym.make(env_id, split="generated" if generated else "train")
    observation, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    digest = hashlib.sha256(canonical_json([observation, repr(0.0), info]))
    actions, step, over = iter(standard_actions(contract_of(env).task)), 0, False
    while not over:
        yield digest.hexdigest()
        step += 1
        action = env.action_space.sample() if step <= _STEPS else next(actions, "nothing more")
        observation, reward, terminated, truncated, info = env.step(action)
        digest.update(canonical_json([[action, observation], repr(float(reward)), info]))
        over = terminated or truncated
    yield digest.hexdigest()


def digests(env_id: str, seeds: Iterable[int], *, interleaved: bool = False) -> list[str]:
    """Return a digest for each seed; with ``interleaved``, the episodes alternate after every step."""
    traces = [_trace(env_id, seed) for seed in seeds]
    if interleaved:
        found = [""] * len(traces)
        for row in zip_longest(*traces):
            found = [now or before for now, before in zip(row, found, strict=True)]
        return found
    return [deque(trace, maxlen=1).pop() for trace in traces]


def repeatable(env_id: str, seeds: int) -> ProofItem:
    """Check that equal seeds give equal bytes.

    Episodes are repeated in this process, in a process with a different hash seed, and interleaved.
    """
    here = digests(env_id, range(seeds))
    others = {
        "a second time": digests(env_id, range(seeds)),
        "interleaved": digests(env_id, range(seeds), interleaved=True),
        "in another process": _elsewhere(env_id, seeds),
    }
    problems = [
        f"seed {seed} gives other bytes {where}"
        for where, found in others.items()
        for seed, (mine, theirs) in enumerate(zip(here, found, strict=True))
        if mine != theirs
    ]
    different = len(set(here))
    if seeds > 1 and different == 1:
        problems.append("all seeds give the same bytes")
    figure = f"{seeds} seeds, {different} different episodes, each the same {', '.join(others)}"
    claim = "seeds control everything"
    return item("repeatable", claim, figure, problems, {"seeds": seeds, "different": different})


def _elsewhere(env_id: str, n: int) -> list[str]:
    """Return the digests computed in another process with a different hash seed."""
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-c", _PROGRAM, env_id, str(n)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the other process failed: {done.stderr.decode(errors='replace')[-2000:]}")
    return msgspec.json.decode(done.stdout, type=list[str])
