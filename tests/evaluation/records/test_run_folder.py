"""Run folders survive interruption at any byte, and damaged or foreign files are handled."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.records.episode import Episode, Times
from teller_gym.evaluation.records.run_folder import (
    EPISODES_FILE,
    TIMES_FILE,
    RunFolder,
    expect_same_run,
    load_run,
    read_config,
)
from tests.evaluation.samples import config, episode

CONFIG = config([episode(task_id=f"t-{i}") for i in range(3)], agent={"name": "a"})
PART = CONFIG["parts"][0]


def sample() -> list[Episode]:
    # A lone surrogate and line breaks, which models do emit.
    return [episode(task_id=f"t-{i}", score=i / 2, failure="\ud800 \r\n\u2028 é") for i in range(3)]


def write(path: Path, config: dict[str, Any] = CONFIG) -> None:
    with RunFolder(path, config) as folder:
        for one in sample():
            folder.append(one, Times(0.5, (0.25, 0.2)))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write(tmp_path / "run")
    there, episodes, times = load_run(tmp_path / "run")
    assert there == CONFIG
    assert episodes == sample()
    assert times == {(f"t-{i}", 0): Times(0.5, (0.25, 0.2)) for i in range(3)}


def test_cut_off_anywhere_it_continues(tmp_path: Path) -> None:
    write(tmp_path / "whole")
    whole = (tmp_path / "whole" / EPISODES_FILE).read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == ord("\n")]
    # Around the end of every line, and at some places within each.
    for cut in sorted({0, *ends, *(e - 1 for e in ends), *(e - 2 for e in ends), *range(1, len(whole), 97)}):
        path = tmp_path / f"cut{cut}"
        with RunFolder(path, CONFIG):
            pass
        (path / EPISODES_FILE).write_bytes(whole[:cut])
        with RunFolder(path, CONFIG) as folder:
            assert len(folder.episodes) == sum(end - 1 <= cut for end in ends)  # the newline may be missing
            for one in sample()[len(folder.episodes) :]:
                folder.append(one, Times(0.5, (0.25, 0.2)))
        assert (path / EPISODES_FILE).read_bytes() == whole


def test_cut_off_times_cost_no_episode(tmp_path: Path) -> None:
    write(tmp_path)
    times = tmp_path / TIMES_FILE
    times.write_bytes(times.read_bytes()[:-5])
    with RunFolder(tmp_path, CONFIG) as folder:
        assert (len(folder.episodes), len(folder.times)) == (3, 2)


def test_another_configuration_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    other = {**CONFIG, "agent": {"name": "b"}, "parts": [{**PART, "task_ids": ["t-0"]}]}
    with pytest.raises(OptionError, match=r'agent\.name is "a" there and "b" now') as error:
        RunFolder(tmp_path, other)
    assert 'parts[0].task_ids is ["t-0", "t-1", "t-2"] there and ["t-0"] now' in str(error.value)
    assert "another run_dir" in str(error.value)
    write(tmp_path)  # the folder is not locked after the refusal


def test_two_processes_at_once_are_refused(tmp_path: Path) -> None:
    with RunFolder(tmp_path, CONFIG), pytest.raises(OptionError, match="another process is writing"):
        RunFolder(tmp_path, CONFIG)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("run.json", "{", "is damaged: expected JSON"),
        ("run.json", json.dumps({**CONFIG, "format": 99}), "not of format"),
        ("episodes.jsonl", "{}\n", "episodes.jsonl but no run.json"),
        ("times.jsonl", "{}\n", "times.jsonl but no run.json"),
        ("report.json", "{}\n", "report.json but no run.json"),
        ("letter.txt", "dear all", r"holds letter\.txt but no run\.json"),
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(OptionError, match=complaint):
        RunFolder(tmp_path, CONFIG)
    assert {file.name for file in tmp_path.iterdir()} <= {name, ".lock"}


def altered(line: bytes, **values: Any) -> bytes:
    return json.dumps({**json.loads(line), **values}).encode() + b"\n"


DAMAGE: dict[str, tuple[Any, str]] = {
    "no JSON": (lambda line: b"{broken}\n", "expected JSON: .* at character 2"),
    "no record": (lambda line: b"[]\n", "expected a record, got a list"),
    "an empty record": (lambda line: b"{}\n", "expected a record of format 4"),
    "half a record": (lambda line: line[: len(line) // 2] + b"\n", "expected JSON"),
    "a record without much": (lambda line: b'{"format": 4, "task_id": "t-1"}\n', "missing required field"),
    "deep": (lambda line: b"[" * 10_000 + b"]" * 10_000 + b"\n", "expected at most 100 brackets within brackets"),
    "deep, not too deep for Python": (
        lambda line: altered(line, outputs=json.loads('{"a":' * 150 + "1" + "}" * 150)), "expected at most 100 brackets"
    ),
    "NaN": (lambda line: altered(line, score=float("nan")), "expected finite numbers, got NaN"),
    "infinity": (lambda line: altered(line, score=0.25).replace(b"0.25", b"1e999"), "expected finite numbers, got 1e9"),
    "a wrong type": (lambda line: altered(line, score="much"), "expected `float`, got `str` at score"),
    "a wrong type within": (lambda line: altered(line, trace=[3]), r"expected `object`, got `int` at trace\[0\]"),
    "out of range": (lambda line: altered(line, score=1e300), "expected `float` <= 1.0 at score"),
    "negative": (lambda line: altered(line, steps=-1), "expected `int` >= 0 at steps"),
    "endless": (lambda line: altered(line, steps=10**400), "at steps"),
    "tokens without a kind": (lambda line: altered(line, tokens={"prompt": 3}), "to have prompt and completion"),
    "an unknown status": (lambda line: altered(line, status="splendid"), "expected status to be one of"),
    "zeroed": (lambda line: b"\0" * len(line) + b"\n", "expected JSON, got zero bytes"),
    "zeroed in the middle": (lambda line: line[:50] + b"\0" * 50 + line[100:], "expected JSON"),
    "no UTF-8": (lambda line: line.replace(b'"t-1"', b'"\xff"'), "expected UTF-8"),
    "UTF-16": (lambda line: line.decode().strip().encode("utf-16-le") + b"\n", "expected"),
    "another scenario": (lambda line: altered(line, scenario="other"), "t-1, trial 0, is no episode of this run"),
    "another stage": (lambda line: altered(line, stage=1, graph=None, status="invalid"), "is no episode of this run"),
    "another trial": (lambda line: altered(line, trial=7), "t-1, trial 7, is no episode of this run"),
    "gigantic": (lambda line: b"x" * 5_000_000 + b"\n", "expected at most 4000000 bytes"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_line_is_left_out_and_told(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("teller_gym.evaluation.records.jsonl.MOST_BYTES", 4_000_000)
    write(tmp_path)
    file = tmp_path / EPISODES_FILE
    lines = file.read_bytes().splitlines(keepends=True)
    damage, told = DAMAGE[name]
    damaged = damage(lines[1])
    file.write_bytes(lines[0] + damaged + lines[2])
    assert load_run(tmp_path)[1] == [sample()[0], sample()[2]]
    with RunFolder(tmp_path, CONFIG) as folder:
        assert set(folder.episodes) == {("t-0", 0), ("t-2", 0)}
        folder.append(sample()[1], Times(0.5))
    assert load_run(tmp_path)[1] == sample()
    assert file.read_bytes() == lines[0] + damaged + lines[2] + lines[1], "what is damaged is left where it is"
    assert len(caplog.messages) == 3
    for message in caplog.messages:
        assert re.fullmatch(rf"{re.escape(str(file))}, line 2 is left out: .*{told}.*", message), message
        assert len(message) < 600 and message.isascii()


@pytest.mark.parametrize(
    "dress",
    [
        lambda content: content.replace(b"\n", b"\r\n"),
        lambda content: b"\xef\xbb\xbf" + content,
        lambda content: content.replace(b"\n", b"\n\n \n"),
        lambda content: content[:-1],
    ],
    ids=["CRLF", "byte order mark", "empty lines", "no last line end"],
)
def test_what_an_editor_does_to_a_file_costs_nothing(
    tmp_path: Path, dress: Any, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path)
    for name in (EPISODES_FILE, TIMES_FILE, "run.json"):
        (tmp_path / name).write_bytes(dress((tmp_path / name).read_bytes()))
    with RunFolder(tmp_path, CONFIG) as folder:
        assert (len(folder.episodes), len(folder.times)) == (3, 3)
    assert load_run(tmp_path)[1] == sample()
    assert caplog.messages == []


def test_zeros_that_a_crash_left_cost_no_whole_record(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path)
    file = tmp_path / EPISODES_FILE
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0] + b"\0" * len(lines[1]) + lines[2])
    assert load_run(tmp_path)[1] == [sample()[0], sample()[2]]
    file.write_bytes(lines[0] + lines[1] + b"\0" * 4096)
    with RunFolder(tmp_path, CONFIG) as folder:
        assert len(folder.episodes) == 2
        folder.append(sample()[2], Times(0.5))
    assert file.read_bytes() == b"".join(lines)
    assert caplog.messages == [f"{file}, line 3 is left out: it was cut off"]


def test_of_an_episode_that_is_there_twice_the_last_valid_record_counts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path)
    with RunFolder(tmp_path, CONFIG) as folder:
        folder.append(episode(task_id="t-1", score=0.25), Times(0.5))
        folder.append(episode(task_id="t-1", status="invalid"), Times(0.5))
    assert [one["score"] for one in load_run(tmp_path)[1]] == [0.0, 0.25, 1.0]
    assert [message.partition(", line ")[2] for message in caplog.messages] == [
        "4: t-1, trial 0, is there twice; the last valid record counts",
        "5: t-1, trial 0, is there twice; the last valid record counts",
    ]


def test_an_invalid_episode_that_was_played_again_is_not_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with RunFolder(tmp_path, CONFIG) as folder:
        for status in ("invalid", "invalid", "finished"):
            folder.append(episode(task_id="t-1", status=status), Times(0.5))
    assert [one["status"] for one in load_run(tmp_path)[1]] == ["finished"]
    assert caplog.messages == []


def test_many_damaged_lines_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path)
    with open(tmp_path / EPISODES_FILE, "ab") as file:
        file.write(b"{}\n" * 50)
    assert load_run(tmp_path)[1] == sample()
    assert len(caplog.messages) == 11
    assert caplog.messages[-1] == f"{tmp_path / EPISODES_FILE}: 40 more lines like these"


@pytest.mark.parametrize(
    "line", [b"{}", b"[]", b"\xff", b'{"task_id": "t-1", "trial": 0, "wall_s": NaN}', b'{"task_id": 1, "wall_s": "x"}']
)
def test_damaged_times_cost_no_episode(tmp_path: Path, line: bytes, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path)
    lines = (tmp_path / TIMES_FILE).read_bytes().splitlines(keepends=True)
    (tmp_path / TIMES_FILE).write_bytes(lines[0] + line + b"\n" + lines[2])
    _, episodes, times = load_run(tmp_path)
    assert (len(episodes), set(times)) == (3, {("t-0", 0), ("t-2", 0)})
    assert len(caplog.messages) == 1 and "times.jsonl, line 2 is left out: " in caplog.messages[0]


@pytest.mark.parametrize("number", [1, 5, 99])
def test_a_record_of_another_version_is_refused_and_kept(tmp_path: Path, number: int) -> None:
    write(tmp_path)
    file = tmp_path / EPISODES_FILE
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0] + altered(lines[1], format=number))
    before = file.read_bytes()
    for reading in (load_run, lambda path: RunFolder(path, CONFIG)):
        with pytest.raises(OptionError, match=rf"line 2 is a record of format {number}; expected 4, .* use the"):
            reading(tmp_path)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"agent": "a"}, "expected `object`, got `str` at agent"),
        ({"agent": {}}, "missing required field `name`"),
        ({"agent": {"name": "a", "prices": {"prompt": "x"}}}, "at agent.prices"),
        ({"parts": []}, "length >= 1 at parts"),
        ({"parts": [{**PART, "stage": 7}]}, "stage"),
        ({"parts": [PART, PART]}, "each task once"),
        ({"trials": "many"}, "expected `int`, got `str` at trials"),
        ({"trials": 0}, "at trials"),
        ({"trials": 10**7}, "at most 10000000 episodes"),
        ({"seed": float("nan")}, "finite numbers"),
    ],
)
def test_a_damaged_run_file_is_told_in_a_line(tmp_path: Path, values: dict[str, Any], told: str) -> None:
    write(tmp_path)
    (tmp_path / "run.json").write_text(json.dumps({**CONFIG, **values}))
    for reading in (load_run, lambda path: RunFolder(path, CONFIG)):
        with pytest.raises(OptionError, match=f"run.json is damaged: .*{re.escape(told)}.*put it back from a copy"):
            reading(tmp_path)


@pytest.mark.parametrize("content", [b"", b"\0" * 4096, b"\n"])
def test_an_empty_run_file_gives_way_where_no_episode_can_be_lost(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    write(tmp_path)
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(OptionError, match=r"run\.json is damaged.*episodes\.jsonl beside it is left as it is"):
        RunFolder(tmp_path, CONFIG)
    with pytest.raises(OptionError, match=r"run\.json is damaged"):
        load_run(tmp_path)


def test_a_run_with_a_damaged_episode_does_not_give_way(tmp_path: Path) -> None:
    with RunFolder(tmp_path, CONFIG):
        pass
    (tmp_path / EPISODES_FILE).write_bytes(b'{"task_id": "t-0", half of a\n')
    other = {**CONFIG, "agent": {"name": "b"}}
    with pytest.raises(OptionError, match="another configuration"):
        RunFolder(tmp_path, other)
    (tmp_path / EPISODES_FILE).write_bytes(b'{"task_id": "t-0", half of a')  # no episode was finished
    with RunFolder(tmp_path, other) as folder:
        assert folder.episodes == {}


@pytest.mark.parametrize("name", ["run.json.part", "report.json.part", "chat_template.jinja.part"])
def test_what_a_killed_command_left_half_written_is_no_obstacle(tmp_path: Path, name: str) -> None:
    for _ in range(2):  # before and after run.json exists
        (tmp_path / name).write_text('{"format')
        with RunFolder(tmp_path, CONFIG):
            assert not (tmp_path / name).exists()
    write(tmp_path)
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
        with RunFolder(tmp_path, {**CONFIG, "agent": {"name": "a", "prices": prices}}):
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
