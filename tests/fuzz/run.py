"""Attack the package until the time is up: `make fuzz MINUTES=60`, or `python -m tests.fuzz.run --minutes 60`.

Runs the attacks of this folder, and the property tests of all others, again and again with a fresh seed each time, in
two processes, and does not stop at failures. Failures are listed in `found.txt` with the commands that reproduce them,
and the attempts in `summary.json`. The exit status is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.counts import FILE_VARIABLE

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROPERTIES = HERE.parent / "properties"
"""Marker for the property tests outside this folder, which `make test` runs with the same examples every time."""
LONGEST_S = 1800.0
"""An attack that takes longer hangs, which is a finding."""
GRACE_S = 60.0
"""Once the time is up, an attack may write down what it found so far."""
INTERRUPTED, NOTHING_COLLECTED = 2, 5
"""Exit statuses of pytest."""


@dataclass
class Summary:
    """Trials and findings so far; shared by the processes' threads."""

    began: float = field(default_factory=time.monotonic)
    rounds: Counter[str] = field(default_factory=Counter)
    tests: int = 0
    found: dict[str, list[str]] = field(default_factory=dict)
    """Of each test that failed, the commands that make it fail again."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, name: str, tests: int, failed: list[str], command: str) -> None:
        """Take one run of an attack into account."""
        with self.lock:
            self.rounds[name] += 1
            self.tests += tests
            for test in failed:
                self.found.setdefault(test, []).append(command)
                print(f"FOUND {test}\n      {command}", flush=True)


@dataclass(frozen=True)
class Runner:
    """Runs attacks in processes of their own."""

    out: Path
    factor: float
    summary: Summary
    up: threading.Event
    """Set once the time is up."""

    def work(self, jobs: itertools.count[int], attacks: list[Path], first_seed: int) -> None:
        """Take one attack after the other until the time is up."""
        while not self.up.is_set():
            number = next(jobs)
            self.attack(attacks[number % len(attacks)], number, first_seed + number)

    def attack(self, file: Path, number: int, seed: int) -> None:
        """Run one attack with one seed."""
        name = f"{number:05}-{file.stem}"
        result = self.out / f"{name}.xml"
        chosen = ["-m", "", str(file.relative_to(ROOT))]
        if file == PROPERTIES:
            marks = "hypothesis and not training and not packaging and not browser"
            chosen = ["-m", marks, "tests", "--ignore=tests/fuzz"]
        # An attack has a time limit of its own.
        options = ["-q", "-p", "no:cacheprovider", "--timeout=0", f"--hypothesis-seed={seed}", *chosen]
        told = f"TELLER_GYM_FUZZ={self.factor:g} {shlex.join(['python', '-m', 'pytest', *options])}"
        counts = {"TELLER_GYM_FUZZ": f"{self.factor:g}", FILE_VARIABLE: str(self.out / "counts.jsonl")}
        command = [sys.executable, "-m", "pytest", f"--junitxml={result}", *options]
        log = self.out / f"{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, cwd=ROOT, env=os.environ | counts, stdout=output, stderr=output, start_new_session=True
            )
            hung = self._wait(process)
        tests, failed = _read(result) if result.exists() else (0, [])
        if hung:
            failed = [*failed, f"{file.stem} takes longer than {LONGEST_S:.0f} s"]
        elif not failed and process.returncode not in (0, NOTHING_COLLECTED) and not self._over(process):
            failed = [f"{file.stem} ended with status {process.returncode}"]
        self.summary.add(file.stem, tests, failed, f"{told}  # see {log}")
        if not failed:
            result.unlink(missing_ok=True)
            log.unlink()

    def _over(self, process: subprocess.Popen[bytes]) -> bool:
        """Return True if the end of the time ended an attack."""
        return self.up.is_set() and process.returncode in (INTERRUPTED, -signal.SIGKILL)

    def _wait(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait for an attack, as long as there is time; return whether it hung."""
        started = time.monotonic()
        while process.poll() is None and not self.up.wait(0.5):
            if time.monotonic() > started + LONGEST_S:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return True
        if process.poll() is None:
            process.send_signal(signal.SIGINT)  # pytest then writes down what failed
        try:
            process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return False


def _read(result: Path) -> tuple[int, list[str]]:
    """Return how many tests ran and which failed, as pytest names them."""
    cases = ElementTree.parse(result).getroot().findall(".//testcase")
    failed = [one for one in cases if one.find("failure") is not None or one.find("error") is not None]
    return len(cases), [f"{one.get('classname')}::{one.get('name')}" for one in failed]


def counted(file: Path) -> dict[str, int]:
    """Add up what the attacks counted."""
    total: Counter[str] = Counter()
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            total.update(json.loads(line))
    return dict(sorted(total.items()))


def report(out: Path, summary: Summary, first_seed: int, factor: float) -> str:
    """Write down what was done and found; return it as text."""
    told = {
        "minutes": round((time.monotonic() - summary.began) / 60, 1),
        "first_seed": first_seed,
        "factor": factor,
        "rounds": dict(sorted(summary.rounds.items())),
        "tests": summary.tests,
        "tried": counted(out / "counts.jsonl"),
        "found": {test: len(commands) for test, commands in sorted(summary.found.items())},
    }
    (out / "summary.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    found = [f"{test}, {len(commands)} times\n    {commands[0]}" for test, commands in sorted(summary.found.items())]
    (out / "found.txt").write_text("".join(f"{one}\n" for one in found), encoding="utf-8")
    lines = [f"{told['minutes']} minutes, {summary.tests} tests in {summary.rounds.total()} runs of attacks; tried:"]
    lines += [f"  {number:>12,} {what}" for what, number in counted(out / "counts.jsonl").items()]
    return "\n".join([*lines, *(found or ["nothing was found"]), f"see {out}"])


def main() -> int:
    """Read the command line, attack, and report the findings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long (default 60)")
    parser.add_argument("--processes", type=int, default=2, help="how many attacks at once (default 2)")
    parser.add_argument("--factor", type=float, default=4.0, help="examples of each run, times those of CI (default 4)")
    parser.add_argument("--seed", type=int, help="of the first run, the others count up (default: drawn, and told)")
    parser.add_argument("--out", type=Path, help="folder (default runs/fuzz/SEED)")
    parser.add_argument("attacks", nargs="*", help="names of attacks, such as actions (default: all)")
    options = parser.parse_args()
    first_seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    out = (options.out or ROOT / "runs" / "fuzz" / str(first_seed)).resolve()
    out.mkdir(parents=True, exist_ok=True)
    known = {file.stem.removeprefix("test_"): file for file in [*sorted(HERE.glob("test_*.py")), PROPERTIES]}
    attacks = [file for name, file in known.items() if not options.attacks or name in options.attacks]
    if not attacks:
        parser.error(f"attacks: expected some of {', '.join(known)}")
    print(f"seeds from {first_seed} on; {', '.join(file.stem for file in attacks)}; logs in {out}", flush=True)
    summary, up = Summary(), threading.Event()
    runner = Runner(out, options.factor, summary, up)
    jobs = itertools.count()
    threads = [threading.Thread(target=runner.work, args=(jobs, attacks, first_seed)) for _ in range(options.processes)]
    for thread in threads:
        thread.start()
    with contextlib.suppress(KeyboardInterrupt):  # ends it early; the findings are reported all the same
        up.wait(60 * options.minutes)
    up.set()
    for thread in threads:
        thread.join()
    print(report(out, summary, first_seed, options.factor))
    return 1 if summary.found else 0


if __name__ == "__main__":
    sys.exit(main())
