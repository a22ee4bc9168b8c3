"""Run every command in this process, one after another: `python -m tests.cli.every_command FOLDER`.

Wrong exit codes and tracebacks are written to `wrong.json` in the folder. With ``--without``, everything that Python
lacks on Windows is first removed from the process (`tests.cli.windows`).
"""

import importlib
import io
import json
import pkgutil
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.cli.windows import MODULES, hide


def commands(folder: Path) -> Iterator[tuple[int, str]]:
    """Yield expected exit codes and arguments: the help of each command, then its main uses in `folder`."""
    from teller_gym.cli import COMMANDS

    yield from ((2, ""), (0, "--help"), (0, "--version"), (2, "no-such-command"))
    yield from ((0, f"{name} --help") for name in COMMANDS)
    yield from ((0, "list"), (0, "show loans"), (0, "show loans sop"), (0, "show loans graph"), (0, "show loans tools"))
    yield from ((0, "show loans task loans-0001"), (0, "show wealth sop"))
    yield from ((0, f"eval env=loans agent=expert n=1 run_dir={folder}/run"), (2, "eval env=löans agent=expert"))
    yield from ((0, f"report {folder}/run --out {folder}/pages"), (2, f"report {folder}/run–none"))
    yield from ((0, f"regrade {folder}/run --json"), (0, f"view {folder}/run --no-serve"))
    yield from ((1, "play loans"), (1, "play loans --json"), (1, "office run wealth-net_worth-high"))
    yield from ((0, "plan model=qwen3_8b hardware=l20_1"), (2, "plan model=qwen3_32b hardware=l20_1"))
    yield from ((0, "train --config-name demo --dry-run"), (0, "train --config-name demo --show"))
    yield from ((0, f"new-scenario card_limits --into {folder}"), (2, "freeze nöthing"), (2, "choose nothing"))
    yield (0, "check loans --quick --only agreement -n 5 --processes 1")


def outcome(arguments: Sequence[str]) -> Any:
    """Run a command as the program does; return its exit code, or the end of its traceback."""
    from teller_gym.cli import main

    sys.argv = ["teller-gym", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    try:
        return main()
    except BaseException:
        return traceback.format_exc()[-2000:]


def imported() -> dict[str, str]:
    """Import every module of the package; return the errors, except those about a missing extra."""
    import teller_gym

    wrong = {}
    for module in pkgutil.walk_packages(teller_gym.__path__, "teller_gym."):
        try:
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] in (*MODULES, "teller_gym"):
                wrong[module.name] = str(error)
        except Exception:
            wrong[module.name] = traceback.format_exc()[-2000:]
    return wrong


def run(folder: Path) -> None:
    """Run all commands and write `wrong.json`."""
    wrong = {words: found for code, words in commands(folder) if (found := outcome(words.split())) != code}
    wrong.update(imported())
    (folder / "wrong.json").write_text(json.dumps(wrong, indent=1), "utf-8")


if __name__ == "__main__":
    if "--without" in sys.argv:
        hide()
    run(Path(sys.argv[1]))
