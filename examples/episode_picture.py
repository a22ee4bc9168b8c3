"""Draw an episode for the README: the request and a clause of the SOP, then calls, results, checkpoints and rewards.

    python -m examples.episode_picture            # writes docs/pictures/episode-light.svg and episode-dark.svg

The expert plays a validation task, and the picture shows what the environment returned, shortened to one line each.
"""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import gymnasium as gym

import teller_gym

TASK = "loans-0021"
SHOWN = ("get_application_data", "verify_employment", "record_credit_decision", "submit_final_review")
"""Tools whose first calls are drawn; other calls are only counted."""
CLAUSE = "See that every employment is confirmed"
"""Words in the clause that decides the case; the picture shows its beginning."""
FOLDER = Path("docs/pictures")

WIDTH, MARGIN, LINE = 920, 18, 18
"""Width of the picture, margin around its parts and height of a line of text, in pixels."""
COLUMNS = 104
"""Maximum number of characters in a line of a box."""

THEMES = {
    "light": {"ground": "#ffffff", "box": "#f6f8fa", "edge": "#d0d7de", "ink": "#1f2328", "muted": "#59636e",
              "call": "#0550ae", "good": "#1a7f37"},
    "dark": {"ground": "#0d1117", "box": "#161b22", "edge": "#30363d", "ink": "#e6edf3", "muted": "#9198a1",
             "call": "#79c0ff", "good": "#3fb950"},
}  # fmt: skip


class Turn(NamedTuple):
    """One call of the episode."""

    tool: str
    call: str
    result: str
    passed: tuple[str, ...]
    """Checkpoints that this call passed."""
    reward: float
    score: float


def play() -> tuple[str, list[Turn]]:
    """Return the text of the first observation and the turns of the expert's episode."""
    env = gym.make("Teller-Loans-v0", split="validation")
    expert = teller_gym.make_agent("expert", env)
    obs, info = env.reset(options={"task_id": TASK})
    expert.reset()
    opening, turns, done = str(obs["state"]), list[Turn](), False
    while not done:
        before: dict[str, Any] = dict(info["checkpoints"])
        action = expert.act(obs, info)
        obs, reward, terminated, truncated, info = env.step(action)
        passed = tuple(name for name, found in info["checkpoints"].items() if found and not before.get(name))
        call = json.loads(action)
        values = ", ".join(f"{name}={json.dumps(value)}" for name, value in call["arguments"].items())
        text = f"{call['name']}({values})"
        turns.append(Turn(call["name"], text, str(obs["tool_result"]), passed, float(reward), info["score"]))
        done = terminated or truncated
    return opening, turns


def clause_of(sop: str) -> str:
    """Return the line of the SOP that contains `CLAUSE`; LookupError if the words have changed."""
    for line in sop.splitlines():
        if CLAUSE.casefold() in line.casefold():
            return re.sub(r"[*#`]", "", line).strip(" -")
    raise LookupError(f"expected a line of the SOP with {CLAUSE!r}; choose the words of another clause")


class Drawing:
    """SVG elements, one below the other."""

    def __init__(self, theme: dict[str, str]) -> None:
        self.theme = theme
        self.parts: list[str] = []
        self.y = MARGIN

    def box(self, lines: Sequence[tuple[str, str]], right: str = "") -> None:
        """Add a box with lines of (colour, text), and a text at the right edge of its last line."""
        height = LINE * len(lines) + 14
        self.parts.append(
            f'<rect x="{MARGIN}" y="{self.y}" width="{WIDTH - 2 * MARGIN}" height="{height}" rx="6" '
            f'fill="{self.theme["box"]}" stroke="{self.theme["edge"]}"/>'
        )
        for number, (colour, text) in enumerate(lines):
            self._text(MARGIN + 12, self.y + 20 + LINE * number, colour, text)
        if right:
            self._text(WIDTH - MARGIN - 12, self.y + 20 + LINE * (len(lines) - 1), "good", right, "end")
        self.y += height + 8

    def line(self, text: str) -> None:
        """Add a line outside of any box."""
        self._text(MARGIN + 12, self.y + 12, "muted", text)
        self.y += LINE + 6

    def _text(self, x: int, y: int, colour: str, text: str, anchor: str = "start") -> None:
        self.parts.append(
            f'<text x="{x}" y="{y}" fill="{self.theme[colour]}" text-anchor="{anchor}">{escape(text)}</text>'
        )

    def svg(self, title: str) -> str:
        """Return the picture as an SVG document."""
        height = self.y + MARGIN - 8
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
                f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">',
                f"<title>{escape(title)}</title>",
                f'<rect width="{WIDTH}" height="{height}" fill="{self.theme["ground"]}"/>',
                *self.parts,
                "</svg>\n",
            ]
        )


def picture(theme: dict[str, str], opening: str, turns: Sequence[Turn]) -> str:
    """Return the picture of an episode in the colours of a theme, as SVG."""
    drawing = Drawing(theme)
    request, _, sop = opening.partition("\n")
    asked = [("muted", "request"), *(("ink", line) for line in textwrap.wrap(request, COLUMNS))]
    drawing.box([*asked, ("muted", "SOP"), *(("ink", line) for line in textwrap.wrap(clause_of(sop), COLUMNS)[:3])])
    tools = [turn.tool for turn in turns]
    shown = [tools.index(tool) for tool in SHOWN]
    for before, place in zip([-1, *shown], shown, strict=False):
        if place - before > 1:
            drawing.line(f"⋮  {place - before - 1} more call{'s' if place - before > 2 else ''}")
        drawing.box(*_turn(turns[place]))
    title = f"An episode of Teller-Loans-v0: {len(turns)} calls, score {turns[-1].score:.2f}"
    return drawing.svg(title)


def _turn(turn: Turn) -> tuple[list[tuple[str, str]], str]:
    call = textwrap.wrap(turn.call, COLUMNS, subsequent_indent="  ", max_lines=2, placeholder=" …")
    fields = sum(name.startswith("field:") for name in turn.passed)
    checked = [name for name in turn.passed if name.startswith("call:")]
    passed = " ".join([*("✓ checkpoint" for _ in checked), *([f"✓ {fields} fields right"] if fields else [])])
    right = f"{passed} reward +{turn.reward:.3f}".strip()
    result = textwrap.shorten(turn.result.replace(",", ", "), COLUMNS - len(right), placeholder=" …")
    return [*(("call", line) for line in call), ("ink", f"→ {result}")], right


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description="Draw an episode for the README.")
    parser.add_argument("--out", type=Path, default=FOLDER, help=f"folder of the pictures ({FOLDER})")
    folder: Path = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    opening, turns = play()
    for name, theme in THEMES.items():
        (folder / f"episode-{name}.svg").write_text(picture(theme, opening, turns), "utf-8")


if __name__ == "__main__":
    main()
