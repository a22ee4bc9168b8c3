"""Run a whole evaluation of a model and open its report; needs no GPU, hub or account.

    python -m examples.evaluate --tasks 10     # what `make evaluate` runs: ten tasks of each scenario and stage
    python -m examples.evaluate                # every held-out task

The model is the checkpoint of `make demo` if there is one, played in this process with the prompt that it was trained
on: it has learned loans from the request only, so a server, which shows every model the whole procedure, would be of no
use to it. Otherwise it is `teller-gym serve-expert`, a real endpoint, with a mistake in two tasks of five, so that the
report shows each kind of failure.

The same command continues an interrupted run. It prints every command that it runs, so that each can be repeated with
another model. Needs the extra `eval`, and `train` for a checkpoint.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from teller_gym.cli.interrupt import ending_soon, note

MISTAKES, SEED = 0.4, 1
"""Share of tasks in which the served expert makes a mistake, and the seed that decides which tasks these are."""

DEMO = ("grpo", "sft")
"""Checkpoints of `make demo`, the preferred one first."""

SETTINGS = ("split=heldout", "concurrency=4")
EXPERT_SETTINGS = ("env=all", "stage=[1,2]", "endpoint=options", "graph.distractors=0")
DEMO_SETTINGS = ("env=loans", "agent.temperature=0.5")
"""The settings of the demo's own evaluation: it has seen loans only."""


def teller_gym(*words: str) -> None:
    """Run a command of `teller-gym`; end with its exit code if it fails."""
    print(f"$ teller-gym {' '.join(words)}", flush=True)
    # In a process group of its own: Ctrl-C reaches only us; we end the command, and one line is printed about it.
    done = subprocess.run([sys.executable, "-m", "teller_gym.cli", *words], process_group=0, check=False)
    if done.returncode:
        sys.exit(done.returncode)


@contextmanager
def served_expert() -> Iterator[tuple[str, ...]]:
    """Serve the expert, with its mistakes, in a process of its own; yield the settings of the agent."""
    words = ["serve-expert", "--port", "0", "--mistakes", str(MISTAKES), "--seed", str(SEED), "--json"]
    print(f"$ teller-gym {' '.join(words)}", flush=True)
    command = [sys.executable, "-m", "teller_gym.cli", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, process_group=0) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            if not line:
                sys.exit("teller-gym serve-expert ended before it listened")
            told = json.loads(line)
            yield (
                f"agent.base_url={told['base_url']}",
                f"agent.model={told['model']}",
                "agent.name=expert_with_mistakes",
            )
        finally:
            server.kill()


def main() -> None:
    """Evaluate a model, write the pages and open one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demo", type=Path, default=Path("runs/demo"), help="run folder of make demo")
    parser.add_argument("--run", type=Path, default=Path("runs/evaluate"), help="folder for the run and its pages")
    parser.add_argument("--tasks", type=int, default=None, help="of each scenario and stage; all unless given")
    parser.add_argument("--expert", action="store_true", help="play the expert although there is a checkpoint")
    parser.add_argument("--no-open", action="store_true", help="write the pages, open none")
    chosen = parser.parse_args()
    note("the same command continues")
    with ending_soon():
        evaluate(chosen)


def evaluate(chosen: argparse.Namespace) -> None:
    """Run all steps with the options of the command line."""
    found = [chosen.demo / name / "checkpoint" for name in DEMO]
    checkpoint = next((one for one in found if (one / "config.json").exists()), None)
    tasks = () if chosen.tasks is None else (f"n={chosen.tasks}",)
    if checkpoint is not None and not chosen.expert:
        run = chosen.run / "demo"
        teller_gym("eval", f"agent={checkpoint}", *DEMO_SETTINGS, *SETTINGS, *tasks, f"run_dir={run}")
    else:
        if not chosen.expert:
            print(f"there is no checkpoint in {chosen.demo} (make demo trains one): the expert plays, with mistakes")
        run = chosen.run / "expert"
        with served_expert() as agent:
            # The address differs each time; it is not one of the settings that a run depends on.
            teller_gym("eval", *EXPERT_SETTINGS, *agent, *SETTINGS, *tasks, f"run_dir={run}")
    teller_gym("report", str(run))
    teller_gym("view", str(run), "--no-serve")
    page = (run / "report" / "report.html").resolve()
    if chosen.no_open or not webbrowser.open(page.as_uri()):
        print(f"the report: {page}")


if __name__ == "__main__":
    main()
