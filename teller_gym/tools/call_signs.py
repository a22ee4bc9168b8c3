"""Detects attempted calls in a text without a readable call: models' markup, broken or foreign JSON, calls in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import yaml

IsTool = Callable[[str], bool]
"""Returns True for the name of an available tool."""

OBJECT_MARK = "\x00"
"""Replacement for each whole JSON object in the text searched for signs."""

TOOL_CALL = "tool_call"
"""Name of the form for `<tool_call>` tags without JSON in them, which is searched for last."""

_NAME_KEYS = frozenset(
    ("name", "tool", "tool_name", "toolname", "function", "function_name", "recipient_name", "action", "api_name")
)
_ARGUMENT_KEYS = frozenset(
    ("arguments", "parameters", "args", "params", "input", "tool_input", "action_input", "kwargs", "inputs",
     "tool_parameters", "tool_arguments", "function_arguments", "parameter", "argument")
)  # fmt: skip
_CALL_KEYS = frozenset(
    ("tool_call", "tool_calls", "tool_name", "tool_use", "tool_uses", "tool_input", "function_call", "function_calls",
     "functioncall", "toolcall", "toolcalls", "recipient_name", "action_input", "arguments", "tool")
)  # fmt: skip
_LONGEST_KEY = 100
"""Maximum length of a key in an object that a model may end with as a summary."""
_MOST_LOOKED_AT = 100
"""Maximum number of values of an object that are searched for a call."""

_Q = r"\\{0,4}[\"'“”‘’]"
_BROKEN = re.compile(
    rf"\{{\s{{0,99}}(?:{_Q}(?:name|tool|tool_name|function|arguments){_Q}"
    r"|(?:name|tool|tool_name|function|arguments)\s{0,9}:)"
    rf"|{_Q}(?:arguments|parameters|tool_input|action_input){_Q}\s{{0,99}}:\s{{0,99}}[{{\"'\x00]"
    r"|```[\w-]{0,40}\s{0,2000}\{",
    re.IGNORECASE,
)
_LIST = re.compile(r"\[\s*[\[{\"]")
_LABELLED = re.compile(
    r"^\W{0,4}(?:action|tool)[ _]input\W{0,4}:"
    r"|^\W{0,4}action\W{0,4}:\s{0,9}[`*\"]{0,3}(?P<name>[A-Za-z_][\w.-]{0,127})",
    re.IGNORECASE | re.MULTILINE,
)
_LINE_WITH_NAME = re.compile(
    r"^[ \t*#-]{0,9}(?:name|call|(?:tool|function|api)(?:[ _-]?(?:call|name|use))?)[*\s]{0,9}:"
    r"[*\s]{0,9}[\"'`]?(?P<name>[A-Za-z_][\w.-]{0,127})",
    re.IGNORECASE | re.MULTILINE,
)
_LINE_WITH_ARGUMENTS = re.compile(
    r"^[ \t*#-]{0,9}(?:arguments|args|parameters|params|input)[*\s]{0,9}:", re.IGNORECASE | re.MULTILINE
)
_NAMED = re.compile(r"(?<![\w\"'])(?P<open><?/?)(?:functions\.|default_api\.)?(?P<name>[A-Za-z_]\w{0,127})(?!\w)")
_AFTER_NAME = re.compile(
    r"(?P<json>(?::\d{1,9})?[\s`]{0,9}(?:with(?: the)?(?: arguments| parameters| args| input)?:?)?"
    r"[\s`]{0,9}(?:json)?\s{0,9}[\x00{])"
    r"|(?P<python>\(\s{0,99}(?:[A-Za-z_]\w{0,99}\s{0,9}=(?!=)|[\x00{]))"
    r"|(?P<command>[ \t]{1,9}(?:--)?[A-Za-z_]\w{0,99}=\S)"
    r"|(?P<alone>\([^()\n]{0,2000}\)[\s`\"'*.;)\]]{0,9}(?:$|\n))"
)
_LINE_BEGINS = re.compile(r"(?:^|\n)[\s`\"'*>\[(-]{0,9}(?:print\(|await |return )?\Z")


_PARSER = "; most likely the server's tool-call parser is missing or wrong"


class Form(NamedTuple):
    """An unreadable form in which a call may be written; see call_forms.yaml."""

    found: str
    report: str
    pattern: re.Pattern[str] | None
    names: bool


@cache
def forms() -> dict[str, Form]:
    """Return the forms by name, in search order."""
    given = yaml.safe_load(resources.files("teller_gym.tools").joinpath("call_forms.yaml").read_text("utf-8"))
    return {
        name: Form(
            one["found"],
            one["report"] + (_PARSER if one["parser"] else ""),
            re.compile(one["pattern"], re.IGNORECASE) if "pattern" in one else None,
            one.get("names", False),
        )
        for name, one in given.items()
    }


def markup_of(bare: str, names: bool) -> str | None:
    """Return the form of call markup in a text, or None if there is none.

    Args:
        bare: text without thoughts, with each whole JSON object replaced by `OBJECT_MARK`.
        names: True searches for markup that itself names the tool, False for all other markup except `<tool_call>`.
    """
    if not _any_markup().search(bare):
        return None
    for name, form in forms().items():
        if form.pattern is not None and form.names is names and name != TOOL_CALL and form.pattern.search(bare):
            return name
    return None


def json_sign(objects: Iterable[Mapping[str, Any]], is_tool: IsTool) -> str | None:
    """Return the form of the first JSON object that was meant as a call, or None if none was."""
    return next((form for one in objects if (form := _object_sign(one, is_tool))), None)


def broken_sign(bare: str) -> str | None:
    """Return the form of broken JSON or of empty `<tool_call>` tags, or None if there are none."""
    text = bare.lstrip()
    if text.startswith("{") or _LIST.match(text) or _BROKEN.search(bare):
        return "broken_json"
    pattern = forms()[TOOL_CALL].pattern
    return TOOL_CALL if pattern is not None and pattern.search(bare) else None


def words_sign(bare: str, is_tool: IsTool) -> str | None:
    """Return the form of a call of a known tool in words, or None; merely mentioning a tool is not a call."""
    for pattern in (_LABELLED, *([_LINE_WITH_NAME] if _LINE_WITH_ARGUMENTS.search(bare) else [])):
        for found in pattern.finditer(bare):
            if found["name"] is None or is_tool(found["name"]):
                return "labelled"
    for found in _NAMED.finditer(bare):
        if not is_tool(found["name"]):
            continue
        if found["open"][:1] == "<" and re.match(r"[\s/>]", bare[found.end() : found.end() + 1]):
            return "xml_tool"
        after = _AFTER_NAME.match(bare, found.end())
        if after is None:
            continue
        if after.lastgroup == "json":
            return "name_and_json"
        begins = _LINE_BEGINS.search(bare, max(0, found.start() - 40), found.start())
        if after.lastgroup == "python" or begins:
            return "python_call"
    return None


def is_summary(value: Any) -> bool:
    """Return True if this JSON object or list can be a model's final response in place of words."""
    if isinstance(value, list):
        return any(isinstance(one, str | dict) for one in value)
    return isinstance(value, dict) and bool(value) and all(len(key) <= _LONGEST_KEY for key in value)


def _object_sign(value: Mapping[str, Any], is_tool: IsTool, inner: bool = False) -> str | None:
    keys = {key.lower() for key in value if len(key) <= _LONGEST_KEY}
    named = [value[key] for key in value if key.lower() in _NAME_KEYS and isinstance(value[key], str)]
    if inner:
        return "wrapped" if named and keys & _ARGUMENT_KEYS else None
    for_tools = [*named, *(key for key in value if isinstance(value[key], dict))]
    if (named and keys & _ARGUMENT_KEYS) or keys & _CALL_KEYS or any(is_tool(name) for name in for_tools):
        return "wrapped" if keys & {"tool_calls", "function_call", "tool_call", "tool_uses"} else "parameters"
    if value.get("type") in ("function", "tool_use", "function_call", "tool_call") or list(value) == ["name"]:
        return "wrapped" if value.get("type") == "function" else "parameters"
    for one in list(value.values())[:_MOST_LOOKED_AT]:
        for part in one[:_MOST_LOOKED_AT] if isinstance(one, list) else (one,):
            if isinstance(part, dict) and _object_sign(part, _no_tool, inner=True):
                return "wrapped"
    return None


def _no_tool(_: str) -> bool:
    return False


@cache
def _any_markup() -> re.Pattern[str]:
    """Return a pattern that matches in every text with markup, so that plain text is skipped quickly."""
    return re.compile(r"[<\[|｜◁]|```tool_|\bto=|\bcall:|functools|functions\.|default_api|>>>|tool_call_id")
