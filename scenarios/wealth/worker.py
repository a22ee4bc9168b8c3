"""Base class of the experts, which use the agent's tools and see only what an agent sees.

Each judgement is a separate method, so that a lapse needs to override only that method.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import Any, Final

from teller_gym.office.desk.tools import SERVICES
from teller_gym.office.documents.csv_files import csv_bytes, read_table
from teller_gym.office.documents.tables import TextTable, records
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.tools.call import Call

Row = dict[str, str]
Rows = Generator[Call, Seen, list[Row]]
Text = Generator[Call, Seen, str]
Asking = Generator[Call, Seen, Seen]

_CLIENTS: Final = "/Finance_Documents/Clients"
_PART: Final = re.compile(r"(?P<stem>.+) \(part (?P<number>\d+) of (?P<of>\d+)\)(?P<suffix>\.\w+)")
_POINTER: Final = re.compile(r"(?P<name>[\w .()-]+?) now lies in (?P<folder>/[^,]+)")
_CREDENTIALS: Final = re.compile(r"Your user name is (?P<username>\S+) and your password is (?P<password>\w+)")
_TODAY: Final = re.compile(r"\bToday is (\d{4}-\d{2}-\d{2})\b")
_TEMPORARY: Final = 3
"""Maximum number of attempts at a call while a service is temporarily unavailable."""


class RefusedError(Exception):
    """A tool error.

    ``error`` is the tool's answer.
    """

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error.get("message"))
        self.error = error


class Worker(ABC):
    """Performs a task.

    Args:
        request: the request, which contains the client's full name.
        rules: numbers from the task kind's handbook chapter.

    Attributes:
        contact: the client's CRM record, after `find_client`.
    """

    def __init__(self, request: str, rules: Rules) -> None:
        self.request = request
        self.rules = rules
        self.contact: Seen = {}
        self._listed: dict[str, list[Seen]] = {}

    @abstractmethod
    def work(self) -> Steps:
        """Perform the task, including the delivery."""

    # -- calls --------------------------------------------------------------------------------------------------------

    def ask(self, tool: str, **arguments: Any) -> Asking:
        """Make a call and return its result, with retries if a service is temporarily unavailable (house rule H8).

        Raises:
            RefusedError: the tool reported an error.
        """
        for _ in range(_TEMPORARY):
            found = yield Call(tool, arguments)
            if "error" not in found:
                return found
            if str(found["error"].get("message", "")).startswith("401 ") and tool in SERVICES:
                yield from self.sign_in(SERVICES[tool])
            elif found["error"].get("kind") != "temporary":
                break
        raise RefusedError(found["error"])

    def sign_in(self, service: str) -> Steps:
        """Sign in to a service with the credentials in the request."""
        found = _CREDENTIALS.search(self.request)
        if found is None:
            raise LookupError(f"{service} does not know me, and the request does not say by what to sign in")
        yield from self.ask("sign_in", service=service, username=found["username"], password=found["password"])

    def find_client(self) -> Asking:
        """Look up the client named in the request, and return the CRM record."""
        offset = 0
        while True:
            found = yield from self.ask("search_crm", entity="Contact", offset=offset)
            for one in found["records"]:
                if one["name"] in self.request:
                    self.contact = (yield from self.ask("get_crm_record", entity="Contact", record_id=one["id"]))[
                        "record"
                    ]
                    return self.contact
            offset += len(found["records"])
            if offset >= found["total"] or not found["records"]:
                raise LookupError(f"no client of the CRM is named in the request: {self.request}")

    @property
    def today(self) -> date:
        """Today's date, from the request (house rule H11)."""
        found = _TODAY.search(self.request)
        if found is None:
            raise LookupError(f"the request does not say what day it is: {self.request}")
        return date.fromisoformat(found[1])

    @property
    def folder(self) -> str:
        """Folder of the client's documents (house rule H1)."""
        return f"{_CLIENTS}/{self.contact['name']}"

    def stream(self) -> Generator[Call, Seen, list[Seen]]:
        """Return the posts in the client's CRM stream, newest first."""
        found = yield from self.ask("read_crm_stream", entity="Contact", record_id=self.contact["id"])
        notes: list[Seen] = found["notes"]
        return [one for one in notes if one.get("type") == "Post"]

    # -- files --------------------------------------------------------------------------------------------------------

    def places(self, name: str) -> Generator[Call, Seen, list[str]]:
        """Return the paths of a document, which may be split into parts (house rules H2 and H3)."""
        found = yield from self._in_folder(self.folder, name)
        if not found:
            for note in (yield from self.stream()):
                pointer = _POINTER.search(note["post"])
                if pointer and pointer["name"].strip() == name:
                    found = yield from self._in_folder(pointer["folder"].strip(), name)
        if not found:
            raise LookupError(f"{name} is neither in {self.folder} nor where a note says that it is")
        return found

    def _in_folder(self, folder: str, name: str) -> Generator[Call, Seen, list[str]]:
        if folder not in self._listed:
            self._listed[folder] = (yield from self.ask("list_folder", path=folder))["entries"]
        there = {one["name"]: one["path"] for one in self._listed[folder] if one["type"] == "file"}
        if name in there:
            return [there[name]]
        parts = {}
        for other, path in there.items():
            part = _PART.fullmatch(other)
            if part and part["stem"] + part["suffix"] == name:
                parts[int(part["number"])] = path
        return [parts[number] for number in sorted(parts)]

    def read(self, path: str) -> Text:
        """Return the text of a whole file, read in as many calls as needed."""
        pieces: list[str] = []
        offset: int | None = 0
        while offset is not None:
            found = yield from self.ask("read_file", path=path, offset=offset)
            pieces.append(found["text"])
            offset = found["next_offset"]
        return "".join(pieces)

    def text(self, name: str) -> Text:
        """Return the text of one of the client's documents, a text file or a PDF."""
        (path,) = yield from self.places(name)
        return (yield from self.read(path))

    def table(self, name: str) -> Rows:
        """Return one of the client's tables, with stripped cells by canonical column name."""
        found: list[Row] = []
        for path in (yield from self.places(name)):
            text = yield from self.read(path)
            found += [
                {column: cell.strip() for column, cell in row.items()} for row in records(read_table(text.encode()))
            ]
        return found

    def deliver(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Steps:
        """Write a table to the client's folder (house rule H5)."""
        content = csv_bytes(TextTable(tuple(columns), tuple(map(tuple, rows)))).decode()
        yield from self.ask("write_file", path=str(PurePosixPath(self.folder, name)), text=content)
