"""Misbehaviours of an endpoint, drawn by hypothesis, each with the party to blame."""

import json
from pathlib import Path
from typing import Literal, NamedTuple

import yaml
from hypothesis import strategies as st

from tests.fuzz.texts import any_text, values
from tests.servers.hostile import KEY_MARK, Wrong

Blame = Literal["nobody", "server", "model"]
"""Harmless misbehaviour (nobody) leaves the score unchanged; the server's costs no score, but may make the episode
invalid; the model's is scored."""


class Misbehaviour(NamedTuple):
    """A misbehaviour and the party to blame."""

    wrong: Wrong
    blame: Blame


MEGABYTE = 2**20
PADDING = 40 * MEGABYTE
"""More bytes than a response may have."""
_TEXTS = yaml.safe_load(Path(__file__).with_name("answers.yaml").read_text("utf-8"))
_OK = "HTTP/1.1 200 OK\r\n"
RETRY_AFTER = (*_TEXTS["retry_after"], "9" * 4000)
ERRORS = (*_TEXTS["errors"], "[" * 100_000, '{"detail": "' + "x" * 100_000 + '"}')
RAW = (
    *_TEXTS["raw"],
    _OK + "X: " + "y" * 70_000 + "\r\n\r\n",
    _OK + "X: y\r\n" * 5_000 + "\r\n{}",
    "HTTP/1.1 200 \ud800\r\nA: \ud800\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 100 Continue\r\n\r\n" * 50,
)
COUNTS = (*_TEXTS["counts"], "9" * 400)
COMPLETIONS = (*_TEXTS["completions"], "{" * 50_000, '{"a":' * 50_000)
CHOICE = ("choices", 0)
MESSAGE = (*CHOICE, "message")
CALL = (*MESSAGE, "tool_calls", 0)

_json = values.map(json.dumps)
_no_object = values.filter(lambda value: not isinstance(value, dict)).map(json.dumps)
_no_list = values.filter(lambda value: value is not None and not isinstance(value, list)).map(json.dumps)
_strings = (any_text | st.sampled_from(["\ud800", "x" * MEGABYTE, "\x00", "[" * 5_000])).map(json.dumps)
_counts = st.sampled_from(COUNTS) | _json
_key = st.sampled_from(["plain", "slashes", "codes", "capitals"])
_share = st.floats(0.0, 0.999)
_headers = st.lists(
    st.one_of(
        st.tuples(st.just("Retry-After"), st.sampled_from(RETRY_AFTER)),
        st.tuples(st.sampled_from(["Location", "Set-Cookie"]), st.sampled_from(["/elsewhere", "//", "a=b"])),
    ),
    max_size=2,
    unique_by=lambda header: header[0],
).map(tuple)


def _value(path: tuple[str | int, ...], value: st.SearchStrategy[str]) -> st.SearchStrategy[Wrong]:
    return st.builds(Wrong, kind=st.just("value"), path=st.just(path), value=value, key=_key)


def _removed(*path: str | int) -> st.SearchStrategy[Wrong]:
    return st.just(Wrong("remove", path=path))


_types = st.sampled_from(["text/html", "application/json; charset=utf-16", "application/json; charset=none", "", "x"])
NOBODY = st.one_of(
    *(_value((key,), _json) for key in ("id", "created", "model", "object", "system_fingerprint", "x")),
    _value(("usage",), st.just("null")),
    *(_value(("usage", name), _counts) for name in ("prompt_tokens", "completion_tokens", "total_tokens", "x")),
    *(_removed("usage", name) for name in ("prompt_tokens", "completion_tokens")),
    _removed("usage"),
    st.builds(Wrong, headers=_types.map(lambda one: (("Content-Type", one),))),
    st.builds(Wrong, kind=st.just("packed"), packing=st.sampled_from(["gzip", "deflate"])),
    st.builds(Wrong, padding=st.sampled_from([1, 1000, 300_000])),
    st.just(Wrong("drip", seconds=0.02)),
    _value((*MESSAGE, "content"), st.sampled_from([f'"{KEY_MARK}"', f'"so I say {KEY_MARK}."', '"<think>x</think>"'])),
)
"""Harmless misbehaviours."""

SERVER = st.one_of(
    st.builds(
        Wrong,
        status=st.sampled_from(_TEXTS["statuses"]),
        headers=_headers,
        body=st.none() | st.sampled_from(ERRORS),
        key=_key,
    ).filter(lambda wrong: wrong.body is not None or wrong.status >= 300),
    st.builds(Wrong, body=st.sampled_from(COMPLETIONS) | st.sampled_from(ERRORS), key=_key),
    st.builds(Wrong, kind=st.just("raw"), body=st.sampled_from(RAW) | any_text),
    st.builds(Wrong, kind=st.sampled_from(["cut", "garbled", "hang_up"]), share=_share),
    st.builds(Wrong, kind=st.just("packed"), packing=st.sampled_from(["lie", "unknown"])),
    st.just(Wrong("packed", packing="bomb")),
    st.just(Wrong("hang")),
    st.just(Wrong(padding=PADDING)),
    _value((), _json),
    *(_value(path, _json) for path in [("choices",), CHOICE, (*CALL, "id"), (*CALL, "type")]),
    *(_value(path, _no_object) for path in [MESSAGE, CALL, (*CALL, "function")]),
    _value((*MESSAGE, "tool_calls"), _no_list),
    *(_removed(*path) for path in [("choices",), CHOICE, MESSAGE]),
    _value((*CHOICE, "finish_reason"), st.just('"error"')),
    _value((*CHOICE, "error"), st.just('{"message": "upstream broke", "code": 502}')),
    _value(("error",), st.just('{"message": "upstream broke", "code": 502}')),
)
"""Misbehaviours of the server."""

MODEL = st.one_of(
    _value((*MESSAGE, "tool_calls"), st.sampled_from(["null", "[]"])),
    _value((*CALL, "function", "name"), _strings),
    _value((*CALL, "function", "arguments"), _strings),
    _value((*MESSAGE, "content"), _strings),
    _value((*MESSAGE, "reasoning_content"), _strings),
    _value((*CHOICE, "finish_reason"), st.sampled_from(['"length"', '"stop"', '"tool_calls"'])),
)
"""Outputs of the model, harmless or not, that are scored."""

misbehaviours = st.one_of(
    *(
        wrongs.map(lambda wrong, blame=blame: Misbehaviour(wrong, blame))  # type: ignore[misc]
        for wrongs, blame in ((NOBODY, "nobody"), (SERVER, "server"), (MODEL, "model"))
    )
)
