"""Command `teller-gym plan`, which prints the resources that a training run needs, without a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from teller_gym.base.errors import OptionError
from teller_gym.cli.common import Parser, print_json, require
from teller_gym.cli.exit_codes import OK

if TYPE_CHECKING:
    from teller_gym.training.config.run import Config

EXAMPLE = """  teller-gym plan model=qwen3_8b hardware=l20_1
  teller-gym plan model=qwen3_14b hardware=a100_80_8 loss=grpo method=curriculum --json
  teller-gym plan model=qwen3_1_7b hardware=l20_1 env.distractors=40 hardware.vllm_memory=0.4

The settings are those of `teller-gym train`, whose --help lists them; `teller-gym train … --dry-run` does the same."""

_ABOUT = """Print what each phase of a training run needs: memory of the fullest card by purpose, live episodes that the
attention cache holds, tokens, hours and disk. All of it is computed; no GPU, torch, hub or vLLM is needed. A run that
cannot fit is refused with exit code 2, and the settings that would help are named."""


def run(argv: Sequence[str]) -> int:
    """Print a run's plan and return the exit code.

    Raises:
        OptionError: a setting is unknown or wrong, or the run does not fit.
        MissingExtraError: the extra `eval` is not installed.
    """
    require("teller-gym plan", "eval", "hydra", "pydantic")
    from teller_gym.configuration.compose import recipes
    from teller_gym.training.config.run import load

    names = ", ".join(name for name in recipes() if name != "eval")
    parser = Parser("plan", _ABOUT, EXAMPLE)
    parser.add_argument("--config-name", default="train", metavar="NAME", help=f"top-level configuration: {names}")
    parser.add_argument("--json", action="store_true", help="print the plan as JSON, in bytes")
    parser.add_argument("overrides", nargs="*", metavar="key=value", help="settings, as Hydra writes them")
    chosen = parser.read(argv)
    return show(load(chosen.config_name, chosen.overrides)[0], chosen.json)


def show(config: Config, as_json: bool) -> int:
    """Print a configuration's plan and return the exit code.

    Raises:
        OptionError: the run does not fit.
    """
    from teller_gym.training.launch.fit import plan, refusal
    from teller_gym.training.launch.preflight import check_run
    from teller_gym.training.plan.render import render

    check_run(config)
    found = plan(config)
    if as_json:
        print_json(found.to_dict())
    else:
        print(render(found), flush=True)
    if not found.fits:
        raise OptionError(refusal(found))
    return OK
