"""Data template of a scenario: the fields of a case that are known at the start, obtained during work, and filed."""

from __future__ import annotations

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.graph import How

MAX_FIELDS = 50


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"origin": "from"}):
    """One field of the case's record; ``group`` fields repeat (one list of records), ``masked`` ones show ``***``.

    ``unread`` marks a text that no rule reads and that may be perturbed. ``hidden`` marks a field that the reading tool
    omits because another tool shows it. ``draw`` is the range for generated cases (see
    :mod:`teller_gym.procedure.from_template`). An output may state ``from``, ``how`` and ``clause`` like an input in
    ``graph.yaml``.
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
    """Contents of ``template.yaml``: existing fields, fields to be obtained, output fields of the final review.

    ``notes`` lists the tables of notes and drafts, in which entries do no harm. ``subject`` is the argument that
    identifies the person of a call.

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
        """Return the existing fields of each group."""
        names = dict.fromkeys(field.group for field in self.existing if field.group is not None)
        return {name: [field for field in self.existing if field.group == name] for name in names}

    def check(self) -> None:
        """Check the number of fields and that names are unique.

        Raises:
            ScenarioError: there are too many fields, a name is used twice, or the case's table is one for notes.
        """
        names = [(field.group, field.name) for field in (*self.existing, *self.obtained)]
        if len(names) > MAX_FIELDS or len(set(names)) != len(names):
            raise ScenarioError(f"template.yaml: expected at most {MAX_FIELDS} different fields, got {len(names)}")
        if self.table in self.notes:
            raise ScenarioError(f"template.yaml: notes: expected tables of notes, got the case's own, {self.table}")


def load_template(text: str | bytes) -> Template:
    """Parse ``template.yaml``; raises :class:`ScenarioError` if it is invalid."""
    try:
        return msgspec.yaml.decode(text, type=Template)
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"template.yaml: {error}") from None
