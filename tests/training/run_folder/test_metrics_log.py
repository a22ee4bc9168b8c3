"""The metrics file has no step twice and only JSON values, and its curve can be drawn."""

from pathlib import Path

import pytest

from teller_gym.training.run_folder.metrics_log import MetricsLog, draw_curve


def test_rewinding_drops_what_came_after_the_checkpoint(tmp_path: Path) -> None:
    log = MetricsLog(tmp_path / "metrics.jsonl")
    for step in range(1, 6):
        log.write("sft", step, {"loss": 1.0 / step})
        log.write("grpo", step, {"reward": 0.5})
    log.rewind("sft", 3)
    assert [row["step"] for row in log.rows("sft")] == [1, 2, 3]
    assert [row["step"] for row in log.rows("grpo")] == [1, 2, 3, 4, 5]


def test_nan_is_left_out_and_a_torn_line_skipped(tmp_path: Path) -> None:
    log = MetricsLog(tmp_path / "metrics.jsonl")
    log.write("grpo", 1, {"a": float("nan"), "b": None, "c": 2.0, "d": "x"})
    with log.path.open("a") as file:
        file.write('{"phase": "gr')
    assert list(log.rows()) == [{"phase": "grpo", "step": 1, "c": 2.0, "d": "x"}]


DAMAGED = [b"\0" * 40, b'{"phase": "sft"', b"7", b'{"phase": "sft", "step": "3"}', b"\xff\xfe", b"[" * 100_000, b"{}"]


@pytest.mark.parametrize("line", DAMAGED)
def test_a_damaged_line_is_told_and_dropped(tmp_path: Path, line: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    log = MetricsLog(tmp_path / "metrics.jsonl")
    log.write("sft", 1, {"loss": 2.0})
    with log.path.open("ab") as file:
        file.write(line + b"\n")
    log.write("sft", 2, {"loss": 1.0})
    assert [row["step"] for row in log.rows("sft")] == [1, 2]
    log.rewind("sft", 1)
    assert capsys.readouterr().err == f"{log.path}: line 2 is damaged and dropped\n"
    assert [row["step"] for row in log.rows()] == [1]
    log.rewind("sft", 1)
    assert capsys.readouterr().err == ""


def test_a_line_that_a_kill_cut_off_does_not_spoil_the_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = MetricsLog(tmp_path / "metrics.jsonl")
    log.write("data", 0, {"phase_seconds": 1.0})
    whole = log.path.read_bytes()
    for size in range(len(whole)):
        log.path.write_bytes(whole[:size])
        log.mend()
        log.write("sft", 1, {"loss": 2.0})
        assert [row["phase"] for row in log.rows()] == ["sft"]
    assert capsys.readouterr().err == ""


def test_a_phase_that_is_done_again_has_one_time(tmp_path: Path) -> None:
    log = MetricsLog(tmp_path / "metrics.jsonl")
    for _ in range(2):
        log.begin("sft")
        log.write("sft", 1, {"loss": 2.0})
        log.rewind("sft", 0)
        log.write("sft", 1, {"loss": 2.0})
        log.write("sft", 0, {"phase_seconds": 1.0})
    assert [row["step"] for row in log.rows("sft")] == [1, 0]


def test_a_picture_is_drawn_also_of_little(tmp_path: Path) -> None:
    log = MetricsLog(tmp_path / "metrics.jsonl")
    draw_curve(log, [("untrained", 0.0, 0.0, 0.0)], tmp_path / "empty.png")
    # A run that ended before it logged a loss.
    log.write("sft", 0, {"phase_seconds": 1.5})
    draw_curve(log, [("sft", 0.0, 0.0, 0.0)], tmp_path / "short.png")
    log.write("sft", 1, {"loss": 2.0, "mean_token_accuracy": 0.5})
    log.write("sft", 2, {"loss": "high", "mean_token_accuracy": True})
    log.write("grpo", 1, {"rewards/score/mean": 0.5, "frac_reward_zero_std": 0.0})
    draw_curve(log, [("untrained", 0.0, 0.0, 0.1), ("sft", 0.5, 0.4, 0.6)], tmp_path / "curve.png")
    assert (tmp_path / "empty.png").stat().st_size > 1000
    assert (tmp_path / "curve.png").read_bytes() != (tmp_path / "empty.png").read_bytes()
