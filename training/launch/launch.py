"""Starts a run's processes on this machine, or prints the commands for several machines.

A process reads its rank from RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, as torchrun sets them too;
everything else is in the configuration, so that any launcher works.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import IO, Any
from urllib.parse import urlsplit

from teller_gym.base.errors import OptionError
from teller_gym.base.orderly import Wish, ends_itself
from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.config.run import Config
from teller_gym.training.processes.group import in_launch
from teller_gym.training.run_folder.progress import tell

LAUNCHER = "TELLER_GYM_LAUNCHER"
"""Environment variable with the launcher's process id, in the processes that it started."""

COMMAND = (sys.executable, "-m", "teller_gym.cli", "train")
"""Command of each process."""

_GRACE_S = 5.0
"""Seconds that the other processes have to end by themselves after one has failed."""
_LOST_S = 4 * _GRACE_S
"""Seconds for which a process waits for the launcher to end it after it has lost another process."""
_LOOK_S = 0.05
_LOST = ("Connection closed by peer", "Connection reset by peer", "Socket closed", "Broken pipe", "NCCL")
_PR_SET_PDEATHSIG = 1


def start(hardware: HardwareConfig, arguments: Sequence[str]) -> int:
    """Start a node's training processes, wait for them, and return their exit code.

    Output of the first process is shown immediately, and that of another only if it fails by itself. A signal to stop
    is passed to all of them; if this process is killed, all of them end.
    """
    count = hardware.processes
    shared = {
        **os.environ, "WORLD_SIZE": str(count), "LOCAL_WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(free_port()), LAUNCHER: str(os.getpid()),
    }  # fmt: skip
    shared.setdefault("OMP_NUM_THREADS", "1")
    if hardware.device == "cuda":
        shared["CUDA_VISIBLE_DEVICES"] = used_devices(hardware.cards)
    with contextlib.ExitStack() as stack:
        notes = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(count)]
        children: list[subprocess.Popen[bytes]] = []
        stack.callback(_end, children)
        for rank in range(count):
            own = {"RANK": str(rank), "LOCAL_RANK": str(rank)}
            # In a process group of its own: Ctrl-C reaches only this process, which ends the others.
            child = subprocess.Popen(
                [*COMMAND, *arguments], env=shared | own, stdin=subprocess.DEVNULL, process_group=0,
                stdout=subprocess.DEVNULL if rank else None, stderr=notes[rank] if rank else None,
            )  # fmt: skip
            children.append(child)
        with ends_itself() as wish:
            first = _wait(children, wish)
        return _told(children, first, notes)


def _wait(children: Sequence[subprocess.Popen[bytes]], wish: Wish) -> int | None:
    """Wait until all processes have ended, or one has failed and the others have had time to end.

    Returns:
        Rank of the failed process, or None if all succeeded.
    """
    first, until, passed = None, float("inf"), False
    while any(child.poll() is None for child in children) and time.monotonic() < until:
        if wish.number is not None and not passed:
            passed = True
            for child in children:
                child.send_signal(wish.number)
        if first is None:
            first = next((rank for rank, child in enumerate(children) if child.poll()), None)
            until = until if first is None else time.monotonic() + _GRACE_S
        time.sleep(_LOOK_S)
    return first if first is not None else next((rank for rank, child in enumerate(children) if child.poll()), None)


def _told(children: Sequence[subprocess.Popen[bytes]], first: int | None, notes: Sequence[IO[bytes]]) -> int:
    """Return the run's exit code, and report a failure that the process of rank 0 has not reported itself."""
    if first is None:
        return 0
    leader, code = children[0].poll(), children[first].returncode
    if leader is not None and leader > 0:
        return leader
    notes[first].seek(0)
    sys.stderr.write(notes[first].read().decode("utf-8", "replace"))
    how = f"ended with code {code}" if code > 0 else f"was ended by {signal.Signals(-code).name}"
    text = f"process {first} of {len(children)} {how}, so the others were ended; the same command continues"
    tell(f"teller-gym: {text}")
    return code if code > 0 else 128 - code


def _end(children: Sequence[subprocess.Popen[bytes]]) -> None:
    """Kill running processes; work reported as saved is not lost."""
    for child in children:
        child.kill()
    for child in children:
        child.wait()


def started_by_us() -> bool:
    """Return True in a process started by `start`."""
    return LAUNCHER in os.environ and in_launch()


@contextlib.contextmanager
def launched() -> Iterator[None]:
    """Make a process started by `start` end with its launcher.

    The launcher then reports lost processes, not this process. Other processes are unaffected.
    """
    if not started_by_us():
        yield
        return
    with contextlib.suppress(OSError, AttributeError, TypeError):
        # On Linux the kernel kills this process when its parent ends.
        ctypes.CDLL("libc.so.6").prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(os.environ[LAUNCHER]):
        raise SystemExit(1)
    try:
        yield
    except Exception as error:
        if any(word in str(error) for word in _LOST):
            time.sleep(_LOST_S)
        raise


def used_devices(cards: int) -> str:
    """Return CUDA_VISIBLE_DEVICES for ``cards`` of the visible cards.

    Raises:
        OptionError: the variable names fewer cards.
    """
    there = [one for one in os.environ.get("CUDA_VISIBLE_DEVICES", ",".join(map(str, range(cards)))).split(",") if one]
    if len(there) < cards:
        raise OptionError(f"hardware.cards: expected at most {len(there)}, as CUDA_VISIBLE_DEVICES has, got {cards}")
    return ",".join(there[:cards])


def use_cards(hardware: HardwareConfig) -> None:
    """Make only one card visible if this process trains by itself.

    Otherwise the trainers would use all visible cards.
    """
    # An empty variable hides all cards; the check of the machine reports that.
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES") == ""
    if hardware.device == "cuda" and hardware.processes == 1 and not in_launch() and not hidden:
        os.environ["CUDA_VISIBLE_DEVICES"] = used_devices(1)


def node_command(hardware: HardwareConfig, arguments: Sequence[str]) -> str:
    """Return the shell command to run on each training node.

    NODE_RANK counts from 0, and MASTER_ADDR is the host of node 0.
    """
    nodes = hardware.training_nodes
    where = "" if nodes == 1 else ' --node-rank="$NODE_RANK" --master-addr="$MASTER_ADDR"'
    port = "--standalone" if nodes == 1 else "--master-port=29500"
    start = f"torchrun --nnodes={nodes} --nproc-per-node={hardware.cards}{where} {port}"
    return f"{start} -m teller_gym.cli train {shlex.join(arguments)}"


def server_command(config: Config) -> str | None:
    """Return the shell command for the vLLM server's node, or None without vllm_mode=server.

    TRL sends the weights over NCCL, which the server accepts only in development mode, and requests the
    log-probabilities of the sampling distribution.
    """
    hardware = config.hardware
    if not hardware.serves:
        return None
    options: dict[str, Any] = {
        "host": "0.0.0.0",
        "port": urlsplit(hardware.vllm_url).port or 8000,
        "tensor-parallel-size": hardware.vllm_tensor_parallel,
        "data-parallel-size": hardware.cards // hardware.vllm_tensor_parallel,
        "gpu-memory-utilization": hardware.vllm_memory,
        "dtype": hardware.vllm_dtype,
        "max-model-len": config.model.total_tokens,
        "weight-transfer-config": '{"backend":"nccl"}',
        "logprobs-mode": "processed_logprobs",
        "max-logprobs": -1,
    }
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    return f"VLLM_SERVER_DEV_MODE=1 vllm serve {shlex.join([config.model.name, *words])}"


def instructions(config: Config, arguments: Sequence[str]) -> str:
    """Return the shell commands that start a run on its nodes, each below a comment that names the node."""
    hardware = config.hardware
    nodes = hardware.training_nodes
    each = "on the training node" if nodes == 1 else f"on each of {nodes} training nodes, NODE_RANK=0 to {nodes - 1}"
    lines = [f"# {each}, all of which see run_dir:", node_command(hardware, arguments)]
    server = server_command(config)
    if server:
        lines = ["# on the node that generates, at hardware.vllm_url, before the others:", server, *lines]
    return "\n".join(lines)


def free_port() -> int:
    """Return a free TCP port on this machine."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
