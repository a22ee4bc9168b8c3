"""Evaluate a finished run's last checkpoint on another split, with the settings of the run's own evaluation.

    python -m teller_gym.training.study.on_split runs/record/loans/seed-0/run heldout_policy FOLDER

It runs in a separate process, with one thread, that can be killed and continued.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import teller_gym
from teller_gym.agents.sampling import keep_memory
from teller_gym.base.errors import TellerError
from teller_gym.base.output import take_any_text
from teller_gym.evaluation.records.jsonl import read_json
from teller_gym.evaluation.records.run_folder import read_config
from teller_gym.training.run_records.settings_lock import CONFIG_FILE
from teller_gym.training.study.reading import phases_of
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.mixture import Mixture


def evaluate(run: Path, split: str, folder: Path) -> None:
    """Play the tasks of a split with a run's last checkpoint; finished episodes are not repeated.

    Args:
        run: folder of a finished training.
        split: split that the run did not evaluate.
        folder: folder of the evaluation.

    Raises:
        TellerError: see `teller_gym.evaluate`.
    """
    config: dict[str, Any] = read_json(run / CONFIG_FILE)
    last = phases_of(run)[-1]
    played = read_config(run / last / "evaluation")
    options = {name: value for name, value in config["env"].items() if name != "id"}
    wanted, band = config["evaluation"], Band.parse(config["difficulty"])
    ids = None
    if not band.whole:
        scenarios = Mixture.of(config["env"]["id"], options).evaluated
        ids = [one for name in scenarios for one in band.evaluated(name, split, wanted["n"])]
    teller_gym.evaluate(
        str(run / last / "checkpoint"),
        config["env"]["id"],
        split,
        n=wanted["n"] if ids is None else None,
        task_ids=ids,
        run_dir=folder,
        trials=played["trials"],
        concurrency=wanted["concurrency"],
        seed=played["seed"],
        env_kwargs=options,
        agent_kwargs={**played["agent"]["options"], "name": last},
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Evaluate; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of a finished training")
    parser.add_argument("split", help="such as heldout_policy")
    parser.add_argument("folder", type=Path, help="for the evaluation")
    chosen = parser.parse_args(argv)
    keep_memory()
    try:
        evaluate(chosen.run, chosen.split, chosen.folder)
    except TellerError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    take_any_text()
    raise SystemExit(main())
