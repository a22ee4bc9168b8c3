"""Evaluate a tiny checkpoint behind a real server, whole, and look at what came out; no GPU, hub or account.

    python -m examples.evaluate_tiny --tasks 10     # what `make evaluate` runs: ten tasks of each scenario and stage
    python -m examples.evaluate_tiny                # every held-out task

The same command continues a run that was cut off anywhere. Every step is a command that it prints, so that it can be
repeated with another model. Needs the extras `train`, `eval` and `serve`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import webbrowser
from pathlib import Path

from examples.tiny_server import build, serve
from teller_gym.base.output import take_any_text
from teller_gym.cli.interrupt import ending_soon, note

SETTINGS = (
    "env=all",
    "stage=[1,2]",
    "split=heldout",
    "endpoint=transformers_serve",
    # The tiny model reads 32,768 tokens, and says nothing worth waiting for.
    "agent.context=32768",
    "agent.max_new_tokens=64",
    "agent.temperature=0.0",
    "graph.distractors=0",
    "concurrency=4",
)


def teller_gym(*words: str) -> None:
    """Run a command of `teller-gym`; end with its exit code if it fails."""
    print(f"$ teller-gym {' '.join(words)}", flush=True)
    # In a group of its own Ctrl-C comes to us alone: we end it, and there is one line about it.
    done = subprocess.run([sys.executable, "-m", "teller_gym.cli", *words], process_group=0, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def main() -> None:
    """Make the checkpoint, serve it, evaluate it, write the pages and open one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("runs/tiny"), help="checkpoint, made if missing")
    parser.add_argument("--run", type=Path, default=Path("runs/evaluate"), help="run folder")
    parser.add_argument("--tasks", type=int, default=None, help="of each scenario and stage; all unless given")
    parser.add_argument("--no-open", action="store_true", help="write the pages, open none")
    chosen = parser.parse_args()
    note("the same command continues")
    with ending_soon():
        evaluate(chosen)


def evaluate(chosen: argparse.Namespace) -> None:
    """Take all steps, as the command line says."""
    folder = build(chosen.folder)
    tasks = [] if chosen.tasks is None else [f"n={chosen.tasks}"]
    with serve(folder) as url:
        model = (f"agent.base_url={url}", f"agent.model={folder.resolve()}", "agent.name=tiny")
        teller_gym("eval", *SETTINGS, *model, *tasks, f"run_dir={chosen.run}")
    teller_gym("report", str(chosen.run))
    teller_gym("view", str(chosen.run), "--no-serve")
    page = (chosen.run / "report" / "report.html").resolve()
    if chosen.no_open or not webbrowser.open(page.as_uri()):
        print(f"the report: {page}")


if __name__ == "__main__":
    take_any_text()
    main()
