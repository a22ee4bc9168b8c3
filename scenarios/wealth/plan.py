"""Collects the contents of an office at the beginning of its day, and perturbs them.

The house and the task kinds add files, records, messages, colleagues' knowledge and work items to a `Plan`. With
perturbations, the same content is written or placed in another way that the house rules allow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from random import Random
from typing import Any, Final

from teller_gym.base.errors import ScenarioError
from teller_gym.office.chat.profiles import Absence, Colleague, Fact
from teller_gym.office.chat.seeding import SeededMessage, SeededRoom
from teller_gym.office.crm.descriptions import Description, Field
from teller_gym.office.documents.amounts import MoneyStyle, money_text, parse_money
from teller_gym.office.documents.csv_files import CsvStyle, csv_bytes, text_bytes
from teller_gym.office.documents.pdf import pdf_bytes
from teller_gym.office.documents.pdf_document import PdfDocument
from teller_gym.office.documents.perturbing import (
    HeaderCase,
    drawn_style,
    with_column_order,
    with_header_case,
    with_money_style,
    with_row_order,
    with_synonyms,
)
from teller_gym.office.documents.tables import TextTable, column_index, split
from teller_gym.office.ids import digest
from teller_gym.office.tracker.seeding import Item
from teller_gym.scenarios.wealth.world import Client, World

PERTURBATIONS: Final = ("headers", "order", "noise", "encoding", "schema", "moved", "stale", "away")
"""Names of the perturbations.

They are: other headers; order of columns and rows; amount formats, with a column of remarks; delimiter, byte order mark
and line ends; tables split in two; files in another folder, announced in the client's CRM stream; outdated copies
beside tables; a colleague on leave, with a deputy.
"""

_STAYS: Final = 0.4
"""Share of documents that remain in their folder under the perturbation ``moved``."""

_OLDER: Final = timedelta(days=97)
_REMARKS: Final = ("", "", "checked", "see statement", "per client")


class Plan:
    """Contents of an office.

    Args:
        world: the office's world.
        perturb: names among `PERTURBATIONS`.

    Attributes:
        files: contents by path in the agent's home folder.
        modified: modification times by path.
        artefacts: unperturbed paths of the documents that the tasks need.
        records: attributes of CRM records, by entity and key; see `teller_gym.office.crm.seeding`.
        fields, entities: the firm's custom fields and entities in the CRM.
        items: work items by project identifier.
    """

    def __init__(self, world: World, perturb: frozenset[str] = frozenset()) -> None:
        self.world = world
        self.perturb = perturb
        self.files: dict[str, bytes] = {}
        self.modified: dict[str, datetime] = {}
        self.artefacts: list[str] = []
        self.records: dict[str, dict[str, dict[str, Any]]] = {}
        self.fields: dict[str, dict[str, Field]] = {}
        self.entities: dict[str, Description] = {}
        self.rooms: list[SeededRoom] = []
        self.messages: list[SeededMessage] = []
        self.items: dict[str, list[Item]] = {}
        self._facts: dict[str, list[Fact]] = {one.username: [] for one in world.staff.values()}
        self._absences: dict[str, tuple[Absence, str]] = {}
        self._work = ""
        self._aged = False

    def begin(self, work: str) -> None:
        """Start the documents of a task kind, which has its own random perturbations."""
        self._work, self._aged = work, False

    # -- files --------------------------------------------------------------------------------------------------------

    def file(self, path: str, content: bytes, modified: datetime | None = None) -> None:
        """Place a file unchanged, without perturbations.

        Raises:
            ScenarioError: the path is taken.
        """
        if path in self.files:
            raise ScenarioError(f"two files are placed at {path}")
        self.files[path] = content
        self.modified[path] = modified or self.world.now - timedelta(days=3)

    def table(
        self,
        client: Client,
        name: str,
        table: TextTable,
        money: Sequence[str] = (),
        modified: datetime | None = None,
        keeps_order: bool = False,
    ) -> None:
        """Place a table of the task in a client's folder as CSV, with the plan's perturbations.

        Args:
            client: the client.
            name: file name, such as ``assets.csv``.
            table: the table.
            money: headers of the columns with amounts, as `parse_money` reads them.
            modified: modification time; three days ago by default.
            keeps_order: True if the order of the rows is meaningful and must not be perturbed.
        """
        path, rng = f"{client.folder}/{name}", self._rng(f"{client.folder}/{name}")
        self.artefacts.append(path)
        time = modified or self.world.now - timedelta(days=3)
        if "stale" in self.perturb and money and table.rows and not self._aged:
            self._aged = True
            older = PurePosixPath(path)
            self.file(f"{older.parent}/{older.stem} (old){older.suffix}", csv_bytes(_aged(table, money)), time - _OLDER)
        parts = [table]
        if "schema" in self.perturb and len(table.rows) >= 4 and rng.random() < 0.6:
            parts = list(split(table, 2))
        place = self._place(client, path)
        for number, part in enumerate(parts, 1):
            at = PurePosixPath(place)
            part_name = at.name if len(parts) == 1 else f"{at.stem} (part {number} of {len(parts)}){at.suffix}"
            self.file(f"{at.parent}/{part_name}", self._written(part, money, rng, keeps_order), time)

    def document(self, client: Client, name: str, document: PdfDocument, modified: datetime | None = None) -> None:
        """Place a PDF of the task in a client's folder."""
        self._artefact(client, name, pdf_bytes(document), modified)

    def text(self, client: Client, name: str, lines: Sequence[str], modified: datetime | None = None) -> None:
        """Place a text file of the task in a client's folder."""
        self._artefact(client, name, text_bytes(lines), modified)

    def _artefact(self, client: Client, name: str, content: bytes, modified: datetime | None) -> None:
        path = f"{client.folder}/{name}"
        self.artefacts.append(path)
        self.file(self._place(client, path), content, modified)

    def _place(self, client: Client, path: str) -> str:
        """Return a document's path, and announce a moved document in the client's stream."""
        if "moved" not in self.perturb or self._rng(f"moved {path}").random() < _STAYS:
            return path
        name = PurePosixPath(path).name
        place = f"/Finance_Documents/Received/{self.world.today.year}/{client.number}"
        self.note(
            client, f"{name} now lies in {place}, not in the client's folder.", self.world.now - timedelta(days=2)
        )
        return f"{place}/{name}"

    def _written(self, table: TextTable, money: Sequence[str], rng: Random, keeps_order: bool) -> bytes:
        if "noise" in self.perturb:
            styles = tuple(MoneyStyle)
            table = with_money_style(table, money, styles[int(rng.random() * len(styles))])
            remarks = tuple((*row, _REMARKS[int(rng.random() * len(_REMARKS))]) for row in table.rows)
            table = TextTable((*table.columns, "Remarks"), remarks)
        if "order" in self.perturb:
            table = with_column_order(table, rng)
            table = table if keeps_order else with_row_order(table, rng)
        if "headers" in self.perturb:
            cases = tuple(HeaderCase)
            table = with_header_case(with_synonyms(table, rng), cases[int(rng.random() * len(cases))])
        return csv_bytes(table, drawn_style(rng) if "encoding" in self.perturb else CsvStyle())

    def _rng(self, what: str) -> Random:
        return Random(int.from_bytes(digest(self.world.seed, "wealth.perturb", f"{self._work} {what}")[:8]))

    # -- CRM ----------------------------------------------------------------------------------------------------------

    def record(self, entity: str, key: str, values: Mapping[str, Any]) -> None:
        """Place a CRM record, whose links refer to records by key and to users by user name.

        Raises:
            ScenarioError: the entity has a record with this key.
        """
        if key in self.records.setdefault(entity, {}):
            raise ScenarioError(f"two records {entity} have the key {key}")
        self.records[entity][key] = dict(values)

    def contact(self, client: Client, **values: Any) -> None:
        """Set additional attributes of a client's Contact, such as custom fields."""
        self.records["Contact"][client.number].update(values)

    def note(self, client: Client, text: str, at: datetime, by: str | None = None) -> None:
        """Post to a client's CRM stream.

        Args:
            client: the client.
            text: the post.
            at: time of the post.
            by: user name of the author; the client's adviser by default.
        """
        values = {"type": "Post", "post": text, "parentType": "Contact", "parentId": client.number}
        values |= {"createdAt": f"{at:%Y-%m-%d %H:%M:%S}", "createdById": by or client.adviser}
        self.record("Note", f"post {len(self.records.get('Note', {})) + 1}", values)

    # -- chat ---------------------------------------------------------------------------------------------------------

    def say(
        self, to: str | tuple[str, ...], user: str, at: datetime, text: str, key: str = "", thread: str = ""
    ) -> None:
        """Place a chat message (see `teller_gym.office.chat.seeding.SeededMessage`)."""
        self.messages.append(SeededMessage(to=to, user=user, at=at, text=text, key=key, thread=thread))

    def knows(self, username: str, fact: Fact) -> None:
        """Add a fact that a colleague reports when asked."""
        self._facts[username].append(fact)

    def absent(self, username: str, absence: Absence, deputy: str) -> None:
        """Mark a colleague as away, and add the colleague's facts to the deputy's.

        Raises:
            ScenarioError: the colleague or the deputy is already away.
        """
        if username in self._absences or deputy in self._absences:
            raise ScenarioError(f"{username} or {deputy} is away already")
        self._absences[username] = (absence, deputy)

    def colleagues(self) -> tuple[Colleague, ...]:
        """Return the simulated colleagues, which are all members of staff except the agent."""
        known = {name: list(facts) for name, facts in self._facts.items()}
        for away, (_, deputy) in self._absences.items():
            keys = {fact.key for fact in known[deputy]}
            known[deputy] += [fact for fact in self._facts[away] if fact.key not in keys]
        return tuple(
            Colleague(
                username=one.username,
                role=one.title.lower(),
                facts=tuple(known[one.username]),
                absences=(self._absences[one.username][0],) if one.username in self._absences else (),
                deputy=self._absences[one.username][1] if one.username in self._absences else "",
            )
            for one in self.world.staff.values()
            if one.part != "user"
        )

    # -- tracker ------------------------------------------------------------------------------------------------------

    def item(self, project: str, item: Item) -> str:
        """Place a work item and return its key, such as ``CW-4``."""
        self.items.setdefault(project, []).append(item)
        return f"{project}-{len(self.items[project])}"


def _aged(table: TextTable, money: Sequence[str]) -> TextTable:
    """Return an older version of a table, with amounts that differ by more than any tolerance."""
    places = {column_index(table, column) for column in money}
    rows = tuple(
        tuple(_older(cell) if place in places and re.search(r"\d", cell) else cell for place, cell in enumerate(row))
        for row in table.rows
    )
    return TextTable(table.columns, rows)


def _older(cell: str) -> str:
    cents = parse_money(cell)
    return money_text(cents - cents // 13 - (1700 if cents >= 0 else -1700))
