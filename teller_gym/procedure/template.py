"""Data template of a scenario, with a case's fields that exist at the start, are obtained during work, or are filed."""

from __future__ import annotations

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.graph import How

MAX_FIELDS = 50


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"origin": "from"}):
    """A field of a case's record.

    Fields with the same ``group`` form a list of records; ``masked`` fields are shown as ``***``. ``unread`` marks text
    that no rule reads, so it may be perturbed. ``hidden`` marks a field that the reading tool omits because another
    tool shows it. ``draw`` is the range for generated cases (see :mod:`teller_gym.procedure.from_template`). Outputs
    may have ``from``, ``how`` and ``clause``, as inputs do in ``graph.yaml``.
    """

    name: str
    type: str
    description: str
    example: str | int | float | bool | None = None
    group: str | None = None
    masked: bool = False
    unread: bool = False
    hidden: bool = False
    draw: tuple[int | str, ...] = ()
    origin: tuple[str, ...] = ()
    how: How | None = None
    clause: str | None = None


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Contents of ``template.yaml``, with existing fields, fields to be obtained, and the final review's output fields.

    ``notes`` lists the tables for notes and drafts, whose entries do no harm. ``subject`` is the argument that
    identifies the person that a call refers to.

    For generated tools and cases, ``prefix`` is the prefix of the case's ids, ``request`` the agent's request
    (with ``{case_id}`` and ``{today}``), and ``rows`` the minimum and maximum number of rows of each group.
    """

    table: str
    existing: tuple[Field, ...]
    obtained: tuple[Field, ...]
    outputs: tuple[Field, ...]
    notes: tuple[str, ...] = ()
    subject: str = "customer_id"
    prefix: str = ""
    request: str = ""
    rows: dict[str, tuple[int, int]] = {}

    def groups(self) -> dict[str, list[Field]]:
        """Return the existing fields by group."""
        names = dict.fromkeys(field.group for field in self.existing if field.group is not None)
        return {name: [field for field in self.existing if field.group == name] for name in names}

    def check(self) -> None:
        """Check that there are not too many fields and that names are unique.

        Raises:
            ScenarioError: there are too many fields, a name is used twice, or the case's table is listed in ``notes``.
        """
        names = [(field.group, field.name) for field in (*self.existing, *self.obtained)]
        if len(names) > MAX_FIELDS or len(set(names)) != len(names):
            raise ScenarioError(f"template.yaml: expected at most {MAX_FIELDS} different fields, got {len(names)}")
        if self.table in self.notes:
            raise ScenarioError(f"template.yaml: notes: expected tables of notes, got the case's own, {self.table}")


def load_template(text: str | bytes) -> Template:
    """Parse ``template.yaml``.

    Raises:
        ScenarioError: the file is invalid.
    """
    try:
        return msgspec.yaml.decode(text, type=Template)
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"template.yaml: {error}") from None
