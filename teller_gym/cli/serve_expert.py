"""Command `teller-gym serve-expert`, which serves the reference expert as a model at an OpenAI-compatible endpoint."""

from __future__ import annotations

import argparse
import sys
import threading
from typing import Any

import msgspec
import yaml

from teller_gym.base.errors import OptionError

from .common import Parser, require

EXAMPLE = """\
  teller-gym serve-expert --port 8017
  teller-gym eval env=loans n=10 endpoint=options agent.base_url=http://127.0.0.1:8017/v1 \\
      agent.model=expert run_dir=runs/x
  teller-gym serve-expert --mistakes 0.4 --seed 1       two tasks in five go wrong, each in one way
  teller-gym serve-expert --env-option schema_shift=true      for a client whose env has this option"""

_DESCRIPTION = """\
Serve the expert at 127.0.0.1 until Ctrl-C or SIGTERM: chat completions, streamed too, with tools in the request or
calls as text. It recognises the task by its request: frozen tasks of every scenario, day and office, generated cases
under the usual policy, and held-out and validation tasks of stage 1. No model is behind it: use it to try out clients,
adapters and reports.

The first line says the base URL; with --json, it is {"base_url": …, "model": …}."""


def run(argv: list[str]) -> int:
    """Serve the expert until a signal arrives."""
    parser = Parser("serve-expert", _DESCRIPTION, EXAMPLE)
    parser.add_argument(
        "--port", type=int, default=8017, metavar="N", help="port on this machine; 0: any free one (8017)"
    )
    parser.add_argument(
        "--mistakes", type=float, default=0.0, metavar="SHARE",
        help="share of tasks in which one mistake is made: a lapse, a wrong value, a number as text, a call or an "
        "answer that breaks off, an early end (0)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the mistakes (0)")
    parser.add_argument(
        "--env-option", action="append", default=[], metavar="NAME=VALUE",
        help="an option of the client's env that changes names or texts: schema_shift, policy_shift, perturb, faults",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print a line of JSON")
    options = parser.read(argv)
    require("teller-gym serve-expert", "eval", "aiohttp")
    _check(options)
    from teller_gym.expert_server.completion import MODEL
    from teller_gym.expert_server.playing import ExpertPlayer
    from teller_gym.expert_server.server import serve_expert

    player = ExpertPlayer(options.mistakes, options.seed, _env_options(options.env_option))
    with serve_expert(player, options.port) as base_url:
        told = {"base_url": base_url, "model": MODEL}
        text = msgspec.json.encode(told).decode() if options.json else f"{base_url}\nmodel {MODEL}; Ctrl-C ends"
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
        threading.Event().wait()
    return 0


def _check(options: argparse.Namespace) -> None:
    if not 0 <= options.mistakes <= 1:
        raise OptionError(f"mistakes: expected a share from 0 to 1, got {options.mistakes:g}")
    if not 0 <= options.port < 2**16:
        raise OptionError(f"port: expected 0 to {2**16 - 1}, got {options.port}")


_ENV_OPTIONS = ("schema_shift", "policy_shift", "perturb", "faults")


def _env_options(given: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name not in _ENV_OPTIONS:
            raise OptionError(f"env-option: expected NAME=VALUE with NAME of {', '.join(_ENV_OPTIONS)}, got {text!r}")
        try:
            found[name] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise OptionError(f"env-option {name}: expected a YAML value such as true or 3, got {value!r}") from None
    return found
