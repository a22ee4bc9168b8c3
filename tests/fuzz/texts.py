"""Hypothesis strategies for hostile actions that a broken, confused or malicious model could write."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from teller_gym.tools.call import Call

MEGABYTE = 1_000_000
SIZES = (0, 1, 80, 5_000, 65_537, MEGABYTE - 1, MEGABYTE, MEGABYTE + 1)
LOOKALIKES = str.maketrans("aceiopxy0123456789-", "асеіорху０１２３４５６７８９‐")
"""Maps characters to similar ones: letters of other alphabets, full-width digits, another hyphen."""

any_text = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
"""Texts with any Unicode characters, including lone surrogates and control characters."""
raw_bytes = st.binary(max_size=60).map(lambda raw: raw.decode("utf-8", "surrogateescape"))

NUMBERS = (
    "0", "-0", "-0.0", "1", "-1", "0.1", "5e-324", "-5e-324", "2.2250738585072014e-308", "1e308", "-1e308", "1e309",
    "1e999999", "NaN", "Infinity", "-Infinity", "1e", "00", "+1", "0x10", ".5", "1_000", "١٢", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "18446744073709551616", "1" + "0" * 400, "9" * 5_000,
    "0." + "0" * 4_000,
)  # fmt: skip
STRINGS = (
    "", " ", "\x00", "\ud800", "\udfff\ud800", "null", "NaN", "true", "[]", "{}", "../../etc/passwd", "{{7*7}}", "${x}",
    "%s%n", "'; DROP TABLE customers; --", "<script>alert(1)</script>", "\u202e\u0000\u2028", "e\u0301", "\ufeff", "٣",
    "—", "0000-00-00", "9999-12-31", "2026-02-30", "-0001-01-01", "1e3", "</tool_call>", "```", "🏦" * 40,
)  # fmt: skip

numbers = st.sampled_from(NUMBERS) | st.floats().map(repr) | st.integers().map(str)
"""Literals, most of them invalid JSON."""
strings = st.one_of(
    st.sampled_from(STRINGS),
    any_text,
    st.builds(lambda size, one: one * size, st.sampled_from(SIZES), st.sampled_from("x\\é🏦")),
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), st.sampled_from(STRINGS), any_text),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=6,
)
literals = st.one_of(numbers, values.map(json.dumps), strings.map(json.dumps))
"""Texts of values in JSON, valid or not."""

WAYS = (
    "{0}", "```json\n{0}\n```", "```\n{0}", "<tool_call>{0}</tool_call>", "<tool_call>\n{0}", "<think>x</think>{0}",
    "<think>{0}", "Sure! {0} Done.", "\ufeff{0}", "  \n{0}\t", "{0}\x00", "<tool_call>```json\n{0}\n```</tool_call>",
    "<TOOL_CALL>{0}</TOOL_CALL>", "Action: {0}", "\u2028{0}", "\\u007b{0}",
)  # fmt: skip
"""Texts around a call."""
TWICE = (
    "{0}\n{0}", "{0}{0}", "[{0}, {0}]", "<tool_call>{0}</tool_call><tool_call>{0}</tool_call>",
    "```json\n{0}\n```\n```\n{0}\n```",
)  # fmt: skip


def written(name: Any, arguments: Any) -> str:
    """Return a call as JSON, with lone surrogates unchanged."""
    return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)


def _deep(opening: str, depth: int, closed: bool) -> str:
    return opening * depth + (("]" if opening == "[" else "0" + "}") * depth if closed else "")


nested = st.builds(
    lambda where, deep: where.replace("@", deep),
    st.sampled_from(['@', '{"name": "x", "arguments": @}', '{"name": @, "arguments": {}}', "<tool_call>@</tool_call>"]),
    st.builds(_deep, st.sampled_from(["[", '{"a":']), st.sampled_from([10, 500, 1_100, 100_000]), st.booleans()),
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """Draw a text with parts removed, inserted, doubled or reversed."""
    for _ in range(draw(st.integers(1, 3))):
        start, end = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
        end = min(end, start + draw(st.sampled_from([1, 2, 9, len(text)])))
        piece = text[start:end]
        put = st.sampled_from(["", piece * 2, piece[::-1], *'{}[]",:\\\ud800\x00']) | any_text
        text = text[:start] + draw(put) + text[end:]
    return text


@st.composite
def bent(draw: st.DrawFn, call: Call, others: Sequence[Any]) -> str:
    """Draw a correct call with one fault; ``others`` are values from other cases."""
    name, arguments = call.name, dict(call.arguments)
    key = draw(st.sampled_from(sorted(arguments) or [""]))
    value = arguments.get(key)
    what = draw(
        st.sampled_from(["name", "missing", "added", "value", "foreign", "alike", "literal", "boxed", "quoted"])
    )
    if what == "name" or not arguments:
        names = [name.upper(), f" {name}", name.translate(LOOKALIKES), name + "\u200b", "", 5, None, [name]]
        return written(draw(st.sampled_from(names)), arguments)
    if what == "literal":
        return written(name, {**arguments, key: "@@"}).replace('"@@"', draw(literals))
    if what == "quoted":
        return written(name, json.dumps(arguments))
    if what == "missing":
        del arguments[key]
    elif what == "added":
        arguments[draw(any_text | st.sampled_from([key.upper(), "__class__", "self", "bank", "arguments"]))] = value
    elif what == "value":
        arguments[key] = draw(values)
    elif what == "foreign":
        arguments[key] = draw(st.sampled_from(others) if others else values)
    elif what == "alike":
        arguments[key] = value.translate(LOOKALIKES) if isinstance(value, str) else str(value)
    else:
        arguments[key] = draw(st.sampled_from([[value], {"value": value}, [value] * 1_000]))
    return written(name, arguments)


@st.composite
def doubled(draw: st.DrawFn, text: str) -> str:
    """Draw a call that occurs more than once, or with a key that occurs twice."""
    key = draw(st.sampled_from(['"name": "x"', '"arguments": {}', '"name": "x", "name": "y"', '"id": 1']))
    twice = draw(st.sampled_from(TWICE)).replace("{0}", text)
    return draw(st.sampled_from([twice, f"{{{key}, {text[1:]}", f"{text[:-1]}, {key}}}"]))


@st.composite
def wrapped(draw: st.DrawFn, text: str) -> str:
    """Draw a text inside tags, fences, thoughts or blanks."""
    return draw(st.sampled_from(WAYS)).replace("{0}", text)


@st.composite
def graphs(draw: st.DrawFn, names: Sequence[str]) -> str:
    """Draw an answer of stage 1 with several faults."""
    node = st.sampled_from(list(names)) | st.sampled_from(STRINGS) | any_text | values
    nodes = draw(st.lists(node, max_size=12))
    ends = st.lists(st.sampled_from(nodes) if nodes else node, max_size=3) | node
    answer: dict[str, Any] = {"nodes": nodes, "edges": draw(st.lists(ends, max_size=12))}
    lines = [line for key in answer for line in (f"{key}:", *(f"  - {json.dumps(one)}" for one in answer[key]))]
    for key in draw(st.lists(st.sampled_from(["nodes", "edges"]), max_size=1)):
        answer[key] = draw(values)
    yaml = "\n".join(lines)
    aliases = "x: &a [*a, *a]\nnodes: *a"
    ways = [json.dumps(answer), json.dumps(answer, ensure_ascii=False), yaml, f"{yaml} &a [*a]", aliases]
    return draw(st.sampled_from(ways))
