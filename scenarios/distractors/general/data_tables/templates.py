"""Text templates with placeholders."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import keep_short, refuse
from teller_gym.scenarios.distractors.general.data_tables import _templates as work
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Assignment = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,29}=", max_length=120)]

_TEMPLATES = "misc_text_templates"


class SavedTemplate(Result):
    """The template on file, and the names of its placeholders in order."""

    template_id: str
    placeholders: list[str]
    replaced_earlier: bool


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def save_text_template(
    bank: Bank,
    title: Annotated[str, Meta(min_length=3, max_length=60)],
    template_text: Annotated[str, Meta(min_length=3, max_length=500)],
    purpose: Literal["email", "notice", "label", "form"],
) -> SavedTemplate:
    """Save a text with placeholders such as {room} for later use. The same title replaces the earlier text.

    Args:
        title: What the template is called; capitals make no difference.
        template_text: The text; placeholders are small letters, digits and underscores in braces.
        purpose: What it is for.
    """
    names = work.placeholders(template_text)
    if not (name := " ".join(title.casefold().split())):
        raise refuse("title", f"expected a title, got {title!r}")
    template_id = bank.reference("TP", name)
    earlier = bank.get(_TEMPLATES, template_id)
    record = {"title": title, "text": template_text, "purpose": purpose, "placeholders": names}
    bank.put(_TEMPLATES, template_id, {**record, "saved_on": bank.today.isoformat(), "owner": "misc"})
    return SavedTemplate(template_id=template_id, placeholders=names, replaced_earlier=earlier is not None)


class FilledTemplate(Result):
    """The text with its values, and placeholders that got none."""

    filled_text: str
    values_used: int
    without_value: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def fill_text_template(
    bank: Bank,
    template_id: Annotated[str, Meta(pattern="^TP-[0-9]{6}$")],
    values: Annotated[list[Assignment], Meta(max_length=30)],
    without_value: work.WithoutValue = "refuse",
    allow_unused: bool = False,
) -> FilledTemplate:
    """Put values into the placeholders of a saved text template.

    Args:
        template_id: The saved template.
        values: What to put in, each written as placeholder=value.
        without_value: What happens to a placeholder that gets no value.
        allow_unused: Whether a value may have no placeholder.
    """
    record = bank.get(_TEMPLATES, template_id.strip())
    if record is None:
        raise refuse("template_id", f"expected a saved template, got {template_id!r}; save it first")
    filled, used, open_names = work.fill(record, values, without_value, allow_unused)
    return FilledTemplate(filled_text=keep_short(filled, "values"), values_used=used, without_value=open_names)
