"""The data template of a scenario: the fields of a case known before it is worked, obtained meanwhile, and filed."""

from __future__ import annotations

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.graph import How

MAX_FIELDS = 50


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"origin": "from"}):
    """One field of the case's record; ``group`` fields repeat (one list of records), ``masked`` ones show ``***``.

    ``unread`` marks a text that no rule reads, so that it may be perturbed; ``hidden`` marks a field that the reading
    tool leaves out, because another tool shows it. ``draw`` is the range from which generated cases take it
    (see :mod:`teller_gym.procedure.from_template`). An output may name the outputs of tools that it comes ``from``,
    ``how`` and by which ``clause``, as an input in ``graph.yaml`` does.
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
    """The parsed ``template.yaml``: existing fields, fields to be obtained, output fields of the final review.

    ``notes`` are the tables that hold only notes and drafts: entries in them do no harm. ``subject`` is the name of the
    argument that holds the person of a call.

    Where tools and cases are made from it, ``prefix`` begins the case's ids, ``request`` is the agent's request
    ({case_id} and {today} are filled in), and ``rows`` has the least and the most rows of a group.
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
        """Return the existing fields that repeat, by their group."""
        names = dict.fromkeys(field.group for field in self.existing if field.group is not None)
        return {name: [field for field in self.existing if field.group == name] for name in names}

    def check(self) -> None:
        """Check size and names.

        Raises:
            ScenarioError: too many fields, or a name used twice.
        """
        names = [(field.group, field.name) for field in (*self.existing, *self.obtained)]
        if len(names) > MAX_FIELDS or len(set(names)) != len(names):
            raise ScenarioError(f"template.yaml: expected at most {MAX_FIELDS} different fields, got {len(names)}")
        if self.table in self.notes:
            raise ScenarioError(f"template.yaml: notes: expected tables of notes, got the case's own, {self.table}")


def load_template(text: str | bytes) -> Template:
    """Read a template from YAML.

    Raises:
        ScenarioError: the text is not a template.
    """
    try:
        return msgspec.yaml.decode(text, type=Template)
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"template.yaml: {error}") from None
