"""The job script for Slurm, run with fakes of Slurm's commands."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from teller_gym.training.config.run import load
from teller_gym.training.launch.slurm import script

NAMES = ["node1", "node2", "node3", "node4", "node5"]


@pytest.fixture
def slurm(tmp_path: Path) -> Path:
    """Return a folder with fake commands that log their calls; the training ends when the file `code` has its code."""
    commands = {
        "scontrol": 'echo "scontrol $*" >> calls\n[ "$1" = requeue ] || printf "%s\\n" ' + " ".join(NAMES),
        "srun": """
echo "srun $*" >> calls
case "$*" in *"vllm serve"*) exec sleep 60 ;; esac
trap 'echo asked >> calls; exit 3' USR1
while [ ! -e code ]; do sleep 0.05; done
exit "$(cat code)"
""",
    }
    for name, text in commands.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{text}\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def job(folder: Path, *overrides: str) -> subprocess.Popen[bytes]:
    """Start a job in the way in which Slurm starts it."""
    config = load("train", ["logger=none", "model=qwen3_4b", *overrides])[0]
    (folder / "job.sh").write_text(script(config, [*overrides, "env.weights={loans: 1}"]))
    subprocess.run(["bash", "-n", folder / "job.sh"], check=True)
    environment = os.environ | {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "SLURM_JOB_ID": "17",
        "SLURM_JOB_NODELIST": "n",
    }
    return subprocess.Popen(["bash", "job.sh"], cwd=folder, env=environment)


def calls(folder: Path, count: int) -> list[str]:
    """Wait for a number of calls, and return them."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        lines = (folder / "calls").read_text().splitlines() if (folder / "calls").exists() else []
        if len(lines) >= count:
            return lines
        time.sleep(0.02)
    raise AssertionError(f"expected {count} calls, got {lines}")


def test_nodes_and_tasks_are_those_of_the_settings() -> None:
    text = script(load("train", ["logger=none", "model=qwen3_4b", "hardware=l20_multi"])[0], [])
    head = [line.removeprefix("#SBATCH ") for line in text.splitlines() if line.startswith("#SBATCH")]
    assert {"--nodes=5", "--ntasks-per-node=8", "--gpus-per-node=8", "--requeue", "--signal=B:USR1@600"} <= set(head)


@pytest.mark.parametrize("code", [0, 1])
def test_a_job_ends_like_its_training(slurm: Path, code: int) -> None:
    process = job(slurm, "hardware=l20_multi")
    found = calls(slurm, 3)
    (slurm / "code").write_text(str(code))
    assert process.wait(30) == code
    assert found[0] == "scontrol show hostnames n"
    serving, training = sorted(found[1:], key=lambda line: "vllm serve" not in line)
    assert serving.startswith("srun --nodes=1 --ntasks=1 --nodelist=node5 --overlap bash -c VLLM_SERVER_DEV_MODE=1")
    assert training.startswith("srun --nodes=4 --ntasks=32 --nodelist=node1,node2,node3,node4 --kill-on-bad-exit=1")
    assert 'RANK="$SLURM_PROCID" LOCAL_RANK="$SLURM_LOCALID" WORLD_SIZE=32' in training
    assert "teller-gym train hardware=l20_multi 'env.weights={loans: 1}'" in training
    assert training.endswith('hardware.vllm_url="http://$VLLM_HOST:8000"')
    assert len(calls(slurm, 3)) == 3, "nothing goes back into the queue"


@pytest.mark.parametrize(("ends", "after"), [(3, ["asked", "scontrol requeue 17"]), (0, ["asked"])])
def test_a_job_whose_time_is_over_goes_back_into_the_queue_unless_it_is_done(
    slurm: Path, ends: int, after: list[str]
) -> None:
    text = (slurm / "srun").read_text()
    (slurm / "srun").write_text(text.replace("exit 3", f"exit {ends}"))
    process = job(slurm, "hardware=a100_80_8")
    assert "--nodes=1 --ntasks=8 --nodelist=node1 " in calls(slurm, 2)[1]
    # The fake logs its call before it handles signals.
    until = time.monotonic() + 20
    while b"asked" not in (slurm / "calls").read_bytes() and time.monotonic() < until:
        process.send_signal(signal.SIGUSR1)
        time.sleep(0.3)
    assert process.wait(30) == ends
    assert calls(slurm, 2 + len(after))[2:] == after
