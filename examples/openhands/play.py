"""Play office tasks with an external agent runtime, and print the paper's table.

    python examples/openhands/play.py --run-dir runs/openhands
    python examples/openhands/play.py --run-dir runs/standin --agent 'python examples/openhands/stand_in.py
        --prompt {prompt} --task {task} --report {report} --idle *-low'

For each task the office is served, the prompt is written to a file, and the agent's command is run with these words
replaced: {prompt} the file, {task} the id, {report} a file to which the command may write {"steps": 12, "usd": 0.31}.
When the command ends, or the time is up, the office is judged. The same command continues an interrupted run: tasks
with a verdict are not played again, and an unfinished one starts over. If the agent's command ends with an exit code
other than 0 (see --done-code), it broke down: the task gets no verdict, and is played again the next time.

Exit code: 0 all tasks have verdicts, 1 some have none, 2 an option or the folder cannot be used.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from teller_gym.base.errors import OptionError, TellerError
from teller_gym.base.files import FolderLock, append_line, disk, mend_last_line, write_whole
from teller_gym.evaluation.measures.office import OfficeRow, office_table
from teller_gym.office_tasks.contract import load_office
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.office_tasks.verdict import Failure
from teller_gym.procedure.task import Split
from teller_gym.registration import OFFICES
from teller_gym.tables.text import as_text

OPENHANDS: Final = "openhands --headless --json --override-with-envs -f {prompt}"
VERDICTS: Final = "verdicts.jsonl"
_IN_A_ROW: Final = 3
"""Number of consecutive breakdowns after which the run stops, since the runtime and not a task is then at fault."""
_PATIENCE_S: Final = 120.0
_MARK: Final = "--JSON Event--"
_DEATH_SIGNAL: Final = 1
"""PR_SET_PDEATHSIG on Linux."""


def play(task: OfficeTask, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Play a task, and return its line of the verdicts.

    The office ends when its standard input is closed, so that it does not outlive this process.
    """
    folder.mkdir(parents=True)
    files = {name: folder / name for name in ("prompt.txt", "verdict.json", "access.jsonl", "office.log", "agent.log")}
    command = [
        sys.executable, "-m", "teller_gym.cli", "office", "run", task.id, "--json",
        "--prompt-file", str(files["prompt.txt"]), "--verdict-file", str(files["verdict.json"]),
        "--log", str(files["access.jsonl"]), *shlex.split(options.office),
    ]  # fmt: skip
    with files["office.log"].open("wb") as log:
        office = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True)
    line = {"task": task.id, "kind": task.kind, "autonomy": task.autonomy, "level": task.level, "invalid": None}
    try:
        _wait_for(files["prompt.txt"], office, files["office.log"])
        report = folder / "report.json"
        exit_code = _run_agent(task, files["prompt.txt"], report, files["agent.log"], options)
        office.communicate(b"done\n", timeout=_PATIENCE_S)
    finally:
        if office.poll() is None:
            os.killpg(office.pid, signal.SIGKILL)
            office.wait()
    if exit_code is not None and exit_code not in options.done_code:
        return line | {"invalid": f"the agent's command ended with exit code {exit_code}; see {files['agent.log']}"}
    if not files["verdict.json"].exists():
        return line | {"invalid": f"the office ended without a verdict; see {files['office.log']}"}
    verdict = json.loads(files["verdict.json"].read_bytes())
    used = _reported(report) or {"steps": _events(files["agent.log"]), "usd": None}
    return line | {
        "success": verdict["success"], "time_is_up": exit_code is None, "findings": verdict["findings"],
        "collateral": verdict["collateral"], **used,
    }  # fmt: skip


def _run_agent(task: OfficeTask, prompt: Path, report: Path, log: Path, options: argparse.Namespace) -> int | None:
    """Run the agent's command in its own folder, and return its exit code; None if the time was up."""
    words = {"{prompt}": str(prompt), "{task}": task.id, "{report}": str(report)}
    command = shlex.split(options.agent)
    for name, value in words.items():
        command = [word.replace(name, value) for word in command]
    workspace = prompt.with_name("workspace")
    workspace.mkdir()
    with log.open("wb") as output:
        try:
            agent = subprocess.Popen(
                command, cwd=options.folder or workspace, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
                preexec_fn=_end_with_parent if sys.platform == "linux" else None,
            )  # fmt: skip
        except OSError as error:
            raise OptionError(f"agent: expected a command that runs, got {command[0]!r}: {error.strerror}") from None
        try:
            return agent.wait(options.minutes * 60)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(agent.pid, signal.SIGKILL)
            agent.wait()


def _end_with_parent() -> None:
    """Have the kernel end the agent when this process dies, even by kill -9."""
    import ctypes

    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGTERM)


def _wait_for(prompt: Path, office: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not prompt.exists():
        if office.poll() is not None or time.monotonic() > end:
            raise OptionError(f"office: it does not serve; it said: {log.read_text('utf-8', 'replace')[-500:].strip()}")
        time.sleep(0.05)


def _reported(report: Path) -> dict[str, Any] | None:
    """Return the steps and cost that the command reported; None without a readable report."""
    try:
        found = json.loads(report.read_bytes())
        steps, usd = found.get("steps"), found.get("usd")
    except (OSError, ValueError, AttributeError):
        return None
    is_number = {name: type(value) in (int, float) for name, value in (("steps", steps), ("usd", usd))}
    return {"steps": steps if is_number["steps"] else None, "usd": usd if is_number["usd"] else None}


def _events(log: Path) -> int | None:
    """Return the number of actions in the output of `openhands --json`, which marks each event; None without a mark."""
    text, decoder = log.read_text("utf-8", "replace"), json.JSONDecoder()
    pieces = text.split(_MARK)[1:]
    if not pieces:
        return None
    found = 0
    for piece in pieces:
        with suppress(ValueError):
            event, _ = decoder.raw_decode(piece.lstrip())
            found += isinstance(event, dict) and event.get("kind") == "ActionEvent"
    return found


def table(lines: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of verdicts by autonomy: tasks without a verdict above it, the paper's figures below."""
    valid = [line for line in lines if line["invalid"] is None]
    rows = [_row(name, [one for one in valid if one["autonomy"] == name]) for name in ("high", "low")]
    shown = as_text(office_table([row for row in rows if row is not None]))
    right, broken = sum(line["success"] for line in valid), len(lines) - len(valid)
    first = f"{right} of {len(valid)} tasks resolved"
    if broken:
        first += f"; {broken} without a verdict are left out, with them as failures {right} of {len(lines)}"
    return f"{first}\n\n{shown}\n"


def _row(name: str, lines: Sequence[Mapping[str, Any]]) -> OfficeRow | None:
    if not lines:
        return None
    findings = [one for line in lines for one in line["findings"]]
    steps = [line["steps"] for line in lines if line["steps"] is not None]
    costs = [line["usd"] for line in lines if line["usd"] is not None]
    classes = {str(one): sum(found["failure"] == one for found in findings) for one in Failure}
    return OfficeRow(
        name, sum(line["success"] for line in lines), len(lines), sum(one["passed"] for one in findings), len(findings),
        sum(steps) / len(steps) if steps else float("nan"), sum(costs) / len(costs) if costs else None, classes,
    )  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Play the tasks that have no verdict yet, and print the table."""
    options = _read(argv)
    office = load_office(OFFICES["wealth"])
    tasks = [office.find(task_id) for task_id in options.task or office.ids(Split.HELDOUT)]
    run = options.run_dir.resolve()
    with disk(run, "the verdicts so far are safe"):
        run.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(run, "run_dir")
        _expect_same(run / "settings.json", {"agent": options.agent, "minutes": options.minutes})
        mend_last_line(run / VERDICTS, _is_line)
        lines = _stored(run / VERDICTS)
        broken = 0
        for number, task in enumerate(tasks, 1):
            if task.id in lines and lines[task.id]["invalid"] is None:
                continue
            folder = run / "tasks" / task.id
            attempt = 1 + sum(1 for _ in folder.glob("attempt-*"))
            line = play(task, folder / f"attempt-{attempt}", options)
            append_line(run / VERDICTS, json.dumps(line).encode() + b"\n")
            lines[task.id] = line
            word = line["invalid"] or ("right" if line["success"] else "not right")
            print(f"{number}/{len(tasks)} {task.id}: {word}", file=sys.stderr, flush=True)
            broken = 0 if line["invalid"] is None else broken + 1
            if broken == _IN_A_ROW:
                print(f"{broken} commands in a row broke down: the run stops here", file=sys.stderr)
                break
        found = [lines[task.id] for task in tasks if task.id in lines]
        text = table(found)
        write_whole(run / "table.txt", text.encode())
        lock.close()
    print(text, end="")
    return 0 if len(found) == len(tasks) and all(line["invalid"] is None for line in found) else 1


def _read(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run-dir", type=Path, required=True, help="verdicts, table, and a folder for each task")
    parser.add_argument("--agent", default=OPENHANDS, metavar="COMMAND", help=f"the agent's command ({OPENHANDS})")
    parser.add_argument("--task", action="append", metavar="ID", help="a task to play; all 24 unless given")
    parser.add_argument("--minutes", type=float, default=30.0, help="time of a task (30)")
    parser.add_argument("--done-code", type=int, action="append", metavar="N", help="exit code of a proper end (0)")
    parser.add_argument("--office", default="", metavar="WORDS", help="more options of `teller-gym office run`")
    parser.add_argument("--folder", type=Path, help="where the command is run (an empty folder for each task)")
    options = parser.parse_args(argv)
    options.done_code = options.done_code or [0]
    if not 0 < options.minutes < 1e6 or not shlex.split(options.agent):
        parser.error("expected a number of minutes above 0, and a command")
    return options


def _expect_same(path: Path, settings: Mapping[str, Any]) -> None:
    """Refuse a folder with verdicts of an agent with other settings."""
    if path.exists() and json.loads(path.read_bytes()) != settings:
        raise OptionError(f"run_dir: {path} has other settings ({path.read_text('utf-8')}); use another folder")
    write_whole(path, json.dumps(settings).encode())


def _stored(path: Path) -> dict[str, dict[str, Any]]:
    """Return the last stored line of each task."""
    if not path.exists():
        return {}
    lines = [json.loads(text) for text in path.read_bytes().splitlines() if _is_line(text)]
    return {line["task"]: line for line in lines}


def _is_line(text: bytes) -> bool:
    try:
        found = json.loads(text)
        return isinstance(found, dict) and {"task", "invalid", "autonomy"} <= found.keys()
    except ValueError:
        return False


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TellerError as mistake:
        print(f"play.py: {mistake}", file=sys.stderr)
        sys.exit(2 if isinstance(mistake, OptionError) else 1)
