"""Keys repeated by a server, values of environment variables and values in extra_body are in no file or message."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from teller_gym.agents.endpoint import EndpointConfig
from teller_gym.base.withheld import NOT_KEPT, Options, check
from teller_gym.cli import main
from teller_gym.cli.eval_config import compose
from teller_gym.configuration.variables import without_values
from teller_gym.evaluation.runs.provenance import provenance
from tests.agents.endpoint.server import Behave, Endpoint, call, fails, running, says
from tests.base.spellings import SPELLINGS, texts_to_hide

OPTIONS = ["endpoint=options", "agent.model=m", "agent.key_variable=KEY_OF_TEST", "agent.retries=0", "n=1"]
COMMAND = ["env=loans", *OPTIONS, "env.distractors=0"]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with running() as found:
        yield found


def parts(text: str) -> Behave:
    """Answer with a content in two parts, each with half of the text."""
    cut = len(text) // 2
    return says([{"type": "text", "text": text[:cut]}, {"type": "text", "text": text[cut:]}])


def in_a_header(text: str) -> Behave:
    """Answer with an invalid header, which the client's error message quotes."""

    async def behave(request: web.Request) -> web.StreamResponse:
        transport = request.transport
        assert transport is not None
        line = text.encode("utf-8", "replace").replace(b"\r", b"").replace(b"\n", b"")
        transport.write(b"HTTP/1.1 200 OK\r\nX-Said: a\x00" + line + b"\r\nContent-Length: 2\r\n\r\n{}")
        await asyncio.sleep(0.05)
        transport.close()
        return web.Response()

    return behave


def broken(text: str) -> Behave:
    """Answer with a body that is not JSON."""

    async def behave(request: web.Request) -> web.Response:
        return web.Response(text=f'{{"choices": [{{"message": {text}', content_type="application/json")

    return behave


PLACES: dict[str, Any] = {
    "content": lambda text: says(f"you are {text}."),
    "parts of a content": parts,
    "thinking": lambda text: says("x", reasoning_content=text),
    "thinking in tags": lambda text: says(f"<think>{text}</think> x"),
    "name of a tool": lambda text: says("", [call(name=text)]),
    "arguments": lambda text: says("", [call(arguments=json.dumps({"a": text, text: 1}))]),
    "arguments as an object": lambda text: says("", [call(arguments={"a": [text]})]),
    "arguments that are no JSON": lambda text: says("", [call(arguments=text)]),
    "id of a call": lambda text: says("", [call(call_id=text)]),
    "finish reason": lambda text: says("x", finish=text),
    "error": lambda text: fails(400, f'{{"error": {{"message": {json.dumps(text)}}}}}'),
    "error in plain text": lambda text: fails(401, f"Authorization: Bearer {text}"),
    "error that may pass": lambda text: fails(500, f"<p>{text}</p>"),
    "broken body": broken,
    "header": in_a_header,
}


@settings(
    max_examples=8,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    key=texts_to_hide(ascii_only=True), place=st.sampled_from(list(PLACES)), spelling=st.sampled_from(list(SPELLINGS))
)
def test_no_key_lands_anywhere(
    endpoint: Endpoint,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    key: str,
    place: str,
    spelling: str,
) -> None:
    monkeypatch.setenv("KEY_OF_TEST", key)
    spelled = SPELLINGS[spelling](key)
    endpoint.models = [spelled]
    endpoint.will(PLACES[place](spelled))
    run = tmp_path_factory.mktemp("run")
    capfd.readouterr()
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        main(["eval", *COMMAND, f"agent.base_url={endpoint.url}", f"run_dir={run}/run"])
    assert endpoint.headers[-1]["Authorization"] == f"Bearer {key}"
    files = (path.read_text("utf-8", errors="replace") for path in run.rglob("*") if path.is_file())
    told = [*capfd.readouterr(), caplog.text, *files]
    assert any("m" in one for one in told)
    for one in told:
        for form in {key, spelled, json.dumps(key)[1:-1], json.dumps(spelled)[1:-1]}:
            assert form not in one


SECRET, SHORT, PLAIN = 'hunter2/"quoted"-ü-' + "x" * 80, "pin42", "tok-plain-0123"
BODY = 'agent.extra_body={user: "${oc.env:SECRET_OF_TEST}", top_k: 5, token: tok-plain-0123, reasoning_effort: low}'
MODEL = "agent.model=${oc.env:SECRET_OF_TEST}"
SECRET_COMMAND = ["env=loans", "endpoint=options", MODEL, BODY, "n=1", "agent.retries=0"]


@pytest.fixture(autouse=True)
def _variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_TEST", SECRET)
    monkeypatch.setenv("SHORT_OF_TEST", SHORT)


def expect_hidden(*told: str) -> None:
    for one in told:
        for secret in (SECRET, SHORT, PLAIN, SECRET[:20], json.dumps(SECRET)[1:-1], json.dumps(SECRET)[1:21]):
            assert secret not in one


def test_names_of_variables_land_in_a_run_and_values_do_not(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with running() as endpoint:
        quoted = {"error": {"message": f"no user {SECRET} with {PLAIN}"}}
        endpoint.will(fails(400, json.dumps(quoted)))
        main(["eval", *SECRET_COMMAND, f"agent.base_url={endpoint.url}", f"run_dir={tmp_path}/run"])
        assert endpoint.bodies[0]["model"] == endpoint.bodies[0]["user"] == SECRET
        assert endpoint.bodies[0]["token"] == PLAIN
    main(["report", f"{tmp_path}/run", "--no-view"])
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    expect_hidden(*capfd.readouterr(), *(file.read_bytes().decode(errors="replace") for file in files))
    agent = json.loads((tmp_path / "run" / "run.json").read_text())["agent"]
    assert agent["name"] == agent["options"]["model"] == "${oc.env:SECRET_OF_TEST}"
    user = {"user": "${oc.env:SECRET_OF_TEST}", "token": NOT_KEPT, "top_k": 5, "reasoning_effort": "low"}
    assert agent["options"]["extra_body"] == user


def test_the_command_line_is_written_down_without_the_body() -> None:
    noted = provenance(["eval", BODY, f"++agent.extra_body.token={PLAIN}", MODEL, "n=1"])["command"]
    hidden = ["agent.extra_body=<not kept>", "++agent.extra_body.token=<not kept>"]
    assert noted == ["eval", *hidden, MODEL, "n=1"]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_show_names_them(capfd: pytest.CaptureFixture[str], more: list[str]) -> None:
    assert main(["eval", *SECRET_COMMAND, "run_dir=runs/${oc.env:SHORT_OF_TEST}", "--show", *more]) == 0
    out, err = capfd.readouterr()
    expect_hidden(out, err)
    assert "runs/${oc.env:SHORT_OF_TEST}" in out
    assert NOT_KEPT in out


SETTINGS = ("n", "split", "tools", "stage", "limits.usd", "env", "env.sop", "agent", "agent.temperature",
            "agent.protocol", "agent.base_url", "agent.extra_body", "agent.key_variable", "env.nothing")  # fmt: skip


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_complaint_shows_them(capfd: pytest.CaptureFixture[str], setting: str) -> None:
    name = ("SECRET_OF_TEST", "SHORT_OF_TEST")[SETTINGS.index(setting) % 2]
    endpoint = ["endpoint=options", "agent.model=m"] if setting.startswith("agent.") else ["agent=expert"]
    assert main(["eval", "env=loans", *endpoint, "n=1", f"{setting}=${{oc.env:{name}}}"]) != 0
    out, err = capfd.readouterr()
    expect_hidden(out, err)
    assert "teller-gym:" in err


@pytest.mark.parametrize("length", [4, 12, len(SECRET) - 1])
@pytest.mark.parametrize("spelled", [str, json.dumps, repr])
def test_what_is_cut_off_shows_no_beginning(length: int, spelled: Callable[[str], str]) -> None:
    spelling = spelled(SECRET).strip("\"'") if spelled is not str else SECRET
    told = without_values(f"n: got ['{spelling[:length]}… (99 characters), or … of it", {"SECRET_OF_TEST": SECRET})
    assert told == "n: got ['${oc.env:SECRET_OF_TEST}… (99 characters), or … of it"


def test_a_body_that_cannot_be_read_is_not_repeated(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "env=loans", "endpoint=options", "agent.extra_body={token: tok-plain-0123"]) == 2
    told = capfd.readouterr().err
    assert "agent.extra_body cannot be read" in told
    expect_hidden(told)


def test_a_changed_value_is_another_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def identity() -> dict[str, Any]:
        options = compose([*SECRET_COMMAND, "agent.temperature=0.5"]).agent.options
        return EndpointConfig.read(options).identity(options.shown)

    before = identity()
    assert before == identity()
    monkeypatch.setenv("SECRET_OF_TEST", "another")
    assert {name for name, value in identity().items() if value != before[name]} == {"check"}
    plain = EndpointConfig.read({"model": "m", "extra_body": {"a": "1"}}).identity()
    other = EndpointConfig.read({"model": "m", "extra_body": {"a": "2"}}).identity()
    assert plain != other
    assert "check" not in EndpointConfig.read({"model": "m", "extra_body": {"top_k": 1, "b": True}}).identity()
    assert len(check(before)) == 4


def test_options_show_names_alone() -> None:
    options = Options({"a": SECRET, "b": [1, {"c": SHORT}]}, {"a": "${oc.env:A}", "b": [1, {"c": "${oc.env:C}"}]})
    expect_hidden(repr(options), str(options))
    assert options.hidden == [SECRET, SHORT]
