"""Runs a study: each run with the ordinary command in its own folder, then its last checkpoint on more splits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from teller_gym.base.errors import OptionError
from teller_gym.base.files import write_whole
from teller_gym.evaluation.records.jsonl import read_json
from teller_gym.evaluation.records.run_folder import REPORT_FILE
from teller_gym.training.run_records.settings_lock import take_over
from teller_gym.training.study.commands import RESULT_FILE, processor, run
from teller_gym.training.study.plan import Job
from teller_gym.training.study.reading import COMMAND_FILE, PROCESSORS_FILE, RUN, further_splits


def play_all(jobs: Sequence[Job], at_once: int) -> list[str]:
    """Run all unfinished jobs, and return a message for each that failed.

    Raises:
        OptionError: a folder has a finished run of another command.
    """
    for job in jobs:
        check_command(job)
    begun: dict[Path, Future[str]] = {}
    with ThreadPoolExecutor(at_once) as pool:
        for job in jobs:
            # The run that it copies was started earlier, so that there is no deadlock.
            begun[job.folder] = pool.submit(_failure, job, begun.get(job.begins_with) if job.begins_with else None)
        return [failure for one in begun.values() if (failure := one.result())]


def check_command(job: Job) -> None:
    """Check that the finished parts in a run's folder belong to the study's current command.

    Raises:
        OptionError: they belong to another command.
    """
    path = job.folder / COMMAND_FILE
    if not (job.folder / RESULT_FILE).exists():
        return
    found = read_json(path) if path.exists() else []
    if found != list(job.words):
        was, now = (" ".join(words) or "an unknown one" for words in (found, job.words))
        raise OptionError(
            f"{job.folder} holds a finished run of another command ({was}) than the study's ({now}); choose other "
            "--runs, rename the variant, or remove that folder"
        )


def play(job: Job) -> None:
    """Do the remaining work of a run.

    Raises:
        RuntimeError: a command failed; the message has the end of its log.
    """
    job.folder.mkdir(parents=True, exist_ok=True)
    finished = job.folder / RESULT_FILE
    if not finished.exists():
        write_whole(job.folder / COMMAND_FILE, json.dumps(list(job.words)).encode())
        # A run that is continued on another machine has several.
        path = job.folder / PROCESSORS_FILE
        known = read_json(path) if path.exists() else []
        write_whole(path, json.dumps(list(dict.fromkeys([*known, processor()]))).encode())
    if job.begins_with is not None and job.shared is not None:
        take_over(job.begins_with / RUN, job.folder / RUN, job.shared)
    if not finished.exists():
        words = [*job.words, f"run_dir={job.folder / RUN}"]
        run(job.name, job.folder, ["teller_gym.cli", *words], f"teller-gym {' '.join(words)}")
        # Written atomically, since its existence means that the run is finished.
        write_whole(finished, (job.folder / RUN / RESULT_FILE).read_bytes())
    for split, folder in further_splits(job).items():
        if (folder / REPORT_FILE).exists():
            continue
        words = ["teller_gym.training.study.on_split", str(job.folder / RUN), split, str(folder)]
        run(f"{job.name}, {split}", job.folder, words, f"python -m {' '.join(words)}")


def _failure(job: Job, before: Future[str] | None) -> str:
    """Do a run's remaining work after the run that it copies.

    Returns:
        The error message, or an empty string if the run succeeded.
    """
    if before is not None and before.result():
        return f"{job.name} was not begun: what it begins with was not finished"
    try:
        play(job)
    except (RuntimeError, OptionError) as error:
        return str(error)
    return ""
