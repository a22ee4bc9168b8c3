"""An entry of the catalogue as it is written: the schema of a tool, what it answers, and examples."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from teller_gym.tools.tool import Act


class Lookup(Struct, forbid_unknown_fields=True, frozen=True):
    """A row that an argument names; the tool refuses an argument that finds none.

    Attributes:
        table: Name of the table (``in``), or ``customers`` for those of the bank.
        by: The argument.
        key: The rows' field (``field``) that the argument equals; the table's keys if None. Case does not count.
        where: Test of ``row`` in place of equality; the first row that passes is found.
        expected: Text of the refusal with expressions in braces; the keys or fields that there are if None.
    """

    table: str = field(name="in")
    by: str
    key: str | None = field(name="field", default=None)
    where: str | None = None
    expected: str | None = None


class Listing(Struct, forbid_unknown_fields=True, frozen=True):
    """Rows that pass a test; ``found`` are all of them, ``shown`` the first few with the fields to show.

    Attributes:
        rows: Expression for the rows to choose from.
        where: Test of a ``row``.
        sort: Expression of a ``row`` to sort by.
        descending: True, or an expression, to sort from high to low.
        most: Largest number of rows shown, or an expression for it.
        show: Fields of a row that are shown, with expressions of a ``row`` where they are not the row's own.
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
        fields: Fields, with expressions where they are not parameters or steps of the same name.
        owner: Expression for the id of what the record belongs to, from which the key is derived, too; ``misc`` if
            None.
        prefix: Start of a derived key, such as JE-482913.
        by: Expressions from which the key is derived; all fields if None.
        key: Expression for the key in place of a derived one.
        when: Test without which nothing is written.
    """

    table: str
    fields: list[str] | dict[str, Any]
    owner: str | None = None
    prefix: str | None = None
    by: list[str] | None = None
    key: str | None = None
    when: str | None = None


class Refusal(Struct, forbid_unknown_fields=True, frozen=True):
    """A call that makes no sense.

    Attributes:
        when: Test of the arguments and steps.
        argument: The argument that is refused.
        expected: Text with expressions in braces, such as ``at most {price}``.
        got: Text with expressions; the argument's value if None.
        said: The whole text with expressions, in place of what is expected and what was given.
    """

    when: str
    argument: str
    expected: str = ""
    got: str | None = None
    said: str | None = None


class Example(Struct, forbid_unknown_fields=True, frozen=True):
    """A call, with its answer or the argument that is refused.

    Attributes:
        arguments: The call's arguments.
        result: The whole answer.
        refusal: The refused argument.
        before: Calls of tools made first, each ``{tool: arguments}``.
    """

    arguments: dict[str, Any]
    result: dict[str, Any] | None = None
    refusal: str | None = None
    before: list[dict[str, dict[str, Any]]] = []


class Entry(Struct, forbid_unknown_fields=True, frozen=True):
    """A tool.

    Attributes:
        description: Text that agents read.
        parameters: Type, default and description of each; see ``notation.py``.
        result: Expressions by field of the answer.
        examples: Calls that the tests play.
        act: Kind of act, for a tool that writes.
        lookup: Rows of tables by the names that expressions call them.
        steps: Expressions by name; each is evaluated when it is first needed.
        refuse: Calls that make no sense, in the order of checking; an expression refuses them by itself.
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
