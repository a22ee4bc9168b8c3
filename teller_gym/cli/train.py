"""`teller-gym train`: fine-tune a model and evaluate it, as a Hydra configuration says."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib import resources

from teller_gym.base.errors import MissingExtraError
from teller_gym.cli.common import Parser, print_json

EXAMPLE = """  teller-gym train --config-name demo
  teller-gym train env=loans model=qwen3_1_7b hardware=a100 run_dir=runs/loans-1.7b
  teller-gym train --config-name long_cpu method.grpo.steps=20 seed=1
  teller-gym train --config-name demo --show

The same command on the same run_dir continues a run that was cut off and skips what is finished."""


def run(argv: Sequence[str]) -> int:
    """Train; return the exit code.

    Raises:
        OptionError: a setting is unknown or wrong, or the run folder holds another run.
        MissingExtraError: the extra `train` is not installed.
    """
    parser = Parser(
        "train", "Fine-tune a model on expert episodes and by GRPO, and evaluate it on held-out tasks.", EXAMPLE
    )
    parser.add_argument("--config-name", default="train", metavar="NAME", help="top-level configuration: " + _names())
    parser.add_argument("--show", action="store_true", help="print the configuration and stop")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("overrides", nargs="*", metavar="key=value", help="settings, as Hydra writes them")
    chosen = parser.read(argv)
    for package in ("torch", "trl", "hydra"):
        if importlib.util.find_spec(package) is None:
            raise MissingExtraError("training", "train")
    from teller_gym.training.config import load

    config, plain = load(chosen.config_name, chosen.overrides)
    if chosen.show:
        print_json(plain)
        return 0
    from teller_gym.training.recipe import Recipe, quiet, seed_everything

    quiet()
    seed_everything(config.seed)
    result = Recipe(config, plain).run()
    if chosen.json:
        print_json(result)
    else:
        print(f"\n{result['tasks']} tasks of split {result['split']}, 95 % intervals\n\n{result['table']}\n")
        print(f"learning curve: {result['curve']}\ncheckpoint: {result['checkpoint']}")
    return 0


def _names() -> str:
    names = [file.name for file in resources.files("teller_gym.configs").iterdir()]
    recipes = {name.removesuffix(".yaml") for name in names if name.endswith(".yaml")}
    return ", ".join(sorted(recipes - {"eval"}))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
