"""Format of a catalogue entry: a tool's schema, behaviour and examples."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from teller_gym.tools.tool import Act


class Lookup(Struct, forbid_unknown_fields=True, frozen=True):
    """A lookup of the row that an argument names; the tool refuses an argument that matches no row.

    Attributes:
        table: Name of the table (``in``), or ``customers`` for the bank's customers.
        by: The argument.
        key: The rows' field (``field``) that the argument must equal; the table's keys if None. Case is ignored.
        where: Test of ``row`` in place of equality; the first row that passes is used.
        expected: Text of the refusal with expressions in braces; if None, it lists the existing keys.
    """

    table: str = field(name="in")
    by: str
    key: str | None = field(name="field", default=None)
    where: str | None = None
    expected: str | None = None


class Listing(Struct, forbid_unknown_fields=True, frozen=True):
    """Rows that pass a test; ``found`` is the list of all, ``shown`` the first few with the fields to show.

    Attributes:
        rows: Expression for the rows to choose from.
        where: Test of a ``row``.
        sort: Expression of a ``row`` to sort by.
        descending: True, or an expression, to sort from high to low.
        most: Maximum number of rows shown, or an expression for it.
        show: Fields of a row that are shown, with expressions of ``row`` for fields that the row does not have.
    """

    rows: str
    show: list[str] | dict[str, Any]
    where: str | None = None
    sort: str | None = None
    descending: bool | str = False
    most: int | str = 10


class Record(Struct, forbid_unknown_fields=True, frozen=True):
    """A record that the tool writes; ``reference`` is its key, and ``earlier`` the record that it replaces, or None.

    Attributes:
        table: The table's name, without ``misc_`` if there is no owner.
        fields: Fields, with expressions for those that are not parameters or steps of the same name.
        owner: Expression for the id of the record's owner, which also enters the derived key; ``misc`` if None.
        prefix: Prefix of a derived key, such as ``JE`` in JE-482913.
        by: Expressions from which the key is derived; all fields if None.
        key: Expression for the key in place of a derived one.
        when: Condition for writing the record; always if None.
    """

    table: str
    fields: list[str] | dict[str, Any]
    owner: str | None = None
    prefix: str | None = None
    by: list[str] | None = None
    key: str | None = None
    when: str | None = None


class Refusal(Struct, forbid_unknown_fields=True, frozen=True):
    """A condition under which a call is refused.

    Attributes:
        when: Test of the arguments and steps.
        argument: The argument that is refused.
        expected: Text with expressions in braces, such as ``at most {price}``.
        got: Text with expressions; the argument's value if None.
        said: The whole message with expressions, in place of ``expected`` and ``got``.
    """

    when: str
    argument: str
    expected: str = ""
    got: str | None = None
    said: str | None = None


class Example(Struct, forbid_unknown_fields=True, frozen=True):
    """An example call with its result or the argument that is refused.

    Attributes:
        arguments: The call's arguments.
        result: The complete result.
        refusal: The refused argument.
        before: Calls to make first, each ``{tool: arguments}``.
    """

    arguments: dict[str, Any]
    result: dict[str, Any] | None = None
    refusal: str | None = None
    before: list[dict[str, dict[str, Any]]] = []


class Entry(Struct, forbid_unknown_fields=True, frozen=True):
    """Definition of a tool.

    Attributes:
        description: Text that agents read.
        parameters: Type, default and description of each parameter; see ``notation.py``.
        result: Expressions for the fields of the result.
        examples: Calls that the tests run.
        act: Kind of act, for a tool that writes.
        lookup: Rows of tables, by the names that expressions use for them.
        steps: Expressions by name; each is evaluated when it is first needed.
        refuse: Calls to refuse, in the order of checking; a plain expression raises the refusal itself.
        listing: Rows (``list``) to choose and show.
        record: Record to write.
    """

    description: str
    parameters: dict[str, str]
    result: dict[str, Any]
    examples: list[Example] = []
    act: Act | None = None
    lookup: dict[str, Lookup] = {}
    steps: dict[str, Any] = {}
    refuse: list[Refusal | str] = []
    listing: Listing | None = field(name="list", default=None)
    record: Record | None = None
