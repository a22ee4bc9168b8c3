"""The folder of pages: its contents, that they are reproducible, and that text from records is never executed."""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.records.run_folder import load_run
from teller_gym.tasks.store import CANARY
from teller_gym.viewer import write, write_view
from teller_gym.viewer.write import CHUNK, data_script
from tests.evaluation.samples import episode, write_run
from tests.viewer.hostile import ALL, HUGE, hostile_episodes, turn
from tests.viewer.reading import read_data, read_script

Played = dict[str, Path]


def test_every_episode_of_every_run_is_found_by_its_row(played: Played, tmp_path: Path) -> None:
    runs = [played["careless"], played["roughly"], played["expert"]]
    page = write_view(runs, tmp_path / "view")
    assert page == tmp_path / "view" / "index.html"
    data = read_data(tmp_path / "view")
    columns = data["index"]["columns"]
    assert [run["name"] for run in data["index"]["runs"]] == ["careless", "roughly", "expert"]
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    records = [(number, one) for number, run in enumerate(runs) for one in load_run(run)[1]]
    assert len(rows) == len(records)
    for row, (number, one) in zip(rows, records, strict=True):
        score = None if one["status"] == "invalid" else one["score"]
        assert (row["run"], row["task"], row["trial"]) == (number, one["task_id"], one["trial"])
        assert row["score"] == score
        chunk = data[f"episodes-{number}-{row['chunk']}"]
        shown = chunk["episodes"][row["place"]]
        assert shown["seed"] == one["seed"]
        assert [chunk["texts"][text] for _, text in shown["prompt"]] == [m["content"] for m in one["messages"][:2]]


def test_files_hold_so_many_episodes_and_texts_only_once(tmp_path: Path) -> None:
    sop = "the procedure " * 1000
    messages = [{"role": "system", "content": sop}]
    many = [episode(task_id=f"t-{i}", messages=messages) for i in range(2 * CHUNK + 1)]
    write_view([write_run(tmp_path / "run", many)], tmp_path / "view")
    data = read_data(tmp_path / "view")
    assert [len(data[f"episodes-0-{i}"]["episodes"]) for i in range(3)] == [CHUNK, CHUNK, 1]
    assert data["episodes-0-0"]["texts"] == [sop]


def test_large_episodes_have_files_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "CHUNK_BYTES", 1000)
    many = [episode(task_id=f"t-{i}", trace=[turn("", result="x" * 2000)]) for i in range(2)]
    write_view([write_run(tmp_path / "run", many)], tmp_path / "view")
    assert set(read_data(tmp_path / "view")) == {"index", "episodes-0-0", "episodes-0-1"}


def test_the_same_bytes_whatever_the_process(played: Played, tmp_path: Path) -> None:
    script = "import sys; from teller_gym.viewer import write_view; write_view(sys.argv[2:], sys.argv[1])"
    for seed in ("1", "2"):
        folders = map(str, (tmp_path / seed, played["careless"], played["roughly"]))
        subprocess.run([sys.executable, "-c", script, *folders], check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    files = [{f.relative_to(tmp_path / seed): f.read_bytes() for f in (tmp_path / seed).rglob("*.*")} for seed in "12"]
    assert files[0] == files[1]


def test_pages_written_before_are_replaced(tmp_path: Path) -> None:
    many = [episode(task_id=f"t-{i}") for i in range(CHUNK + 1)]
    out = tmp_path / "view"
    write_view([write_run(tmp_path / "long", many)], out)
    (out / "data" / "notes.txt").write_text("mine")
    write_view([write_run(tmp_path / "short", many[:1])], out)
    assert sorted(file.name for file in (out / "data").iterdir()) == ["episodes-0-0.js", "index.js", "notes.txt"]


def test_hostile_records_are_data_and_nothing_else(tmp_path: Path) -> None:
    write_view([write_run(tmp_path / "run", hostile_episodes())], tmp_path / "view")
    data = read_data(tmp_path / "view")
    shown = [one for name, chunk in data.items() if name != "index" for one in chunk["episodes"]]
    assert [one["steps"][-1]["action"] for one in shown] == [*ALL, HUGE]
    assert [one["steps"][0]["model"]["thinking"] for one in shown[:-1]] == list(ALL)


def test_the_canary_goes_with_the_data_and_an_endpoint_s_address_does_not(tmp_path: Path) -> None:
    agent = {"name": "m", "kind": "endpoint", "options": {"base_url": "http://inside.example:8000/v1"}}
    write_view([write_run(tmp_path / "run", [episode()], agent=agent)], tmp_path / "view")
    assert all(value["canary"] == CANARY for value in read_data(tmp_path / "view").values())
    assert not [f for f in (tmp_path / "view").rglob("*.*") if b"inside.example" in f.read_bytes()]


def test_the_pages_ask_for_nothing_from_elsewhere(tmp_path: Path) -> None:
    write_view([write_run(tmp_path / "run", [episode()])], tmp_path / "view")
    for file in (tmp_path / "view").glob("*.*"):
        text = file.read_text(encoding="utf-8")
        assert not re.findall(
            r"\bfetch\(|XMLHttpRequest|innerHTML|outerHTML|insertAdjacentHTML|\beval\(|document\.write", text
        ), file
        assert [a for a in re.findall(r"https?://[^\s\"']+", text) if a != "http://www.w3.org/2000/svg"] == []
    page = (tmp_path / "view" / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r'<script src="([^"]+)"></script>', page)
    assert page.count("<script") == len(scripts)
    assert sorted(scripts) == sorted([f.name for f in (tmp_path / "view").glob("*.js")] + ["data/index.js"])


def test_mistakes_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = write_run(tmp_path / "run", [episode()])
    with pytest.raises(OptionError, match="at least one run"):
        write_view([], tmp_path / "view")
    with pytest.raises(OptionError, match="no run folder"):
        write_view([tmp_path / "nothing"], tmp_path / "view")
    with pytest.raises(OptionError, match="got the file"):
        write_view([run], tmp_path / "file")


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [episode()])
    for name in ("index.html", "notes/mine.md"):
        folder = tmp_path / name[:5]
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("<p>mine</p>")
        with pytest.raises(OptionError, match=f"holds {re.escape(name)}; name another folder"):
            write_view([run], folder)
        assert [file for file in folder.rglob("*") if file.is_file()] == [folder / name]
    with pytest.raises(OptionError, match=r"holds (run\.json|episodes\.jsonl|times\.jsonl)"):
        write_view([run], run)
    (tmp_path / "empty" / "data").mkdir(parents=True)
    write_view([run], tmp_path / "empty")


def test_a_run_without_episodes_has_an_empty_list(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [episode()])
    (run / "episodes.jsonl").write_text("")
    write_view([run], tmp_path / "view")
    assert read_data(tmp_path / "view")["index"]["columns"] == {}


_evil = st.text(st.sampled_from("'\"\\<>/&`${}nxu0123\r\n\u2028\u2029\ud800\udfff\x00\x1b\x7f🏦é"), max_size=20)
_texts = st.text(max_size=20) | _evil | st.sampled_from(ALL)
_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=8,
)


@given(_values)
def test_values_come_through(value: Any) -> None:
    same = json.loads(json.dumps(value))  # two adjacent surrogates become one character
    assert read_script(data_script("episodes-0-1", value)) == ("episodes-0-1", same)


@given(_texts)
def test_no_text_can_end_a_script(text: str) -> None:
    script = data_script("index", {text: text})
    assert b"<" not in script
    assert script.count(b"\n") == 1


def test_what_json_has_no_word_for_is_told() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (math.nan, -math.inf, deep):
        with pytest.raises(OptionError, match="episodes-2-0"):
            data_script("episodes-2-0", [value])
