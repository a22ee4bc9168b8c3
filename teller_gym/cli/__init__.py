"""Command line `teller-gym <command> …`, with one module per command, imported on use.

Exit codes: 0 success; 1 a check or a run failed; 2 the command is invalid or a folder cannot be used; 3 a limit stopped
a run; 4 writing to disk failed; 5 a signal stopped a training run, which saved its state first; 130 interrupted by
Ctrl-C,
143 by SIGTERM, 138 by SIGUSR1.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import sys
from collections.abc import Sequence

from teller_gym.base.errors import MissingExtraError, OptionError, PausedError, SettingsError, StorageError, TellerError
from teller_gym.base.files import is_storage, storage_text, too_long_text
from teller_gym.base.output import take_any_text
from teller_gym.base.text import did_you_mean

from .exit_codes import FAILED, INTERRUPTED, OK, PAUSED, STORAGE, USAGE
from .interrupt import PATIENCE_S, ending_soon, is_ending, note, noted, take_time

COMMANDS = {
    "list": ("teller_gym.cli.listing", "every environment, a line each"),
    "show": ("teller_gym.cli.show", "a scenario's SOP, graph, tools, or one of its tasks"),
    "eval": ("teller_gym.cli.eval", "play an agent over a split and measure it"),
    "report": ("teller_gym.cli.report", "tables, figures and a page of one run or several"),
    "view": ("teller_gym.cli.view", "look at the episodes of runs in a browser"),
    "regrade": ("teller_gym.cli.regrade", "grade the stored episodes of a run again"),
    "play": ("teller_gym.cli.play", "work a case yourself"),
    "office": ("teller_gym.cli.office", "serve an office's CRM, files, chat and tracker over HTTP"),
    "serve-expert": ("teller_gym.cli.serve_expert", "serve the expert as a model behind an endpoint"),
    "train": ("teller_gym.cli.train", "fine-tune a model and evaluate it"),
    "plan": ("teller_gym.cli.plan", "what a training run needs of its cards, without one"),
    "new-scenario": ("teller_gym.cli.new_scenario", "write the skeleton of a scenario of your own"),
    "choose": ("teller_gym.proof.choosing", "choose the seeds of a scenario's instances"),
    "freeze": ("teller_gym.cli.freeze", "write a scenario's frozen files"),
    "check": ("teller_gym.proof", "prove an environment: the oracle scores 1, cheap agents do not"),
}
"""Module and description of each command; the module has a function `run(argv) -> exit code`."""

USAGES = ("-h", "--help", "help", "--version")

EXTRAS = {
    **dict.fromkeys(("torch", "transformers", "tokenizers", "trl", "peft", "accelerate", "datasets"), "train"),
    **dict.fromkeys(("safetensors", "wandb"), "train"),
    **dict.fromkeys(("hydra", "omegaconf", "pydantic", "jinja2"), "eval"),
    **dict.fromkeys(("matplotlib", "aiohttp", "tenacity", "aiolimiter"), "eval"),
    **dict.fromkeys(("uvicorn", "starlette", "h11"), "office"),
}
"""Extra that installs each optional package, for the error message shown if the package is missing."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Args:
        argv: arguments after the program's name. With None, those of the process are used, and Ctrl-C and SIGTERM end
            the process within two seconds.
    """
    if argv is not None:
        return _main(list(argv))
    take_any_text()
    with ending_soon():
        return _main(sys.argv[1:])


def _main(arguments: list[str]) -> int:
    note("")
    take_time(PATIENCE_S)
    if sys.stdout is None:  # the shell's >&-
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the process ends
    try:
        code = _usage(arguments) if not arguments or arguments[0] in USAGES else _run(arguments[0], arguments[1:])
        if sys.stdout is not None:
            sys.stdout.flush()  # now, so that a full disk is reported and a closed pipe is ignored
        return code
    except SystemExit as stop:
        # argparse exits this way after --help.
        return stop.code if isinstance(stop.code, int) else OK if stop.code is None else _complain(stop.code, USAGE)
    except SettingsError as error:
        for problem in error.problems:
            _complain(problem, USAGE)
        return USAGE
    except (OptionError, MissingExtraError) as error:
        return _complain(error, USAGE)
    except StorageError as error:
        return _complain(error, STORAGE)
    except PausedError as error:
        return _complain(error, PAUSED)
    except TellerError as error:
        return _complain(error, FAILED)
    except KeyboardInterrupt:
        if is_ending():
            raise  # `ending_soon` reports it
        return _complain(noted(), INTERRUPTED)
    except BrokenPipeError:
        # The reader of the pipe, such as `head`, has finished.
        _drop_output()
        return OK
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return _complain(too_long_text(error), USAGE)
        if not is_storage(error):
            raise
        if error.filename is None:
            _drop_output()
        return _complain(storage_text("the output", error, "what was written before is safe"), STORAGE)


def _usage(arguments: list[str]) -> int:
    if arguments[:1] == ["--version"]:
        import teller_gym

        print(f"teller-gym {teller_gym.__version__}")
    else:
        print(_help())
    return OK if arguments else USAGE


def _run(name: str, arguments: list[str]) -> int:
    if name not in COMMANDS:
        hint = did_you_mean(name, COMMANDS)
        raise OptionError(f"expected a command, one of {', '.join(COMMANDS)}, got {name!r}{hint}")
    try:
        code: int = importlib.import_module(COMMANDS[name][0]).run(arguments)
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        raise MissingExtraError(f"teller-gym {name}", extra) from error
    return code


def _drop_output() -> None:
    """Discard unprinted output, so that Python does not report the error again when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(error: object, code: int) -> int:
    with contextlib.suppress(OSError):  # stderr may be on the same full disk; the exit code reports the error too
        print(f"teller-gym: {' '.join(str(error).split())}", file=sys.stderr, flush=True)
    return code


def _help() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name.ljust(width)}  {text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join(
        [
            "usage: teller-gym COMMAND …",
            "",
            "Language-model agents work through a bank's operating procedures.",
            "",
            *lines,
            "",
            "teller-gym COMMAND --help says more about each, with an example.",
        ]
    )
