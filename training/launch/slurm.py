"""Slurm job script for a run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from importlib import resources
from urllib.parse import urlsplit

from teller_gym.training.config.run import Config
from teller_gym.training.launch.launch import server_command

LEAD_S = 600
"""Seconds before a job's time limit at which Slurm asks it to stop.

The current step must end within this time.
"""
_RESERVE_S = 60
"""Part of `LEAD_S` reserved for requeueing the job."""


def script(config: Config, arguments: Sequence[str]) -> str:
    """Return a script for `sbatch` with one task per card.

    With vllm_mode=server, vLLM runs on the last node.
    """
    hardware = config.hardware
    nodes, server = hardware.training_nodes, server_command(config)
    # The last value of a repeated setting counts.
    where = f' hardware.vllm_url="http://$VLLM_HOST:{urlsplit(hardware.vllm_url).port or 8000}"' if server else ""
    task = (
        f'RANK="$SLURM_PROCID" LOCAL_RANK="$SLURM_LOCALID" WORLD_SIZE={hardware.processes} '
        f"LOCAL_WORLD_SIZE={hardware.cards} exec teller-gym train {shlex.join(arguments)}{where}"
    )
    values = {
        "NAME": shlex.quote(f"teller-gym-{config.env.id}"),
        "NODES": hardware.nodes,
        "CARDS": hardware.cards,
        "GPUS": f"#SBATCH --gpus-per-node={hardware.cards}\n" if hardware.device == "cuda" else "",
        "LEAD": LEAD_S,
        "TRAINERS": nodes,
        "SERVING": "" if server is None else _serving(server, nodes),
        "PROCESSES": hardware.processes,
        "TASK": shlex.quote(task),
        "SECONDS": LEAD_S - _RESERVE_S,
    }
    text = resources.files("teller_gym.training.launch").joinpath("slurm_job.txt").read_text("utf-8")
    return re.sub(r"@([A-Z]+)@", lambda found: str(values[found[1]]), text.rstrip("\n"))


def _serving(command: str, nodes: int) -> str:
    """Return shell lines that start vLLM's server on the node after the training nodes."""
    return f"""export VLLM_HOST="${{hosts[{nodes}]}}"
srun --nodes=1 --ntasks=1 --nodelist="$VLLM_HOST" --overlap \\
  bash -c {shlex.quote(command)} &
serving=$!
trap 'kill "$serving" 2>/dev/null' EXIT
"""
