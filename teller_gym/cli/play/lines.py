"""Sources of typed lines: a terminal, with editing and completion where the system has them, or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence


class Lines:
    """Lines of standard input.

    Args:
        words: what the tab key completes at a terminal: first words of a line, each with those that may follow it.
    """

    def __init__(self, words: Mapping[str, Sequence[str]] | None = None) -> None:
        self._terminal = sys.stdin.isatty()
        if self._terminal and words:
            _complete(words)

    def ask(self, prompt: str) -> str | None:
        """Return the next line without its end, None after the last.

        Of a pipe prompt and line are printed, so that what is written down reads like what a terminal shows.
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
        """Return the next line without its end, None after the last; nothing is printed."""
        line = sys.stdin.readline()
        return line.removesuffix("\n").removesuffix("\r") if line else None


def _complete(words: Mapping[str, Sequence[str]]) -> None:
    try:
        import readline
    except ImportError:  # not on every system; typing works without
        return

    def complete(text: str, state: int) -> str | None:
        before = readline.get_line_buffer()[: readline.get_begidx()].split()
        found = [word for word in (words.get(before[0], ()) if before else words) if word.startswith(text)]
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    # Python's readline may be libedit, which has its own words for this.
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
