"""Chat templates that come with a checkpoint: those in use pass, those without end are reported within seconds."""

from __future__ import annotations

import importlib.util
import resource
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from teller_gym.agents import templates
from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.agents.templates import expect_bounded
from teller_gym.base.errors import OptionError

PLAIN = "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}{{ eos_token }}{% endfor %}"

WITHOUT_END = {
    "a loop of 10**9": ("{% for i in range(10**9) %}{% endfor %}", "counts too far"),
    "loops in loops": ("{% for i in range(99999) %}" * 4 + "{% endfor %}" * 4, "within 1 s of CPU time"),
    "only with many messages": (
        "{% if messages|length > 20 %}" + "{% for i in range(99999) %}" * 4 + "{% endfor %}" * 4 + "{% endif %}",
        "within 1 s of CPU time",
    ),
    "a power": ("{{ 10 ** (10 ** 10) }}", "of CPU time|more memory"),
    "a macro that calls itself": ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "calls itself without end"),
    "a macro that calls itself twice": (
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(90) }}",
        "within 1 s of CPU time",
    ),
    "a long text": ('{{ "x" * 10 ** 10 }}', "needs more memory"),
    "a text that doubles": (
        '{% set ns = namespace(s="xx") %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s }}',
        "needs more memory|not rendered within 1 s",  # whichever comes first on this machine
    ),
    "a filter": ('{{ "x"|center(10 ** 10) }}', "needs more memory"),
    "much written": ("{% for i in range(99999) %}{{ messages }}{% endfor %}", "writes more than 1000000 characters"),
    "a huge output": ('{{ "x" * 1000001 }}', "writes more than 1000000 characters"),
}


def tokenizer(template: Any) -> Any:
    return SimpleNamespace(chat_template=template, special_tokens_map={"eos_token": "<e>"}, eos_token_id=0)


@pytest.mark.parametrize("kind", WITHOUT_END)
def test_a_template_without_end_is_told(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "SECONDS", 1)
    template, told = WITHOUT_END[kind]
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(OptionError, match=told) as error:
        ChatFormat(tokenizer(template), PromptStyle.FULL)
    assert time.monotonic() - begun < 100
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    "template",
    [
        PLAIN,
        "{% generation %}" + PLAIN + "{% endgeneration %}",
        "{{ raise_exception('no roles here') }}",
        "{% if",
        "{{ nothing.at.all }}",
        "{{ messages | tojson(indent=2) }}{{ strftime_now('%d') }}{% for i in [1] %}{% break %}{% endfor %}",
        "\N{SNOWMAN} \ud800",
    ],
)
def test_whatever_has_an_end_is_not_this_check_s_business(template: str) -> None:
    expect_bounded(tokenizer(template))


def test_of_several_templates_each_is_tried_out() -> None:
    expect_bounded(tokenizer({"default": PLAIN, "tool_use": PLAIN}))
    with pytest.raises(OptionError, match="counts too far"):
        ChatFormat(tokenizer({"default": PLAIN, "tool_use": WITHOUT_END["a loop of 10**9"][0]}), PromptStyle.FULL)


def test_what_is_no_text_is_left_to_the_tokenizer() -> None:
    expect_bounded(tokenizer(["default"]))


def test_templates_are_rendered_nowhere_but_behind_the_check() -> None:
    """`ChatFormat` checks as it is made; what the training renders comes from `load_tokenizer` and `load_model`, which
    check, or is the tiny model's own. A further place needs a check of its own, and a line here."""
    folder = Path(templates.__file__).parents[1]
    files = [*folder.rglob("*.py"), *(folder / "training").rglob("*.py")]
    found = {
        file.relative_to(folder).as_posix() for file in files if ".apply_chat_template(" in file.read_text("utf-8")
    }
    assert found == {
        "agents/chat.py",
        "training/demonstrations/batches.py",
        "training/models/load.py",
        "training/models/chat_templates.py",
    }


def test_templates_in_use_pass() -> None:
    found = importlib.util.find_spec("trl")
    assert found is not None and found.origin is not None
    folder = Path(found.origin).parent / "chat_templates"
    for name in ("qwen3", "qwen3_training", "qwen2_5", "llama3", "gptoss", "gemma"):
        expect_bounded(tokenizer((folder / f"{name}.jinja").read_text("utf-8")))


def test_a_process_that_cannot_be_started_is_no_fault_of_the_template(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "__file__", "/nowhere/templates.py")
    with pytest.raises(OptionError, match="could not be tried out"):
        expect_bounded(tokenizer("{{ 'a template of its own' }}"))
