"""Lengths of episodes in tokens, turn by turn: recorded from the environments once, played again by simulations.

    python -m benchmarks.rollout_lengths expert           # records rollout_lengths_expert.json anew; a minute
    python -m benchmarks.rollout_lengths model FOLDER     # rollout_lengths_model.json, from a checkpoint; some minutes

``expert``: the expert plays generated tasks of all banking scenarios, eight times each. Before one call in seven it
makes a mistake as models do (`teller_gym.training.demonstrations.expert.spoil`), which the environment answers with an
error; so the rollouts of a group differ. Tokens are those of `examples.tiny_qwen3`.

``model``: a checkpoint plays generated Loans tasks, eight times each, at temperature 1, a turn of at most 512 tokens,
until five calls in a row have failed. The file at hand is of the tiny model of ``--config-name long_cpu`` after 714
steps of SFT: most turns are calls, a few ramble on to the cap. Tokens are the model's own.

Prompts are counted in the compact style, which larger models are trained with: the tiny one saw only the request.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
EXPERT_TASKS, MODEL_TASKS, GROUP, FIRST_SEED = 24, 8, 8, 4_000_000
SLIPS = 1 / 7
"""Share of the expert's calls before which a mistake is made."""

Turn = tuple[int, int]
"""Tokens said, and tokens between them and the next turn."""


@dataclass(frozen=True)
class Recorded:
    """An episode as numbers of tokens.

    Attributes:
        task: of the episode; episodes of one task have the same prompt.
        scenario: episodes of one scenario have the beginning of their prompts in common.
        shared: tokens of that beginning.
        prompt: tokens of the whole prompt.
        turns: of each turn, those said and those before the next one, 0 after the last.
    """

    task: str
    scenario: str
    shared: int
    prompt: int
    turns: tuple[Turn, ...]

    @property
    def tokens(self) -> int:
        """All tokens at the end."""
        return self.prompt + sum(said + answered for said, answered in self.turns)


def read(who: str) -> list[Recorded]:
    """Return the recorded episodes of expert or model, group after group."""
    rows = json.loads((FOLDER / f"rollout_lengths_{who}.json").read_text("utf-8"))["episodes"]
    return [Recorded(**row | {"turns": tuple((said, answered) for said, answered in row["turns"])}) for row in rows]


def record_expert(tasks: int, group: int, folder: Path) -> list[Recorded]:
    """Have the expert play; the same arguments give the same lengths.

    Args:
        tasks: how many, of all banking scenarios.
        group: episodes of each task.
        folder: where the tiny model is made, for its tokenizer.
    """
    import teller_gym
    from examples.tiny_qwen3 import build
    from teller_gym.training.tasks.mixture import Mixture
    from teller_gym.training.tasks.seeds import generated_id

    desk = Desk("Teller-Bank-v0", build(folder))
    expert, mixture = teller_gym.make_agent("expert", desk.env), Mixture.in_env(desk.env)
    for seed in range(FIRST_SEED, FIRST_SEED + tasks):
        task_id = generated_id(mixture.scenario(seed), seed)
        for number in range(group):
            desk.add(task_id, _spoken(desk, expert, task_id, random.Random(f"{seed}/{number}")))
    return desk.recorded()


def record_model(tasks: int, group: int, folder: str) -> list[Recorded]:
    """Have the checkpoint in a folder play Loans."""
    from transformers import AutoModelForCausalLM

    from teller_gym.agents.chat import ChatFormat, PromptStyle
    from teller_gym.agents.sampling import CachedSampler
    from teller_gym.training.rollouts.rollout import Limits, Table
    from teller_gym.training.tasks.seeds import generated_id, make_env

    desk = Desk("Teller-Loans-v0", folder)
    chat = ChatFormat(desk.chat.tokenizer, PromptStyle.MINIMAL)
    sampler = CachedSampler(AutoModelForCausalLM.from_pretrained(folder), [chat.end], temperature=1.0, seed=0)
    ids = [generated_id("loans", FIRST_SEED + number) for number in range(tasks) for _ in range(group)]
    table = Table(lambda: make_env("Teller-Loans-v0", {}, "generated"))
    for rollout in table.play(ids, sampler, chat, Limits(turn=512, total=8_000, patience=5)):
        ends = [span.start for span in rollout.spans[1:]] + [rollout.spans[-1].end]
        pairs = zip(rollout.spans, ends, strict=True)
        desk.add(rollout.task_id, [(span.end - span.start, end - span.end) for span, end in pairs])
    return desk.recorded()


class Desk:
    """Counter of episodes: an environment, a tokenizer, and the recordings so far."""

    def __init__(self, env_id: str, folder: str) -> None:
        from teller_gym.agents.chat import ChatFormat, PromptStyle
        from teller_gym.training.models.load import load_tokenizer
        from teller_gym.training.tasks.seeds import make_env

        self.env: Any = make_env(env_id, {}, "generated")
        self.chat = ChatFormat(load_tokenizer(folder), PromptStyle.COMPACT)
        self._prompts: dict[str, list[list[int]]] = {}
        self._found: list[Recorded] = []

    def add(self, task_id: str, turns: list[Turn]) -> None:
        """Add an episode."""
        scenario = task_id.partition("-g-")[0]
        if not self._found or self._found[-1].task != task_id:
            self.env.reset(options={"task_id": task_id})
            core = self.env.unwrapped
            self._prompts.setdefault(scenario, []).append(self.chat.prompt_ids(core.messages(), core.tool_schemas()))
        self._found.append(Recorded(task_id, scenario, 0, len(self._prompts[scenario][-1]), tuple(turns)))

    def recorded(self) -> list[Recorded]:
        """Return the episodes."""
        shared = {scenario: common(prompts) for scenario, prompts in self._prompts.items()}
        return [replace(one, shared=shared[one.scenario]) for one in self._found]


def _spoken(desk: Desk, expert: Any, task_id: str, rng: random.Random) -> list[Turn]:
    """Have the expert play an episode, with mistakes; return the lengths of its turns."""
    from teller_gym.agents.chat import tool_answer
    from teller_gym.training.demonstrations.expert import spoil

    observation, info = desk.env.reset(options={"task_id": task_id})
    expert.reset()
    turns: list[Turn] = []
    over = False
    while not over:
        action = expert.act(observation, info)
        for text in ([spoil(action, rng)] if rng.random() < SLIPS else []) + [action]:
            observation, _, terminated, truncated, info = desk.env.step(text)
            over = terminated or truncated
            call = text if text.startswith("<tool_call>") else f"<tool_call>\n{text}\n</tool_call>"
            said = len(desk.chat.tokenizer(call)["input_ids"]) + 1
            answer = [tool_answer(observation["tool_result"])]
            turns.append((said, 0 if over else len(desk.chat.feedback_ids(answer))))
    return turns


def common(prompts: Sequence[list[int]]) -> int:
    """Return how many tokens all have in common at their beginning."""
    first, last = min(prompts), max(prompts)
    pairs = enumerate(zip(first, last, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(first), len(last)))


def main() -> None:
    """Record, and write the file."""
    if sys.argv[1:2] == ["model"] and len(sys.argv) == 3:
        found = record_model(MODEL_TASKS, GROUP, sys.argv[2])
    elif sys.argv[1:] == ["expert"]:
        with tempfile.TemporaryDirectory() as folder:
            found = record_expert(EXPERT_TASKS, GROUP, Path(folder) / "tiny")
    else:
        sys.exit(__doc__)
    rows = ",\n".join(json.dumps(asdict(one), separators=(",", ":")) for one in found)
    path = FOLDER / f"rollout_lengths_{sys.argv[1]}.json"
    path.write_text(f'{{"episodes":[\n{rows}\n]}}\n', "utf-8")
    print(f"{len(found)} episodes of {sum(len(one.turns) for one in found)} turns in {path}")


if __name__ == "__main__":
    main()
