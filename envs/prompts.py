"""System prompts from the templates in ``*_prompt.md``, and episodes as text for people."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def _template(name: str) -> str:
    return resources.files("teller_gym.envs").joinpath(name).read_text(encoding="utf-8")


def system_prompt(sop: str) -> str:
    """Return the system message: instructions for acting, then the SOP."""
    return _template("system_prompt.md").replace("{sop}", sop)


def day_prompt(sop: str) -> str:
    """Return the system message of a working day: instructions for acting, then the queue's SOP."""
    return _template("day_system_prompt.md").replace("{sop}", sop)


def office_prompt(guide: str) -> str:
    """Return the system message of office work: the guide to the office."""
    return _template("office_system_prompt.md").replace("{sop}", guide).strip()


def render_history(title: str, request: str, history: list[tuple[str, str]], score: float, over: bool) -> str:
    """Return an episode as text for people: the request, the actions and their results, and the score."""
    lines = [title, request, ""]
    for number, (action, result) in enumerate(history, start=1):
        lines += [f"{number:3d} > {action}", f"    < {result}"]
    lines.append(f"score {score:.3f}" + ("  (episode over)" if over else ""))
    return "\n".join(lines)
