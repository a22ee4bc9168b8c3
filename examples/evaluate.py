"""Run a complete evaluation of a model and open its report, without a GPU, hub or account.

    python -m examples.evaluate --tasks 10     # what `make evaluate` runs: ten tasks of each scenario and stage
    python -m examples.evaluate                # every held-out task

The model is the checkpoint of `make demo` if there is one. It is played in this process with the prompt that it was
trained on: it has learned loans from the request only, whereas a server shows every model the whole procedure.
Otherwise the model is `teller-gym serve-expert`, a real endpoint, with a mistake in two of five tasks, so that the
report shows each kind of failure.

The same command continues an interrupted run. It prints all commands that it runs, so that they can be repeated with
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
"""Share of tasks in which the served expert makes a mistake, and the seed by which these tasks are chosen."""

DEMO = ("grpo", "sft")
"""Checkpoints of `make demo`, in order of preference."""

SETTINGS = ("split=heldout", "concurrency=4")
EXPERT_SETTINGS = ("env=all", "stage=[1,2]", "endpoint=options", "graph.distractors=0")
DEMO_SETTINGS = ("env=loans", "agent.temperature=0.5")
"""Settings of the demo's own evaluation, since it was trained on loans only."""


def teller_gym(*words: str) -> None:
    """Run a command of `teller-gym`, and exit with its code if it fails."""
    print(f"$ teller-gym {' '.join(words)}", flush=True)
    # In a process group of its own, so that Ctrl-C reaches only this process, which then ends the command.
    done = subprocess.run([sys.executable, "-m", "teller_gym.cli", *words], process_group=0, check=False)
    if done.returncode:
        sys.exit(done.returncode)


@contextmanager
def served_expert() -> Iterator[tuple[str, ...]]:
    """Serve the expert, with its mistakes, in another process, and yield the agent's settings."""
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
    """Run all steps with the command line's options."""
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
            # The address differs each time, but a run does not depend on it.
            teller_gym("eval", *EXPERT_SETTINGS, *agent, *SETTINGS, *tasks, f"run_dir={run}")
    teller_gym("report", str(run))
    teller_gym("view", str(run), "--no-serve")
    page = (run / "report" / "report.html").resolve()
    if chosen.no_open or not webbrowser.open(page.as_uri()):
        print(f"the report: {page}")


if __name__ == "__main__":
    main()
