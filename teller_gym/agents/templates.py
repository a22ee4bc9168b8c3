"""Chat templates come with checkpoints and are programs: tried out in a process of its own before one is trusted."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from teller_gym.base.errors import OptionError

THINKING_KEY = "teller_gym_thinking"
"""Key in a tokenizer's configuration with which training records that its templates opened thoughts."""

SECONDS = 20
"""CPU time for rendering the short chats; templates in use take milliseconds."""
PATIENCE_S = 120.0
"""Wall time for the same, on a busy machine."""
MEMORY = 2**30
"""Bytes that the process may take."""
MOST_CHARACTERS = 1_000_000
"""Of a short chat as it is rendered."""

_CALL = {"type": "function", "function": {"name": "look", "arguments": {"at": "it"}}}
_TOOL = {
    "type": "function",
    "function": {
        "name": "look",
        "description": "Look at something.",
        "parameters": {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]},
    },
}
_ROUND = [
    {"role": "assistant", "content": "I look.", "tool_calls": [_CALL]},
    {"role": "tool", "tool_call_id": "call_1", "name": "look", "content": '{"seen":true}'},
]
_CHATS = (
    [{"role": "user", "content": "Do it."}],
    [{"role": "system", "content": "Be exact."}, {"role": "user", "content": "Do it."}, *_ROUND * 12],
)
"""The beginning of an episode, and a long one."""


def thinks(tokenizer: Any) -> bool:
    """Return True if a tokenizer's checkpoint was trained to think before it answers."""
    return bool(getattr(tokenizer, "init_kwargs", {}).get(THINKING_KEY, False))


def expect_bounded(tokenizer: Any) -> None:
    """Try a tokenizer's chat template out on short chats; each of them, if it has several by name.

    Raises:
        OptionError: it goes on without end, or takes or writes far more than any template does.
    """
    found = tokenizer.chat_template
    special = getattr(tokenizer, "special_tokens_map", {})
    tokens = json.dumps({name: str(token) for name, token in dict(special).items()})
    for template in found.values() if isinstance(found, dict) else (found,):
        if isinstance(template, str) and (told := _fault(template, tokens)):
            raise OptionError(f"the chat template {told}; put in the one that belongs to the model")


@lru_cache(maxsize=64)
def _fault(template: str, special: str) -> str:
    runs = [
        {"messages": chat, "tools": tools, "documents": None, "add_generation_prompt": opens, **json.loads(special)}
        for chat in _CHATS
        for tools in (None, [_TOOL])
        for opens in (True, False)
    ]
    asked = {"template": template, "runs": runs, "memory": MEMORY, "seconds": SECONDS, "most": MOST_CHARACTERS}
    script = Path(__file__).with_name("template_render.py")
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(script)],
            input=json.dumps(asked).encode(),
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"was not rendered within {PATIENCE_S:g} s"
    if done.returncode < 0:
        return f"was not rendered within {SECONDS} s of CPU time"
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        # Where memory ends, even telling of it may take too much.
        return "needs more memory than any prompt" if "MemoryError" in told else f"could not be tried out: {told[:300]}"
    return done.stdout.decode().strip()
