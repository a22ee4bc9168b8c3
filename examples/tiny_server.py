"""Serve a tiny model over a real chat API, to try things out without a GPU, a hub or an account.

    python examples/tiny_server.py --folder runs/tiny --port 8017

builds a tiny Qwen3 with random weights in the folder unless there is one, serves it with `transformers serve` until
Ctrl-C, and prints the base URL and the model's name once it answers. Its answers are meaningless. Needs the extra
`train` and `transformers[serving]`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from teller_gym.base.errors import InfrastructureError
from teller_gym.base.output import take_any_text
from teller_gym.cli.interrupt import ending_soon

SIZES = ("hidden=64", "layers=2", "heads=2", "kv_heads=1", "head_dim=32", "mlp=128", "positions=32768")
EPISODES = 8
"""Number of the expert's episodes that the tokenizer is trained on."""
_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux."""
CALLS_AS_TEXT = Path(__file__).with_name("calls_as_text.json")
"""Setting that makes `transformers serve` leave calls in the text of an answer."""


def build(folder: Path) -> Path:
    """Build the checkpoint unless the folder has one, and return the folder."""
    if (folder / "config.json").exists():
        return folder
    from teller_gym.training.config.run import load
    from teller_gym.training.demonstrations.expert import Wanted, collect, read
    from teller_gym.training.models.load import make_model, save_model

    folder.parent.mkdir(parents=True, exist_ok=True)
    shape = [f"model.shape.{size}" for size in SIZES]
    config, _ = load("train", ["model=tiny", "model.prompt=full", "hardware=cpu", "logger=none", *shape])
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        collect(work / "expert.jsonl", Wanted(config.env.id, config.env.options), EPISODES)
        model, tokenizer = make_model(config, read(work / "expert.jsonl"))
        # Without it a call with malformed JSON makes the server fail, whereas an environment reports it to the model.
        tokenizer.response_template = json.loads(CALLS_AS_TEXT.read_text("utf-8"))
        # Without it the server ignores the temperature and always takes the likeliest token.
        model.generation_config.do_sample = True
        save_model(model, tokenizer, folder)
    return folder


@contextlib.contextmanager
def serve(folder: Path, port: int = 0, patience_s: float = 120.0) -> Iterator[str]:
    """Serve a checkpoint in another process for the duration of a `with` block, and yield the base URL.

    The model's name is the folder's absolute path.

    Args:
        folder: the checkpoint.
        port: a port of this machine; 0 takes a free one.
        patience_s: maximum time until the server answers.

    Raises:
        InfrastructureError: the server ends or does not answer in time; the message has the end of its output.
    """
    port = port or _free_port()
    name = str(folder.resolve())
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", name, "--device", "cpu"]
    settings = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")}
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        # A session of its own, so that Ctrl-C reaches only this process, which stops the server and its children.
        server = subprocess.Popen(
            [*command, "--port", str(port)],
            stdout=log,
            stderr=subprocess.STDOUT,
            env=os.environ | settings,
            start_new_session=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )
        try:
            _wait(server, f"http://127.0.0.1:{port}/health", patience_s, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            _stop(server)


def _end_with_parent() -> None:
    """Have the kernel end this process when its parent dies, even by kill -9."""
    import ctypes

    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGTERM)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(server: subprocess.Popen[Any], url: str, patience_s: float, log: Any) -> None:
    until = time.monotonic() + patience_s
    while time.monotonic() < until:
        if server.poll() is not None:
            break
        with contextlib.suppress(urllib.error.URLError, OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.2)
    log.seek(0)
    words = log.read()[-2000:]
    raise InfrastructureError(f"transformers serve does not answer at {url}; it said: {words}")


def _stop(server: subprocess.Popen[Any]) -> None:
    # It has nothing to save, and its child processes may ignore a gentler signal.
    with contextlib.suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(server.pid, signal.SIGKILL)
        else:
            server.kill()
    server.wait()


def main() -> None:
    """Build the checkpoint and serve it until Ctrl-C or SIGTERM."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("runs/tiny"), help="checkpoint, made if missing")
    parser.add_argument("--port", type=int, default=8017)
    chosen = parser.parse_args()
    with ending_soon(), serve(folder := build(chosen.folder), chosen.port) as url:
        print(f"base URL: {url}\nmodel:    {folder.resolve()}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    take_any_text()
    main()
