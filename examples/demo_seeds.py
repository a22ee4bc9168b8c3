"""Run the demo with several seeds and write the table of what came out; nothing of one seed reaches another.

    python -m examples.demo_seeds --seeds 0-7 --jobs 2 --out results/demo

Each seed is the command that `make demo` runs, on one thread, in a folder of its own under `--runs`. The same command
continues what was cut off and reads what is finished. Writes `seeds.md`, `seeds.csv`, and the first seed's table and
curve. Needs the extras `train` and `eval`.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import teller_gym
from teller_gym.base.output import take_any_text
from teller_gym.cli.interrupt import ending_soon, note
from teller_gym.tables.comma_separated import csv_text
from teller_gym.tables.markdown import markdown_text
from teller_gym.training.study.commands import RESULT_FILE, SECONDS_FILE, processor, train
from teller_gym.training.study.seeds import mean_interval, parse_seeds


@dataclass(frozen=True)
class Row:
    """Results for a seed: scores and shares in [0, 1], processor seconds; None for a phase left out.

    Scores are of the run's own evaluations; those with `greedy` are of the same tasks with the likeliest token always.
    """

    seed: int
    untrained: float
    sft: float
    grpo: float | None
    sft_greedy: float
    grpo_greedy: float | None
    sft_valid_calls: float
    grpo_valid_calls: float | None
    best_cheap: float
    cheap_agent: str
    cpu_seconds: float


def play(seed: int, runs: Path, overrides: Sequence[str]) -> Path:
    """Run the demo with a seed, or what is missing of it; return its folder.

    Raises:
        RuntimeError: the run ended with an error; the message has its last words.
    """
    folder = runs / f"seed-{seed}"
    words = ["train", "--config-name", "demo", "logger=none", f"seed={seed}", f"run_dir={folder / 'run'}", *overrides]
    return train(f"seed {seed}", folder, words)


def greedy(phase: str, folder: Path) -> float | None:
    """Return the score of a phase's checkpoint with greedy decoding, over the tasks of its evaluation."""
    of_run = folder / "run" / phase / "evaluation" / "run.json"
    if not of_run.exists():
        return None
    found = json.loads(of_run.read_text("utf-8"))
    env = json.loads((folder / "run" / "config.json").read_text("utf-8"))["env"]
    report = teller_gym.evaluate(
        str(folder / "run" / phase / "checkpoint"),
        found["parts"][0]["env"],
        task_ids=found["parts"][0]["task_ids"],
        run_dir=folder / "greedy" / phase,
        concurrency=50,
        env_kwargs={key: value for key, value in env.items() if key != "id"},
        agent_kwargs=found["agent"]["options"] | {"name": phase, "temperature": 0.0},
    )
    return report.metrics["score"].value


def read(seed: int, folder: Path) -> Row:
    """Read the row of a finished run, and evaluate its checkpoints with greedy decoding if that is not done yet."""
    reports = json.loads((folder / RESULT_FILE).read_text("utf-8"))["reports"]

    def value(phase: str, metric: str) -> float:
        found: Any = reports[phase]["stages"]["2"]["metrics"][metric]["value"]
        return 0.0 if found is None else float(found)

    cheap = {name: value(name, "score") for name in reports if name not in ("expert", "untrained", "sft", "grpo")}
    best = max(cheap, key=lambda name: cheap[name])
    return Row(
        seed=seed,
        untrained=value("untrained", "score"),
        sft=value("sft", "score"),
        grpo=value("grpo", "score") if "grpo" in reports else None,
        sft_greedy=greedy("sft", folder) or 0.0,
        grpo_greedy=greedy("grpo", folder),
        sft_valid_calls=value("sft", "valid_calls"),
        grpo_valid_calls=value("grpo", "valid_calls") if "grpo" in reports else None,
        best_cheap=cheap[best],
        cheap_agent=best,
        cpu_seconds=json.loads((folder / SECONDS_FILE).read_text("utf-8")),
    )


def table(rows: Sequence[Row], of: str, command: str) -> str:
    """Write the rows as a Markdown page."""
    lines = [
        "# The demo, seed by seed",
        "",
        f"`{command}` on {processor()}; one thread a seed. Scores are means over {of}; those called greedy are of the "
        "same tasks, once each, with the likeliest token always. The best cheap agent is the best of the reference "
        "agents that know no answers.",
        "",
        "| seed | untrained | SFT | SFT + GRPO | GRPO's difference | SFT, greedy | SFT + GRPO, greedy | "
        "valid calls, SFT | valid calls, GRPO | best cheap agent | processor seconds |",
        "|---" * 11 + "|",
    ]
    for row in rows:
        gained = None if row.grpo is None else row.grpo - row.sft
        lines.append(
            f"| {row.seed} | {row.untrained:.3f} | {row.sft:.3f} | {_figure(row.grpo)} | {_figure(gained, '+.3f')} | "
            f"{row.sft_greedy:.3f} | {_figure(row.grpo_greedy)} | "
            f"{row.sft_valid_calls:.3f} | {_figure(row.grpo_valid_calls)} | {row.best_cheap:.3f} "
            f"({markdown_text(row.cheap_agent)}) | "
            f"{row.cpu_seconds:.0f} |"
        )
    return "\n".join([*lines, *_over_seeds(rows)]) + "\n"


def _figure(value: float | None, form: str = ".3f") -> str:
    return "–" if value is None else format(value, form)


def _over_seeds(rows: Sequence[Row]) -> list[str]:
    """Return lines on all seeds together; none for a single one."""
    if len(rows) < 2:
        return []
    lines = [""]
    for name in ("untrained", "sft", "grpo", "sft_greedy", "grpo_greedy", "sft_valid_calls", "grpo_valid_calls"):
        values = [value for row in rows if (value := getattr(row, name)) is not None]
        if len(values) == len(rows):
            mean, low, high = mean_interval(values)
            lines.append(f"- {name}: mean {mean:.3f} [{low:.3f}, {high:.3f}], lowest {min(values):.3f}")
    pairs = {
        "GRPO's difference": [(row.sft, row.grpo) for row in rows],
        "GRPO's difference, greedy": [(row.sft_greedy, row.grpo_greedy) for row in rows],
    }
    for name, scores in pairs.items():
        gained = [after - before for before, after in scores if after is not None]
        if len(gained) == len(rows):
            mean, low, high = mean_interval(gained)
            lines.append(f"- {name}: mean {mean:+.3f}, 95 % interval over seeds [{low:+.3f}, {high:+.3f}]")
    lowest = [min(row.sft, row.sft if row.grpo is None else row.grpo) for row in rows]
    above = sum(score > row.best_cheap for score, row in zip(lowest, rows, strict=True))
    lines.append(f"- after every phase above the best cheap agent: {above} of {len(rows)} seeds")
    return lines


def main() -> None:
    """Run the seeds and write the page."""
    note("the same command continues")
    with ending_soon():
        _main()


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0-7", help="such as 0-7 or 0,3")
    parser.add_argument("--jobs", type=int, default=2, help="seeds that run at the same time, a core each")
    parser.add_argument("--runs", type=Path, default=Path("runs/demo-seeds"), help="run folders")
    parser.add_argument("--out", type=Path, default=Path("results/demo"), help="where the table goes")
    parser.add_argument("overrides", nargs="*", help="settings of the run, such as method.grpo.steps=2")
    chosen = parser.parse_args()
    seeds = parse_seeds(chosen.seeds)
    with ThreadPoolExecutor(chosen.jobs) as pool:
        folders = list(pool.map(lambda seed: play(seed, chosen.runs, chosen.overrides), seeds))
    rows = [read(seed, folder) for seed, folder in zip(seeds, folders, strict=True)]
    result = json.loads((folders[0] / RESULT_FILE).read_text("utf-8"))
    of = result["of"]
    words = ["python -m examples.demo_seeds", f"--seeds {chosen.seeds}", f"--jobs {chosen.jobs}", *chosen.overrides]
    chosen.out.mkdir(parents=True, exist_ok=True)
    page = table(rows, of, " ".join(words))
    (chosen.out / "seeds.md").write_text(page, "utf-8")
    with (chosen.out / "seeds.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(asdict(rows[0])), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) | {"cheap_agent": csv_text(row.cheap_agent)} for row in rows)
    for name in ("table.txt", "curve.png"):
        shutil.copy(folders[0] / "run" / name, chosen.out)
    print(page)


if __name__ == "__main__":
    take_any_text()
    main()
