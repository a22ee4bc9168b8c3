"""Terminal interface for playing a case, which reads commands and calls and prints results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import Any

from teller_gym.agents.chat import signature
from teller_gym.base.text import did_you_mean

from .case import Answer, Case
from .layout import call_text, columns, grade_text, result_text, wrap
from .short_form import NotationError, action_of

PROMPT = "> "


class Lines:
    """Reads lines from standard input.

    Args:
        words: words for tab completion at a terminal: possible first words, each with the words that may follow it.
    """

    def __init__(self, words: Mapping[str, Sequence[str]] | None = None) -> None:
        self._terminal = sys.stdin.isatty()
        if self._terminal and words:
            _complete(words)

    def ask(self, prompt: str) -> str | None:
        """Return the next line without its newline, or None at the end of input.

        If input comes from a pipe, prompt and line are printed, so that the output looks like a terminal session.
        """
        if self._terminal:
            try:
                return input(prompt)
            except EOFError:
                print()
                return None
        line = self.next()
        print(prompt if line is None else prompt + line)
        return line

    def next(self) -> str | None:
        """Return the next line without its newline, or None at the end of input; nothing is printed."""
        line = sys.stdin.readline()
        return line.removesuffix("\n").removesuffix("\r") if line else None


def _complete(words: Mapping[str, Sequence[str]]) -> None:
    try:
        import readline
    except ImportError:  # not available on every system
        return

    def complete(text: str, state: int) -> str | None:
        before = readline.get_line_buffer()[: readline.get_begidx()].split()
        found = [word for word in (words.get(before[0], ()) if before else words) if word.startswith(text)]
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    # Python's readline may be libedit, which uses another syntax.
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")


class Console:
    """Case played by a person.

    There is no undo, since a model has none either: every attempt counts in the grade.
    """

    def __init__(self, case: Case, lines: Lines) -> None:
        self.case = case
        self._lines = lines
        self._commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self._say(_help(self.case.stage)),
            "sop": self._sop,
            "request": lambda _: self._say(self.case.opening[-1]["content"]),
        }
        if case.stage == 2:
            self._commands |= {"tools": self._tools, "tool": self._tool, "history": self._history}

    def play(self) -> None:
        """Process lines until the case is over, `quit` is entered or the input ends."""
        case = self.case
        self._say(self._told())
        tools = f", {len(case.tools)} tools" if case.tools else ""
        steps = "1 step" if case.max_steps == 1 else f"{case.max_steps} steps"
        self._say(f"\nCase {case.task_id}{tools}, {steps} at most. Type help for what you can type.\n")
        while not case.over:
            line = self._lines.ask(PROMPT)
            if line is None or line.strip() == "quit":
                return
            try:
                action = self._action(line.strip())
            except NotationError as error:
                self._say(f"not sent: {error}")
                continue
            if action is not None:
                self._show(case.act(action))

    def end(self) -> None:
        """Print the final grade, or the current one if the case is not over."""
        case = self.case
        if case.failure is not None:
            self._say(f"\nThe case was broken off by a fault of the system and has no grade: {case.failure}")
            return
        if case.out_of_steps:
            self._say(f"The budget of {case.max_steps} steps is spent.\n")
        elif not case.over:
            self._say("\nThe case was left before its end; the grade so far:\n")
        grade = case.grade()
        print("no answer was given, which scores 0" if grade is None else grade_text(grade, columns()))

    # -- parsing of lines ---------------------------------------------------------------------------------------------

    def _action(self, line: str) -> str | None:
        """Return the action in a line, or None if the line is empty or a command, which is executed."""
        word, _, rest = line.partition(" ")
        if word in self._commands and "=" not in rest:
            self._commands[word](rest.strip())
            return None
        if not line:
            return None
        if self.case.stage == 1:
            return self._graph(line)
        if word == "say":
            return rest.strip() or None
        return action_of(line, self.case.tools)

    def _graph(self, first: str) -> str:
        """Return the answer for stage 1, which is the content of a file or the lines up to an empty line."""
        if first.startswith("@"):
            try:
                return Path(first[1:].strip()).expanduser().read_text(encoding="utf-8")
            except (OSError, UnicodeError) as error:
                raise NotationError(f"{first[1:].strip()} cannot be read: {error}") from None
        if len(first.split()) == 1 and first.isalpha():
            raise NotationError(f"there is no command {first!r}{did_you_mean(first, [*self._commands, 'quit'])}")
        lines = [first]
        while (line := self._lines.ask("")) is not None and line.strip():
            lines.append(line)
        return "\n".join(lines)

    # -- commands -----------------------------------------------------------------------------------------------------

    def _told(self) -> str:
        return "\n\n".join(message["content"] for message in self.case.opening)

    def _sop(self, word: str) -> None:
        text: str = self.case.opening[0]["content"] if self.case.stage == 2 else self._told()
        if word:
            found = [part for part in _lines_and_tables(text) if word.casefold() in part.casefold()]
            text = "\n".join(found) or f"no line has {word!r}"
        self._say(text)

    def _tools(self, word: str) -> None:
        lines = [signature(tool) for tool in self.case.tools]
        found = [line for line in lines if word.casefold() in line.casefold()]
        print("\n".join(wrap(line, columns(), "    ") for line in found) or f"no tool has {word!r}")

    def _tool(self, name: str) -> None:
        functions: dict[str, Any] = {tool["function"]["name"]: tool["function"] for tool in self.case.tools}
        if name not in functions:
            self._say(f"expected tool NAME, got {name!r}{did_you_mean(name, functions)}")
            return
        print(json.dumps(functions[name], indent=2, ensure_ascii=False))

    def _history(self, _: str) -> None:
        for number, (action, answer) in enumerate(self.case.history, 1):
            print(f"{number:3} {call_text(action)}")
            print(result_text(answer.observation["tool_result"], columns()))
        if not self.case.history:
            self._say("nothing was sent yet")

    def _show(self, answer: Answer) -> None:
        result, state = answer.observation["tool_result"], answer.observation["state"]
        if result:
            print(result_text(result, columns()))
        if state:
            self._say(state)
        print()

    def _say(self, text: str) -> None:
        print(wrap(text, columns()))


def _lines_and_tables(text: str) -> list[str]:
    """Split text into lines, keeping each table as one piece, since a row needs its heading."""
    groups = groupby(text.splitlines(), key=lambda line: line.startswith("|"))
    return [part for table, lines in groups for part in (["\n".join(lines)] if table else lines)]


def completions(tools: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the words for tab completion, which are tool names with their arguments."""
    functions = [tool["function"] for tool in tools]
    return {one["name"]: [f"{name}=" for name in one["parameters"]["properties"]] for one in functions}


def _help(stage: int) -> str:
    name = "help.txt" if stage == 2 else "help_graph.txt"
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8").strip()
