"""`teller-gym play`: complete cases, all forms of input, settings and invalid input."""

import io
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import teller_gym
from teller_gym.agents.graph_answers import gold
from teller_gym.cli import main
from teller_gym.cli.play.layout import result_text, wrap
from teller_gym.cli.play.program import ProtocolError, read_line
from teller_gym.cli.play.short_form import NotationError, action_of, value_of
from teller_gym.evaluation.records.run_folder import load_run
from teller_gym.evaluation.runs.regrade import regrade
from teller_gym.stage1.task import find_graph_task

REPO = Path(__file__).parents[2]
TASK = "loans-0027"
COMMAND = [sys.executable, "-m", "teller_gym.cli", "play"]


Play = Callable[..., tuple[int, str]]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Return a function that plays with the given input and returns exit code and output."""

    def run(typed: str | bytes, *arguments: str) -> tuple[int, str]:
        content = typed.encode() if isinstance(typed, str) else typed
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        code = main(["play", *arguments])
        return code, capsys.readouterr().out

    return run


def actions(task_id: str = TASK) -> list[dict[str, Any]]:
    """Return the standard calls of a task."""
    (task,) = [task for task in teller_gym.load_tasks("loans", "train") if task.id == task_id]
    return [{"name": call.name, "arguments": dict(call.arguments)} for call in task.standard.calls]


def short(call: Mapping[str, Any]) -> str:
    """Return a call in the short form that a person would type."""

    def typed(value: Any) -> str:
        if isinstance(value, list):
            return ",".join(map(str, value))
        return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

    return " ".join([call["name"], *(f'{name}="{typed(value)}"' for name, value in call["arguments"].items())])


def lines(calls: Sequence[Mapping[str, Any]]) -> str:
    """Return calls as lines of input, every second one in the short form."""
    return "".join((short(call) if place % 2 else json.dumps(call)) + "\n" for place, call in enumerate(calls))


# -- by hand ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [short, json.dumps])
def test_a_whole_case_is_worked_to_score_1(play: Play, form: Callable[[Any], str]) -> None:
    code, out = play("".join(form(call) + "\n" for call in actions()), "loans", f"task_id={TASK}")
    assert code == 0
    assert "score 1.000, success" in out
    assert "passed  finish" in out
    assert "missed" not in out


def test_what_a_model_sees_is_shown_and_nothing_of_the_grade(play: Play) -> None:
    code, out = play("get_application_data application_id=LA-000000\nquit\n", "loans", f"task_id={TASK}")
    env = gym.make("Teller-Loans-v0")
    env.reset(options={"task_id": TASK})
    core: Any = env.unwrapped
    before, _, after = out.partition("The case was left before its end; the grade so far:")
    assert code == 1
    for message in core.messages():
        assert " ".join(message["content"].split()) in " ".join(before.split())
    assert "there is no LA-000000 here" in " ".join(before.split())
    assert "The last action failed (validation)." in before
    for word in ("score", "checkpoint", "missed", "passed  "):
        assert word not in before.partition(TASK)[2]
        assert word in after or word == "passed  " or word == "checkpoint"


def test_the_same_seed_draws_the_same_case(play: Play) -> None:
    drawn = [play("quit\n", "loans", f"seed={seed}")[1] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_commands(play: Play) -> None:
    typed = ["help", "tools", "tools affordab", "tool verify_identity", "tool nothing", "sop grade", "sop zzz"]
    typed += ["request", "history"]
    code, out = play("\n".join(typed), "loans", f"task_id={TASK}")
    shown = out.partition("steps at most")[2]
    assert code == 1
    assert "A call, in one of two forms" in shown
    assert "assess_affordability(application_id: string" in shown
    assert '"pattern": "^CU-[0-9]{6}$"' in shown
    assert "expected tool NAME, got 'nothing'" in shown
    assert "| grade | minimum score |" in shown
    assert "no line has 'zzz'" in shown
    assert "nothing was sent yet" in shown
    assert "Please work loan application" in shown
    assert "checkpoints 0.000" in shown  # no command counted as a step


def test_what_is_typed_wrongly_is_not_sent(play: Play) -> None:
    wrong = ["verify_identit", "verify_identity customer_id", "verify_identity a=1 a=2", 'verify_identity a="b', ""]
    code, out = play("\n".join([*wrong, "history"]), "loans", f"task_id={TASK}")
    assert code == 1
    assert out.count("not sent:") == 4
    assert "did you mean 'verify_identity'?" in " ".join(out.split())
    assert "nothing was sent yet" in out


def test_bytes_that_are_no_text_do_no_harm(play: Play) -> None:
    code, out = play(b'\xff\xfe\n{"name": "\xff"}\nhistory\nquit\n', "loans", f"task_id={TASK}")
    assert code == 1
    assert "not sent" in out
    assert "malformed" in out


def test_a_final_response_and_the_step_budget_end_the_case(play: Play) -> None:
    code, out = play("say I give up.\n", "loans")
    assert (code, "the grade so far" in out, "no success" in out) == (0, False, True)
    code, out = play("list_nothing\n{}\n{}\n{}\n", "loans", "env.max_steps=2")
    assert code == 0
    assert "The budget of 2 steps is spent." in out
    assert out.count("\n> ") == 3


def test_options_reach_the_env(play: Play) -> None:
    arguments = ("env.sop=explicit", "env.schema_shift=true", "split=validation", "env.distractors=2")
    code, out = play("tools\nquit\n", "loans", *arguments)
    assert code == 1
    assert "Case loans-0" in out
    assert "get_application_data(" not in out


def test_stage_1_takes_a_block_or_a_file(play: Play, tmp_path: Path) -> None:
    name = "loans-graph-validation-3"
    answer = gold(find_graph_task("loans", name, distractors=3))
    block = json.dumps(json.loads(answer), indent=1)
    for typed in (f"help\n{block}\n\nquit\n", block):
        code, out = play(typed, "loans_graph", f"task_id={name}", "env.distractors=3")
        assert code == 0
        assert "score 1.000, success" in out
    file = tmp_path / "answer.yaml"
    file.write_text(f"I think:\n\n{answer}", encoding="utf-8")
    code, out = play(f"@{file}x\nsopp\n@{file}\n", "loans_graph", f"task_id={name}", "env.distractors=3")
    assert (code, out.count("not sent")) == (0, 2)
    assert "score 1.000, success" in out
    code, out = play("", "loans_graph", f"task_id={name}", "env.distractors=3")
    assert (code, "no answer was given" in out) == (1, True)


# -- recorded ---------------------------------------------------------------------------------------------------------


def test_a_record_is_a_run(play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    arguments = ("loans", f"task_id={TASK}", "env.perturb=true", "--record", str(run), "--name", "ada")
    assert play(lines(actions()[:3]), *arguments)[0] == 1
    assert not run.exists()
    assert play(lines(actions()), *arguments)[0] == 0
    config, (episode,), times = load_run(run)
    assert (config["agent"], episode["agent"], episode["score"]) == ({"name": "ada", "kind": "human"}, "ada", 1.0)
    assert [turn["tool"] for turn in episode["trace"]] == [call["name"] for call in actions()]
    taken = times[TASK, 0]
    assert taken.wall_s >= sum(taken.turns_s) > 0
    assert len(taken.turns_s) == episode["steps"]
    assert not regrade(run).changed
    assert main(["play", *arguments]) == 2
    assert "holds this case already" in capsys.readouterr().err


def test_of_an_unfinished_case_nothing_is_left(play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("loans", f"task_id={TASK}", "--record")
    assert play("quit\n", *arguments, str(tmp_path / "runs" / "by-hand"))[0] == 1
    assert list(tmp_path.iterdir()) == []
    other = tmp_path / "runs" / "other"
    assert play("say no\n", *arguments, str(other))[0] == 0
    play("quit\n", *arguments, str(other.parent / "by-hand"))
    assert list(other.parent.iterdir()) == [other]
    assert len(load_run(other)[1]) == 1


def test_a_record_of_stage_1(play: Play, tmp_path: Path) -> None:
    arguments = ("loans_graph", "env.distractors=0", "split=validation", "--record", str(tmp_path))
    assert play('{"nodes": [], "edges": []}\n', *arguments)[0] == 0
    config, (episode,), _ = load_run(tmp_path)
    assert (config["parts"][0]["stage"], episode["stage"]) == (1, 1)
    assert not regrade(tmp_path).changed


# -- for a program ----------------------------------------------------------------------------------------------------


def messages(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_program_works_a_whole_case(play: Play) -> None:
    calls = actions()
    sent = [json.dumps(call if place % 2 else {"action": json.dumps(call)}) for place, call in enumerate(calls)]
    code, out = play("\n".join(sent), "loans", f"task_id={TASK}", "--json")
    start, *steps, end = messages(out)
    assert code == 0
    assert (start["type"], start["task_id"], start["stage"], len(start["tools"])) == ("start", TASK, 2, 41)
    assert [message["role"] for message in start["messages"]] == ["system", "user"]
    assert [(step["type"], step["step"], step["error"], step["over"]) for step in steps] == [
        ("step", number, None, number == len(calls)) for number in range(1, len(calls) + 1)
    ]
    assert all(step.keys() == {"type", "step", "observation", "error", "over"} for step in steps)
    assert (end["type"], end["over"], end["grade"]["score"]) == ("end", True, 1.0)
    assert all(row["passed"] and row["reason"] for row in end["grade"]["checkpoints"])


def test_a_bad_line_is_answered_and_costs_no_step(play: Play) -> None:
    bad = [b"nonsense", b"[1]", b'"text"', b"\xff", b'{"name": "x"}', b'{"action": 1}', b"[" * 100_000, b"{}"]
    bad += [b'{"name": "x", "arguments": []}', b'{"action": "x", "name": "y", "arguments": {}}']
    code, out = play(b"\n".join([*bad, b"", b'{"action": "{"}']), "loans", "--json")
    _, *rest, step, end = messages(out)
    assert code == 1
    assert [message["type"] for message in rest] == ["error"] * len(bad)
    assert all(message["message"].startswith("expected {") for message in rest)
    assert (step["step"], step["error"]["kind"]) == (1, "malformed")
    assert (end["over"], end["grade"]["errors"]) == (False, {"malformed": 1})


def test_stage_1_for_a_program(play: Play) -> None:
    code, out = play('{"action": "no graph"}\n', "loans_graph", "env.distractors=0", "--json")
    start, step, end = messages(out)
    assert (code, start["tools"], step["over"], end["grade"]["score"]) == (0, [], True, 0.0)
    code, out = play("", "loans_graph", "env.distractors=0", "--json")
    assert (code, messages(out)[-1]["grade"]) == (1, None)


@given(line=st.text() | st.binary().map(lambda raw: raw.decode(errors="surrogateescape")))
def test_any_line_is_an_action_or_a_protocol_error(line: str) -> None:
    try:
        assert isinstance(read_line(line), str)
    except ProtocolError as error:
        assert str(error).startswith("expected {")


@given(action=st.text(st.characters(exclude_categories=[])))
def test_an_action_arrives_as_it_was_sent(action: str) -> None:
    assert read_line(json.dumps({"action": action})) == action


# -- as a process -----------------------------------------------------------------------------------------------------


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(REPO), "TERM": "dumb", "COLUMNS": "100"}


def test_a_process_that_is_talked_to_answers_at_once(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "loans", f"task_id={TASK}", "--json", "--record", str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=REPO, env=environment(), text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["type"] == "start"
    for call in actions():
        process.stdin.write(json.dumps(call) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["error"] is None
    assert json.loads(process.stdout.readline())["grade"]["score"] == 1.0
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert f"the episode is in {tmp_path}" in err


class Terminal:
    """A process that runs in a pseudo-terminal."""

    def __init__(self, *arguments: str) -> None:
        import pty

        self.process, self._end = pty.fork()
        if self.process == 0:
            os.chdir(REPO)
            os.execve(sys.executable, [*COMMAND, *arguments], environment())
        self._rest = ""

    def until(self, text: str, again: str = "") -> str:
        """Read until a text is shown; return the output since the last call up to that text.

        Args:
            again: keys to type again every few seconds until then.
        """
        found, start, typed = self._rest, time.monotonic(), 0
        while text not in found and time.monotonic() < start + 60:
            if again and time.monotonic() > start + 4 * typed:
                typed += 1
                self.type(again)
            if select.select([self._end], [], [], 0.1)[0]:
                try:
                    found += os.read(self._end, 65536).decode(errors="replace")
                except OSError:  # the process has closed the terminal
                    break
        before, there, self._rest = found.partition(text)
        assert there, found
        return before + there

    def type(self, keys: str) -> None:
        os.write(self._end, keys.encode())

    def code(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])

    def close(self) -> None:
        os.close(self._end)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    made: list[Terminal] = []

    def make(*arguments: str) -> Terminal:
        made.append(Terminal(*arguments))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_at_a_terminal_a_case_is_worked_with_completion_and_history(terminal: Callable[..., Terminal]) -> None:
    pytest.importorskip("readline", reason="this system has no readline")
    at = terminal("loans", f"task_id={TASK}")
    at.until("Type help for what you can type.")
    first, *rest = actions()
    at.type(f"get_appl\t appl\t{first['arguments']['application_id']}\n")
    assert first["name"] in at.until("Step 1 of")
    at.type("\x1b[A\n")
    at.until("Step 2 of")
    for number, call in enumerate(rest, 3):
        at.type(short(call) + "\n")
        at.until(f"Step {number} of")
    at.until("score 1.000, success")
    assert at.code() == 0


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 1)], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_a_terminal_shows_the_grade_so_far(terminal: Callable[..., Terminal], key: str, code: int) -> None:
    at = terminal("loans", f"task_id={TASK}")
    at.until("> ")
    at.type(f"get_application_data application_id={actions()[0]['arguments']['application_id']}\n")
    at.until("Step 1 of")
    at.until("> ")
    shown = at.until("missed  finish", again=key)  # keys typed just as the prompt appears may get lost
    assert "the grade so far" in shown
    assert "passed  call:get_application_data" in shown
    assert "Traceback" not in shown
    assert at.code() == code


# -- notation and layout ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "schema", "expected"), yaml.safe_load(Path(__file__).with_name("short_values.yaml").read_text("utf-8"))
)
def test_values_are_read_as_the_schema_says(text: str, schema: dict[str, Any], expected: Any) -> None:
    found = value_of(text, schema)
    assert (found, type(found)) == (expected, type(expected))


@given(line=st.text(max_size=60))
def test_any_line_is_an_action_or_not_sent(line: str) -> None:
    tools = [{"function": {"name": "look", "parameters": {"properties": {"at": {"type": "integer"}}}}}]
    for typed in (line.strip(), f"look {line}".strip(), f"look at={line}".strip()):
        if typed:
            try:
                assert action_of(typed, tools)
            except NotationError as error:
                assert str(error)


def test_every_standard_call_has_a_short_form() -> None:
    env = gym.make("Teller-Loans-v0")
    env.reset(options={"task_id": TASK})
    core: Any = env.unwrapped
    tools = core.tool_schemas()
    for task in teller_gym.load_tasks("loans", "train", n=40):
        for call in task.standard.calls:
            written = {"name": call.name, "arguments": dict(call.arguments)}
            assert json.loads(action_of(short(written), tools)) == written


@given(
    result=st.dictionaries(
        st.text(),
        st.text() | st.floats(allow_nan=False) | st.lists(st.integers() | st.dictionaries(st.text(), st.none())),
    ),
    width=st.integers(40, 120),
)
def test_a_result_is_laid_out_without_losing_anything(result: dict[str, Any], width: int) -> None:
    text = msgspec.json.encode(result).decode()
    assert json.loads(result_text(text, width)) == json.loads(text)


def test_numbers_stay_as_they_were_written() -> None:
    text = '{"rows":[{"amount":12.50,"n":1e3},{"amount":0.10,"n":2}],"note":"' + "long words " * 12 + '"}'
    shown = result_text(text, 60)
    assert "12.50" in shown
    assert "1e3" in shown
    assert '    {"amount": 0.10, "n": 2}' in shown.splitlines()
    assert json.loads(shown) == json.loads(text)


def test_text_is_folded_under_its_own_first_word() -> None:
    assert wrap("- one two three four five six seven eight", 20).splitlines() == [
        "- one two three four", "  five six seven", "  eight",
    ]  # fmt: skip
    assert wrap("| a | " + "b" * 30, 20) == "| a | " + "b" * 30
