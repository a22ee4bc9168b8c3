"""Command `teller-gym train`, which fine-tunes and evaluates a model according to a Hydra configuration."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from teller_gym.base.errors import MissingExtraError, OptionError, PausedError, StorageError
from teller_gym.cli.common import Parser, print_json, require
from teller_gym.cli.exit_codes import FAILED, OK, PAUSED, STORAGE, USAGE
from teller_gym.cli.interrupt import note

if TYPE_CHECKING:
    from teller_gym.training.config.run import Config

EXAMPLE = """  teller-gym train --config-name demo
  teller-gym train env=loans model=qwen3_1_7b hardware=a100_80_1 run_dir=runs/loans-1.7b
  teller-gym train --config-name long_cpu method.grpo.steps=20 seed=1
  teller-gym train env=loans variation=drawn env.distractors=all model=qwen3_1_7b hardware=a100_80_1 --show
  teller-gym train env=loans model=qwen3_8b hardware=l20_1 --dry-run

The same command on the same run_dir continues a run that was cut off and skips what is finished."""


_ABOUT = """Fine-tune a model on expert episodes and by GRPO, and evaluate it on held-out tasks.

A setting is written key=value, such as method.grpo.steps=50. A file of configs/ is chosen by its group: model=NAME,
method=NAME, loss=NAME, reward=NAME, hardware=NAME, logger=NAME, variation=NAME."""


def run(argv: Sequence[str]) -> int:
    """Run training and return the exit code.

    Raises:
        OptionError: a setting is unknown or wrong, or the run folder contains another run.
        MissingExtraError: the extra `train` is not installed.
    """
    require("teller-gym train", "train", "torch", "trl", "hydra", "pydantic")
    from teller_gym.configuration.compose import recipes
    from teller_gym.configuration.settings import describe
    from teller_gym.configuration.variables import naming_variables
    from teller_gym.training.config.run import Config, load

    names = ", ".join(name for name in recipes() if name != "eval")
    parser = Parser("train", f"{_ABOUT}\n\nsettings:\n{describe(Config)}", EXAMPLE)
    parser.add_argument("--config-name", default="train", metavar="NAME", help=f"top-level configuration: {names}")
    parser.add_argument("--show", action="store_true", help="print the resolved configuration and stop")
    parser.add_argument("--dry-run", action="store_true", help="check all settings, print the plan and stop; no GPU")
    parser.add_argument("--json", action="store_true", help="print the result, or the plan, as JSON")
    parser.add_argument("--print-command", action="store_true", help="print what to run on each node and stop")
    parser.add_argument("--slurm", action="store_true", help="print a job script for sbatch and stop")
    parser.add_argument("overrides", nargs="*", metavar="key=value", help="settings, as Hydra writes them")
    chosen = parser.read(argv)
    config, plain = load(chosen.config_name, chosen.overrides)
    if chosen.dry_run and not chosen.show:
        from teller_gym.cli.plan import show as show_plan

        return show_plan(config, chosen.json)
    with naming_variables(config.variables):
        if chosen.show or not _starts_others(config, chosen):
            return _run(config, plain, chosen)
        return _start(config, chosen, [word for word in argv if word not in ("--print-command", "--slurm")])


def _starts_others(config: Config, chosen: Namespace) -> bool:
    from teller_gym.training.processes.group import in_launch

    return (
        chosen.print_command or chosen.slurm or (config.hardware.nodes * config.hardware.cards > 1 and not in_launch())
    )


def _start(config: Config, chosen: Namespace, argv: Sequence[str]) -> int:
    """Start a run's processes, or print the commands that start them."""
    from teller_gym.training.launch.launch import instructions, start

    if chosen.slurm:
        from teller_gym.training.launch.slurm import script

        print(script(config, argv))
        return OK
    if chosen.print_command:
        print(instructions(config, argv))
        return OK
    if config.hardware.nodes > 1:
        print(instructions(config, argv))
        raise OptionError(
            f"hardware.nodes: {config.hardware.nodes} nodes, and nothing was started: run what stands above on each, "
            "or submit what --slurm prints"
        )

    from teller_gym.training.launch.preflight import preflight

    note(f"what was done is kept in {config.run_dir}; the same command continues")
    preflight(config)
    return start(config.hardware, argv)


def _run(config: Config, plain: dict[str, Any], chosen: Namespace) -> int:
    from teller_gym.configuration.settings import show

    if chosen.show:
        if chosen.json:
            print_json(plain)
        else:
            print(show(plain))
        return 0
    note(f"what was done is kept in {config.run_dir}; the same command continues")
    from teller_gym.training.launch.launch import launched, use_cards
    from teller_gym.training.processes.group import ElsewhereError

    use_cards(config.hardware)
    try:
        with launched():
            result = _trained(config, plain)
    except ElsewhereError as elsewhere:
        return _silent(elsewhere.error)
    if not result:
        return OK
    if chosen.json:
        print_json(result)
    else:
        if result["learned"]:
            print(f"\n{result['of']}, 95 % intervals\n\n{result['table']}\n")
        print(f"learning curve: {result['curve']}\ncheckpoint: {result['checkpoint']}")
        for sentence in result["verdict"]:
            print(f"\n{sentence}")
    return 0


def _trained(config: Config, plain: dict[str, Any]) -> dict[str, Any]:
    """Train and return the result, which is empty on all processes but the first.

    The process that starts the others checks the run for all of them. If another launcher started them, the first
    process checks the run, and the others check only their machine.
    """
    from teller_gym.training.launch.launch import started_by_us
    from teller_gym.training.launch.preflight import check_machine, preflight
    from teller_gym.training.models.load import quiet
    from teller_gym.training.processes.group import join, leave
    from teller_gym.training.recipe import Recipe, seed_everything

    quiet()
    processes = join(config.hardware)
    seed_everything(config.seed)
    if not started_by_us():
        processes.together(lambda: preflight(config) if processes.first else check_machine(config.hardware))
    result = processes.together(lambda: Recipe(config, plain)).run()
    leave()
    return result


def _silent(error: Exception) -> int:
    """Return the exit code for an error reported by another process."""
    if isinstance(error, PausedError):
        return PAUSED
    if isinstance(error, OptionError | MissingExtraError):
        return USAGE
    return STORAGE if isinstance(error, StorageError) else FAILED


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
