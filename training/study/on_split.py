"""Evaluate a finished run's last checkpoint on another split, with the settings of the run's own evaluation.

    python -m teller_gym.training.study.on_split runs/record/loans/seed-0/run heldout_policy FOLDER

The process has one thread, and can be killed and continued.
"""

from __future__ import annotations

import sys
from pathlib import Path

from teller_gym.agents.sampling import keep_memory
from teller_gym.base.errors import TellerError
from teller_gym.base.output import take_any_text
from teller_gym.evaluation.records.jsonl import read_json
from teller_gym.training.config.run import Config
from teller_gym.training.phases.phase import Run
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.run_records.evaluations import evaluate_checkpoint
from teller_gym.training.run_records.settings_lock import CONFIG_FILE, METRICS_FILE
from teller_gym.training.study.reading import phases_of
from teller_gym.training.tasks.mixture import Mixture


def evaluate(run: Path, split: str, folder: Path) -> None:
    """Evaluate a run's last checkpoint on a split, without repeating finished episodes.

    Raises:
        TellerError: see `teller_gym.evaluate`.
    """
    found = read_json(run / CONFIG_FILE)
    found["evaluation"]["split"] = split
    config = Config.model_validate({name: found[name] for name in Config.model_fields})
    mixture = Mixture.of(config.env.id, config.env.options)
    last = phases_of(run)[-1]
    as_run = Run(config, run, MetricsLog(run / METRICS_FILE), mixture)
    evaluate_checkpoint(as_run, last, run / last / "checkpoint", folder)


if __name__ == "__main__":
    take_any_text()
    keep_memory()
    try:
        evaluate(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
    except TellerError as error:
        sys.exit(str(error))
