"""Evaluate a tiny checkpoint behind a real server, whole, and look at what came out; no GPU, hub or account.

    python -m examples.evaluate_tiny                # what `make evaluate` runs: every scenario, both stages, held out
    python -m examples.evaluate_tiny --tasks 5      # five tasks of each only

The same command continues a run that was cut off anywhere. Every step is a command that it prints, so that it can be
repeated with another model. Needs the extras `train`, `eval` and `serve`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import webbrowser
from pathlib import Path

from examples.tiny_server import build, end_on_sigterm, serve

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
INTERRUPTED = 130
"""Exit code after Ctrl-C."""


def teller_gym(*words: str) -> None:
    """Run a command of `teller-gym`; end with its exit code if it fails, as after Ctrl-C, of which it tells itself."""
    print(f"$ teller-gym {' '.join(words)}", flush=True)
    with subprocess.Popen([sys.executable, "-m", "teller_gym.cli", *words]) as command:
        try:
            code = command.wait()
        except KeyboardInterrupt:  # the command got it, too
            code = command.wait()
            if code != INTERRUPTED:
                raise
        except BaseException:
            command.terminate()
            raise
    if code:
        sys.exit(code)


def main() -> None:
    """Make the checkpoint, serve it, evaluate it, write the pages and open one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("runs/tiny"), help="checkpoint, made if missing")
    parser.add_argument("--run", type=Path, default=Path("runs/evaluate"), help="run folder")
    parser.add_argument("--tasks", type=int, default=None, help="of each scenario and stage; all unless given")
    parser.add_argument("--no-open", action="store_true", help="write the pages, open none")
    chosen = parser.parse_args()
    end_on_sigterm()
    try:
        evaluate(chosen)
    except KeyboardInterrupt:
        print("interrupted; the same command continues", file=sys.stderr)
        sys.exit(INTERRUPTED)


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
    main()
