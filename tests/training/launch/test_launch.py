"""The start of a run's processes, their common end, and the commands for several nodes."""

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from argparse import Namespace
from pathlib import Path

import pytest

from teller_gym.base import orderly
from teller_gym.base.errors import MissingExtraError, OptionError
from teller_gym.cli import main
from teller_gym.configuration.compose import choices
from teller_gym.training.config.run import Config, load
from teller_gym.training.launch import launch
from teller_gym.training.launch.preflight import preflight


def config(*overrides: str) -> Config:
    return load("train", ["logger=none", "model=qwen3_4b", *overrides])[0]


def two(monkeypatch: pytest.MonkeyPatch, script: str, *more: str) -> int:
    """Start two processes that run a script; return the exit code of both."""
    monkeypatch.setattr(launch, "COMMAND", (sys.executable, "-c", script))
    return launch.start(load("demo", ["hardware.cards=2", *more])[0].hardware, ["key=value"])


def test_each_gets_its_place_and_the_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = "import json, os, sys; r = os.environ['RANK']; json.dump([sys.argv, dict(os.environ)], open(r, 'w'))"
    assert two(monkeypatch, script) == 0
    found = [json.loads((tmp_path / rank).read_text()) for rank in "01"]
    assert [arguments[1:] for arguments, _ in found] == [["key=value"]] * 2
    for rank, (_, environment) in enumerate(found):
        assert environment["RANK"] == environment["LOCAL_RANK"] == str(rank)
        assert environment["WORLD_SIZE"] == environment["LOCAL_WORLD_SIZE"] == "2"
        assert environment["MASTER_ADDR"] == "127.0.0.1"
    assert found[0][1]["MASTER_PORT"] == found[1][1]["MASTER_PORT"]


FAILS = """
import os, signal, sys, time
rank = int(os.environ["RANK"])
if rank == {who}:
    print("this is why", file=sys.stderr, flush=True)
    {how}
if {follows}:
    sys.exit(2)
time.sleep(60)
"""


@pytest.mark.parametrize(
    ("who", "how", "follows", "code", "told"),
    [
        # The first process reports its own failure; nothing is added for another that follows it.
        (0, "sys.exit(2)", True, 2, ["this is why"]),
        (0, "sys.exit(4)", False, 4, ["this is why"]),
        (1, "sys.exit(1)", False, 1, ["this is why", "process 1 of 2 ended with code 1"]),
        (1, "os.kill(os.getpid(), 9)", False, 137, ["this is why", "process 1 of 2 was ended by SIGKILL"]),
    ],
)
def test_when_one_fails_all_end_and_it_is_told_once(
    who: int, how: str, follows: bool, code: int, told: list[str], monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(launch, "_GRACE_S", 0.5)
    assert two(monkeypatch, FAILS.format(who=who, how=how, follows=follows)) == code
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == len(told)
    assert all(text in line for text, line in zip(told, lines, strict=True))


def test_the_request_to_stop_reaches_every_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = """
import os, signal
signal.signal(signal.SIGUSR1, lambda *_: open("got" + os.environ["RANK"], "w").close())
open("ready" + os.environ["RANK"], "w").close()
signal.pause()
"""

    def ask() -> None:
        while len(list(tmp_path.glob("ready*"))) < 2:
            time.sleep(0.01)
        assert orderly.ask(signal.SIGUSR1)

    asking = threading.Thread(target=ask)
    asking.start()
    assert two(monkeypatch, script) == 0
    asking.join()
    assert {path.name for path in tmp_path.glob("got*")} == {"got0", "got1"}


def test_a_process_ends_with_its_launcher() -> None:
    """A killed launcher leaves no process behind that locks the run folder."""
    inner = (
        "import time; from teller_gym.training.launch.launch import launched\n"
        "with launched(): print('up', flush=True); time.sleep(60)"
    )
    outer = (
        "import os, subprocess, sys\n"
        f"names = {{'{launch.LAUNCHER}': str(os.getpid()), 'RANK': '0', 'WORLD_SIZE': '2'}}\n"
        f"child = subprocess.Popen([sys.executable, '-c', {inner!r}], env=os.environ | names)\n"
        "child.wait()"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    launcher = subprocess.Popen([sys.executable, "-c", outer], stdout=subprocess.PIPE, text=True, env=environment)
    assert launcher.stdout is not None
    assert launcher.stdout.readline() == "up\n"
    launcher.kill()
    # Both processes have the pipe open: it ends with the last of them.
    assert launcher.stdout.read() == ""
    launcher.wait()


@pytest.mark.parametrize(
    ("before", "cards", "found"), [(None, 2, "0,1"), ("4,5,6", 2, "4,5"), ("3", 1, "3"), ("GPU-a,GPU-b", 1, "GPU-a")]
)
def test_no_more_cards_are_seen_than_used(
    before: str | None, cards: int, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if before is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", before)
    assert launch.used_devices(cards) == found


def test_one_process_sees_one_card_and_fewer_than_used_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,3")
    launch.use_cards(config("hardware=l20_1").hardware)
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "2"
    with pytest.raises(OptionError, match="expected at most 1, as CUDA_VISIBLE_DEVICES has, got 8"):
        launch.used_devices(8)


def test_the_lines_for_several_nodes_are_what_torchrun_and_trl_ask_for() -> None:
    from torch.distributed.run import get_args_parser

    arguments = ["env=loans", "model=qwen3_4b", "hardware=l20_multi", "evaluation.references=[expert, random]"]
    text = launch.instructions(config("hardware=l20_multi"), arguments)
    server, node = (line for line in text.splitlines() if not line.startswith("#"))
    words = shlex.split(node)
    assert words[0] == "torchrun"
    read = get_args_parser().parse_args([word.replace("$NODE_RANK", "3") for word in words[1:]])
    assert (read.nnodes, read.nproc_per_node, read.node_rank) == ("4", "8", 3)
    assert read.module and read.training_script == "teller_gym.cli"
    assert read.training_script_args == ["train", *arguments]
    words = shlex.split(server)
    assert words[:4] == ["VLLM_SERVER_DEV_MODE=1", "vllm", "serve", "Qwen/Qwen3-4B"]
    found = dict(zip(words[4::2], words[5::2], strict=True))
    assert json.loads(found["--weight-transfer-config"]) == {"backend": "nccl"}
    assert found["--logprobs-mode"] == "processed_logprobs" and found["--max-logprobs"] == "-1"
    assert found["--data-parallel-size"] == "8" and found["--port"] == "8000"


def test_the_command_prints_and_starts_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["train", "model=qwen3_4b", "logger=none"]
    assert main([*asked, "hardware=a100_80_8", "--print-command"]) == 0
    told = capsys.readouterr().out
    assert "torchrun" in told and "--print-command" not in told
    assert "NODE_RANK" not in told and "vllm serve" not in told
    assert main([*asked, "hardware=l20_multi"]) == 2
    output = capsys.readouterr()
    assert "torchrun" in output.out and "nothing was started" in output.err


def test_the_environment_is_what_accelerate_sets() -> None:
    from accelerate.commands.launch import launch_command_parser
    from accelerate.utils.launch import prepare_multi_gpu_env

    hardware = config("hardware=a100_80_8").hardware
    words = (
        "--num_machines 1 --num_processes 8 --mixed_precision bf16 --dynamo_backend no --main_process_port 0 "
        "--use_fsdp --fsdp_version 2 --fsdp_auto_wrap_policy TRANSFORMER_BASED_WRAP "
        "--fsdp_reshard_after_forward true --fsdp_state_dict_type FULL_STATE_DICT "
        "--fsdp_cpu_ram_efficient_loading true --fsdp_sync_module_states true script.py"
    )
    theirs = prepare_multi_gpu_env(launch_command_parser().parse_args(words.split()))
    ours = hardware.environment()
    assert hardware.sharding == "fsdp2" and ours and ours.items() <= theirs.items()
    for whole in (["hardware=a100_80_1"], ["hardware=a100_80_8", "hardware.sharding=ddp"]):
        assert config(*whole).hardware.environment() == {}


def test_cards_and_packages_that_are_not_there_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = config("hardware=a100_80_8", f"run_dir={tmp_path}")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    find = "teller_gym.training.launch.preflight.find_spec"
    monkeypatch.setattr(find, lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[vllm\]'"):
        preflight(wanted)
    monkeypatch.setattr(find, lambda name: Namespace())
    with pytest.raises(OptionError, match=r"hardware\.cards: expected at most 2"):
        preflight(wanted)


def test_every_hardware_file_has_a_command() -> None:
    for name in choices("hardware"):
        made = config(f"hardware={name}")
        assert (launch.server_command(made) is None) == ("multi" not in name)
        assert f"--nproc-per-node={made.hardware.cards} " in launch.node_command(made.hardware, [])
