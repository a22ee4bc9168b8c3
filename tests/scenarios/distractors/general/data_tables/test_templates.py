"""Tests of data_tables/templates: expected values worked out by hand, or anew in another way."""

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, empty_bank, refused


def test_templates_are_saved_replaced_and_filled() -> None:
    bank = empty_bank()
    saved = call(
        "save_text_template", bank, title="Room sign", template_text="{room}: {host} ({room})", purpose="label"
    )
    assert (saved["placeholders"], saved["replaced_earlier"]) == (["room", "host"], False)
    key = saved["template_id"]
    filled = call("fill_text_template", bank, template_id=key, values=["room=A1", "host=Ann=Bob"])
    assert filled == {"filled_text": "A1: Ann=Bob (A1)", "values_used": 2, "without_value": []}
    partly = call("fill_text_template", bank, template_id=key, values=["room=A1"], without_value="keep")
    assert (partly["filled_text"], partly["without_value"]) == ("A1: {host} (A1)", ["host"])
    extra = ["host={room}", "x=1"]
    blank = call("fill_text_template", bank, template_id=key, values=extra, without_value="blank", allow_unused=True)
    assert (blank["filled_text"], blank["values_used"]) == (": {room} ()", 1)

    assert [(change.table, change.key) for change in bank.diff()] == [("misc_text_templates", key)]
    assert bank.diff()[0].after["owner"] == "misc"
    again = call("save_text_template", bank, title="room  SIGN", template_text="{a}", purpose="label")
    assert again == {"template_id": key, "placeholders": ["a"], "replaced_earlier": True}
    assert call("fill_text_template", bank, template_id=key, values=["a=1"])["filled_text"] == "1"


def test_templates_that_cannot_be() -> None:
    for text in ("no names", "{Room}", "{a} {", "{{a}}"):
        refused("template_text", "save_text_template", title="Sign", template_text=text, purpose="form")
    refused("title", "save_text_template", title="   ", template_text="{a}", purpose="form")
    refused("template_id", "fill_text_template", template_id="TP-123456", values=[])
    bank = empty_bank()
    key = call("save_text_template", bank, title="Sign", template_text="{a} {b}" * 20, purpose="form")["template_id"]
    for values in (["a=1"], ["a=1", "a=2"], ["a=1", "b=2", "c=3"], ["a=" + "x" * 118, "b=" + "y" * 118]):
        refused("values", "fill_text_template", bank=bank, template_id=key, values=values)


@given(st.lists(st.text("xyz {}=", max_size=9), min_size=1, max_size=5))
def test_filled_templates_hold_their_values(values: list[str]) -> None:
    bank = empty_bank()
    text = "|".join(f"{{n{place}}}" for place in range(len(values)))
    key = call("save_text_template", bank, title="List", template_text=text, purpose="email")["template_id"]
    assignments = [f"n{place}={value}" for place, value in enumerate(values)]
    filled = call("fill_text_template", bank, template_id=key, values=assignments)
    assert filled["filled_text"] == "|".join(values)
