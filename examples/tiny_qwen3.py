"""Build a tiny model in Qwen3's format, with random weights, to try out training code without a hub.

    python -m examples.tiny_qwen3 runs/tiny_qwen3

Its chat template is Qwen3's, as shipped with TRL, so that TRL can parse the model's calls. Its output is meaningless.
Needs the extra `train`.
"""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

from teller_gym import make_agent
from teller_gym.training.config.model import TinyShape
from teller_gym.training.demonstrations.expert import play_expert
from teller_gym.training.models.load import save_model
from teller_gym.training.models.tiny import build_model, train_tokenizer
from teller_gym.training.tasks.seeds import LeakGuard, generated_id, make_env

SHAPE = TinyShape(hidden=64, layers=2, heads=2, kv_heads=1, head_dim=32, mlp=64, positions=32768)
EPISODES = 4
"""Number of the expert's episodes that the tokenizer is trained on."""


def build(folder: Path) -> str:
    """Build the checkpoint unless the folder has one, and return the folder's path."""
    if not (folder / "config.json").exists():
        env, guard = make_env("Teller-Loans-v0", {}, "generated"), LeakGuard()
        expert, tokenizer = make_agent("expert", env), train_tokenizer([], 0)
        template = resources.files("trl").joinpath("chat_templates", "qwen3.jinja").read_text("utf-8")
        texts = []
        for number in range(EPISODES):
            episode = play_expert(env, expert, generated_id("loans", number), guard)
            tokenizer.chat_template = template
            texts.append(tokenizer.apply_chat_template(episode.messages, tools=episode.tools, tokenize=False))
        tokenizer = train_tokenizer(texts, SHAPE.vocabulary)
        tokenizer.chat_template = template
        folder.parent.mkdir(parents=True, exist_ok=True)
        save_model(build_model(SHAPE, tokenizer, seed=0), tokenizer, folder)
    return str(folder)


if __name__ == "__main__":
    print(build(Path(sys.argv[1])))
