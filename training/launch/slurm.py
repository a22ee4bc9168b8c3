"""The Slurm job script of a run."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from urllib.parse import urlsplit

from teller_gym.training.config.run import Config
from teller_gym.training.launch.launch import server_command

LEAD_S = 600
"""Seconds before the end of its time at which a job is asked to stop; the current step must end within them."""
_RESERVE_S = 60
"""Seconds of those that are reserved for requeueing the job."""


def script(config: Config, arguments: Sequence[str]) -> str:
    """Return a script for `sbatch`: one task a card, and with vllm_mode=server vLLM on the last node."""
    hardware = config.hardware
    nodes = hardware.training_nodes
    gpus = [f"#SBATCH --gpus-per-node={hardware.cards}"] if hardware.device == "cuda" else []
    head = [
        "#!/bin/bash",
        f"#SBATCH --job-name={shlex.quote(f'teller-gym-{config.env.id}')}",
        f"#SBATCH --nodes={hardware.nodes}",
        f"#SBATCH --ntasks-per-node={hardware.cards}",
        *gpus,
        "#SBATCH --requeue",
        f"#SBATCH --signal=B:USR1@{LEAD_S}",
        "#SBATCH --open-mode=append",
        "# Add what your cluster asks for, such as --partition, --account, --time and --cpus-per-task.",
    ]
    server = server_command(config)
    port = urlsplit(hardware.vllm_url).port or 8000
    # The last value of a repeated setting counts.
    where = f' hardware.vllm_url="http://$VLLM_HOST:{port}"' if server else ""
    command = f"exec teller-gym train {shlex.join(arguments)}{where}"
    task = (
        'RANK="$SLURM_PROCID" LOCAL_RANK="$SLURM_LOCALID" '
        f"WORLD_SIZE={hardware.processes} LOCAL_WORLD_SIZE={hardware.cards} {command}"
    )
    body = [
        "set -u",
        'mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST")',
        'export MASTER_ADDR="${hosts[0]}" MASTER_PORT=$((20000 + SLURM_JOB_ID % 20000))',
        f'trainers=$(IFS=,; echo "${{hosts[*]:0:{nodes}}}")',
        *([] if server is None else _serving(server, nodes)),
        "",
        f'srun --nodes={nodes} --ntasks={hardware.processes} --nodelist="$trainers" --kill-on-bad-exit=1 \\',
        f"  bash -c {shlex.quote(task)} &",
        "training=$!",
        "asked=",
        "# Before its time is over, the job saves a checkpoint and goes back into the queue.",
        "trap 'asked=1; kill -USR1 \"$training\"' USR1",
        'wait "$training"',
        "code=$?",
        'if [ -n "$asked" ]; then',
        f"  for ((second = 0; second < {LEAD_S - _RESERVE_S}; second++)); do",
        '    kill -0 "$training" 2>/dev/null || break',
        "    sleep 1",
        "  done",
        '  kill -0 "$training" 2>/dev/null || { wait "$training"; code=$?; }',
        '  [ "$code" -eq 0 ] || scontrol requeue "$SLURM_JOB_ID"',
        "fi",
        'exit "$code"',
    ]
    return "\n".join([*head, "", *body])


def _serving(command: str, nodes: int) -> list[str]:
    """Return lines that start vLLM's server on the node after the training nodes."""
    return [
        f'export VLLM_HOST="${{hosts[{nodes}]}}"',
        'srun --nodes=1 --ntasks=1 --nodelist="$VLLM_HOST" --overlap \\',
        f"  bash -c {shlex.quote(command)} &",
        "serving=$!",
        "trap 'kill \"$serving\" 2>/dev/null' EXIT",
    ]
