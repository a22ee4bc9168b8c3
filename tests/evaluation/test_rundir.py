"""A run on disk survives being cut off at any byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.episodes import FORMAT, Episode, Times
from teller_gym.evaluation.rundir import EPISODES_FILE, TIMES_FILE, RunFolder, expect_same_run, load_run, read_config
from tests.evaluation.samples import episode

PART = {"env": "E", "stage": 2, "task_ids": ["t-0", "t-1", "t-2"]}
CONFIG = {"format": FORMAT, "parts": [PART], "trials": 1, "agent": {"name": "a"}}


def sample() -> list[Episode]:
    # A lone surrogate and line ends, as models do emit them.
    return [episode(task_id=f"t-{i}", score=i / 2, failure="\ud800 \r\n\u2028 é") for i in range(3)]


def write(path: Path, config: dict[str, Any] = CONFIG) -> None:
    with RunFolder(path, config) as folder:
        for one in sample():
            folder.append(one, Times(0.5, (0.25, 0.2)))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write(tmp_path / "run")
    config, episodes, times = load_run(tmp_path / "run")
    assert config == CONFIG
    assert episodes == sample()
    assert times == {(f"t-{i}", 0): Times(0.5, (0.25, 0.2)) for i in range(3)}


def test_cut_off_anywhere_it_continues(tmp_path: Path) -> None:
    write(tmp_path / "whole")
    whole = (tmp_path / "whole" / EPISODES_FILE).read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == ord("\n")]
    # Around every line's end, and some places in the middle of each.
    for cut in sorted({0, *ends, *(e - 1 for e in ends), *(e - 2 for e in ends), *range(1, len(whole), 97)}):
        path = tmp_path / f"cut{cut}"
        with RunFolder(path, CONFIG):
            pass
        (path / EPISODES_FILE).write_bytes(whole[:cut])
        with RunFolder(path, CONFIG) as folder:
            assert len(folder.episodes) == sum(end <= cut for end in ends)
            for one in sample()[len(folder.episodes) :]:
                folder.append(one, Times(0.5, (0.25, 0.2)))
        assert (path / EPISODES_FILE).read_bytes() == whole


def test_cut_off_times_cost_no_episode(tmp_path: Path) -> None:
    write(tmp_path)
    times = tmp_path / TIMES_FILE
    times.write_bytes(times.read_bytes()[:-5])
    with RunFolder(tmp_path, CONFIG) as folder:
        assert (len(folder.episodes), len(folder.times)) == (3, 2)


def test_the_last_record_of_an_episode_counts(tmp_path: Path) -> None:
    write(tmp_path)
    with RunFolder(tmp_path, CONFIG) as folder:
        folder.append(episode(task_id="t-1", score=0.25), Times(2.0))
    assert [one["score"] for one in load_run(tmp_path)[1]] == [0.0, 0.25, 1.0]


def test_another_configuration_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    other = {**CONFIG, "agent": {"name": "b"}, "parts": [{**PART, "task_ids": ["t-0"]}]}
    with pytest.raises(OptionError, match=r'agent\.name is "a" there and "b" now') as error:
        RunFolder(tmp_path, other)
    assert 'parts[0].task_ids is ["t-0", "t-1", "t-2"] there and ["t-0"] now' in str(error.value)
    assert "another run_dir" in str(error.value)
    write(tmp_path)  # the refusal left nothing locked


def test_two_processes_at_once_are_refused(tmp_path: Path) -> None:
    with RunFolder(tmp_path, CONFIG), pytest.raises(OptionError, match="another process is writing"):
        RunFolder(tmp_path, CONFIG)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("run.json", "{", "cannot be read as JSON"),
        ("run.json", json.dumps({**CONFIG, "format": 99}), "not of format"),
        ("episodes.jsonl", "{}\n", "episodes.jsonl but no run.json"),
        ("times.jsonl", "{}\n", "times.jsonl but no run.json"),
        ("report.json", "{}\n", "report.json but no run.json"),
        ("report.png", "", "report.png but no run.json"),
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(OptionError, match=complaint):
        RunFolder(tmp_path, CONFIG)


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    write(tmp_path)
    file = tmp_path / EPISODES_FILE
    lines = file.read_bytes().splitlines(keepends=True)
    for damage in (b"{broken}\n", b"{}\n", b"[]\n", b'{"task_id": "t-1", "trial": 0}\n'):
        file.write_bytes(lines[0] + damage + lines[2])
        with pytest.raises(OptionError, match="line 2 is damaged"):
            RunFolder(tmp_path, CONFIG)


def test_a_record_without_a_canary_is_read_all_the_same(tmp_path: Path) -> None:
    write(tmp_path)
    file = tmp_path / EPISODES_FILE
    file.write_bytes(file.read_bytes().replace(b'"canary":', b'"cannery":'))
    assert len(load_run(tmp_path)[1]) == 3


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(OptionError, match="is a file"):
        RunFolder(tmp_path / "x", CONFIG)
    with pytest.raises(OptionError, match=r"run_dir .*: expected a folder that can be written to"):
        RunFolder(tmp_path / "x" / "y", CONFIG)
    with pytest.raises(OptionError, match="no run folder"):
        load_run(tmp_path / "nothing")


def test_prices_may_change_between_two_calls(tmp_path: Path) -> None:
    for prices in ({"prompt": 1.0, "completion": 2.0}, {"prompt": 3.0, "completion": 4.0}):
        config = {**CONFIG, "agent": {"name": "a", "prices": prices}}
        with RunFolder(tmp_path, config):
            pass
        assert read_config(tmp_path)["agent"]["prices"] == prices


def test_a_run_without_a_valid_episode_gives_way_to_a_corrected_one(tmp_path: Path) -> None:
    corrected = {**CONFIG, "agent": {"name": "b"}}
    with RunFolder(tmp_path, CONFIG) as folder:
        folder.append({**sample()[0], "status": "invalid"}, Times(1.0))
    assert not expect_same_run(tmp_path, corrected)
    with RunFolder(tmp_path, corrected) as folder:
        assert folder.episodes == {}
        folder.append(sample()[0], Times(1.0))
    assert read_config(tmp_path)["agent"] == {"name": "b"}
    with pytest.raises(OptionError, match="another configuration"):
        RunFolder(tmp_path, CONFIG)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear all")
    with pytest.raises(OptionError, match=r"holds letter\.txt but no run\.json"):
        RunFolder(tmp_path, CONFIG)
    assert {file.name for file in tmp_path.iterdir()} <= {"letter.txt", ".lock"}
