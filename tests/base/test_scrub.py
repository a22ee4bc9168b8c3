"""A secret is found in any encoding, and nothing else is changed."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.scrub import MARK, Scrubber
from tests.base.spellings import SPELLINGS, texts_to_hide

ORDINARY = st.text(max_size=60)


@settings(max_examples=200, deadline=None)
@given(st.data(), texts_to_hide(), st.sampled_from(sorted(SPELLINGS)), st.integers(0, 2))
def test_no_spelling_is_missed(data: st.DataObject, secret: str, spelling: str, wrapped: int) -> None:
    """Secrets are also found in JSON within JSON, such as the arguments of a call."""
    spelled = SPELLINGS[spelling](secret)
    text = f"<{spelled}>"
    for _ in range(wrapped):
        text = json.dumps(text, ensure_ascii=data.draw(st.booleans()))
    clean = Scrubber([secret]).text(text)
    assert MARK in clean
    assert spelled not in clean and secret not in clean
    body = json.dumps({"said": text, text: [text]}).encode()
    kept = json.loads(Scrubber([secret]).body(body))
    assert MARK in kept["said"] and MARK in next(name for name in kept if name != "said")
    assert spelled not in repr(kept) and secret not in str(kept)


@settings(max_examples=200, deadline=None)
@given(ORDINARY, ORDINARY)
def test_nothing_else_is_touched(said: str, name: str) -> None:
    scrubber = Scrubber(["sk-0123456789", 'zwölf/"Boxkämpfer"'])
    body = json.dumps({"said": said, name: [said, 1, None]}).encode()
    assert scrubber.body(body) is body
    assert scrubber.text(said) is said
    value = {name: [said, 1.5, None, {"a": (said,)}]}
    assert scrubber.value(value) is value


def test_what_stands_around_a_secret_stays() -> None:
    scrubber = Scrubber(["sk-0123456789"])
    assert scrubber.text(r"key: sk\u002d0123456789, 100 % \u00e4 &amp;") == r"key: ***, 100 % \u00e4 &amp;"
    assert scrubber.text("a sk-0123456789 and sk%2D0123456789\n") == "a *** and ***\n"
    assert scrubber.value({"sk-0123456789": ["x", 1]}) == {"***": ["x", 1]}


def test_a_name_that_stands_twice_hides_nothing() -> None:
    scrubber = Scrubber(["sk-0123456789"])
    assert b"sk-" not in scrubber.body(b'{"a": "sk\\u002d0123456789", "a": "well"}')


@pytest.mark.parametrize(
    "body", [b'{"a": "sk-0123456789', b"\xff sk\\/-", b"[" * 100_000 + b'"sk-0123456789"', b"\\ud800"]
)
def test_what_is_no_json_is_scrubbed_as_text(body: bytes) -> None:
    assert b"sk-0123456789" not in Scrubber(["sk-0123456789"]).body(body)


def test_placeholders_are_let_through() -> None:
    assert Scrubber(["EMPTY", ""]).text("EMPTY") == "EMPTY"


def test_secrets_that_end_alike_are_all_found() -> None:
    scrubber = Scrubber(["sk-0123456789", "sk-0123456789-longer", "********"])
    assert scrubber.text("sk-0123456789-longer sk-0123456789 *********") == "*** *** ****"


def test_a_long_answer_full_of_secrets_is_done_in_few_rounds() -> None:
    """Replacing the secrets one at a time would take hours."""
    body = json.dumps({"said": "sk-012345\\u003678\\n9 and sk-0123456789 " * 30_000}).encode()
    assert b"sk-0123456789" not in Scrubber(["sk-0123456789"]).body(body)
