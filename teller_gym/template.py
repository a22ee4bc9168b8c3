"""The data template of a scenario: what is known of a case before it is worked, what is obtained, what is recorded."""

from __future__ import annotations

import msgspec

from teller_gym.errors import ScenarioError

MAX_FIELDS = 50


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field of the case's record; ``group`` fields repeat (one list of records), ``masked`` ones show ``***``.

    ``unread`` marks a text that no rule reads, so that it may be perturbed.
    """

    name: str
    type: str
    description: str
    example: str | int | float | bool | None = None
    group: str | None = None
    masked: bool = False
    unread: bool = False


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parsed ``template.yaml``: existing fields, fields to be obtained, output fields of the final review."""

    table: str
    existing: tuple[Field, ...]
    obtained: tuple[Field, ...]
    outputs: tuple[Field, ...]

    def check(self) -> None:
        """Check size and names.

        Raises:
            ScenarioError: too many fields, or a name used twice.
        """
        names = [(field.group, field.name) for field in (*self.existing, *self.obtained)]
        if len(names) > MAX_FIELDS or len(set(names)) != len(names):
            raise ScenarioError(f"template.yaml: expected at most {MAX_FIELDS} different fields, got {len(names)}")


def load_template(text: str | bytes) -> Template:
    """Read a template from YAML.

    Raises:
        ScenarioError: the text is not a template.
    """
    try:
        return msgspec.yaml.decode(text, type=Template)
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"template.yaml: {error}") from None
