"""Plays the same episodes with vLLM and with transformers in one process and says whether they did the same.

    VLLM_CPU_KVCACHE_SPACE=1 VLLM_CPU_OMP_THREADS_BIND=nobind \\
        .venv-vllm/bin/python examples/vllm_cpu/play.py --folder runs/tiny

In the environment that `install.sh` makes; the folder is a checkpoint or an adapter, such as `examples/tiny_server.py`
makes. The first start compiles the model, which takes a minute or two.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import teller_gym
from teller_gym.agents.language import LanguageAgent
from teller_gym.agents.vllm_offline import VllmAgent


class Recorder:
    """An agent that remembers what it answered."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.name = agent.name
        self.said: list[list[str]] = []

    @property
    def usage(self) -> Any:
        """Tokens of the last answers."""
        return self.agent.usage

    def seed_batch(self, seeds: Any) -> None:
        """Take the episodes' seeds."""
        self.agent.seed_batch(seeds)

    def act_batch(self, conversations: Any, tools: Any) -> list[str]:
        """Answer, and remember it."""
        self.said.append(self.agent.act_batch(conversations, tools))
        return self.said[-1]


def play(agent: Any, episodes: int, steps: int) -> tuple[list[list[str]], dict[str, Any]]:
    """Play held-out loans; return what was said, turn by turn, and figures."""
    recorder = Recorder(agent)
    begun = time.perf_counter()
    report = teller_gym.evaluate(
        recorder,
        "Teller-Loans-v0",
        n=episodes,
        concurrency=episodes,
        env_kwargs={"max_steps": steps},
        progress=False,
    )
    seconds = time.perf_counter() - begun
    tokens = {name: report.metrics[f"{name}_tokens"].value for name in ("prompt", "completion")}
    figures = {"episodes": report.counted, "invalid": report.invalid, "seconds": round(seconds, 1), "tokens": tokens}
    return recorder.said, figures


def main() -> None:
    """Load both, play, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--episodes", type=int, default=2)
    parser.add_argument("--steps", type=int, default=3, help="of an episode at most")
    chosen = parser.parse_args()
    options: dict[str, Any] = {"max_new_tokens": 24}
    said = {}
    for name, load in (("vllm", VllmAgent.from_folder), ("transformers", LanguageAgent.from_folder)):
        begun = time.perf_counter()
        agent: Any = load(chosen.folder, **options)
        loaded = round(time.perf_counter() - begun, 1)
        said[name], figures = play(agent, chosen.episodes, chosen.steps)
        print(json.dumps({"engine": name, "load_seconds": loaded, **figures}), flush=True)
    print("same actions" if said["vllm"] == said["transformers"] else f"different actions: {said}")


if __name__ == "__main__":  # vLLM starts processes that import this file
    main()
