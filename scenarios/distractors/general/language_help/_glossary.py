"""The house glossary: saving, finding and retiring its entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse
from teller_gym.tools.bank import Bank, Record

TermMatch = Literal["exact", "starts_with", "contains"]
SearchPlace = Literal["names", "definitions"]

_TABLE = "misc_glossary"


class GlossaryEntry(msgspec.Struct):
    """An entry as it is shown."""

    term_id: str
    term: str
    definition: str
    part_of_speech: str
    abbreviation: str | None
    status: Literal["current", "retired"]
    see_instead: str | None


def save(
    bank: Bank, term: str, part_of_speech: str, synonyms: list[str], example: str | None, **fields: Any
) -> tuple[str, Literal["added", "replaced"]]:
    """Put an entry on file; return its id, and whether it replaced one."""
    name = " ".join(term.split())
    folded = name.casefold()
    if not name:
        raise refuse("term", f"expected a word, got {term!r}")
    if example is not None and folded not in " ".join(example.split()).casefold():
        raise refuse("example", f"expected a sentence with the term {quoted(name)} in it, got {quoted(example)}")
    if any(synonym.casefold() in ("", folded) for synonym in synonyms):
        raise refuse("synonyms", f"expected words other than the term, got {quoted(', '.join(synonyms))}")
    term_id = bank.reference("GL", folded, part_of_speech)
    status: Literal["added", "replaced"] = "added" if bank.get(_TABLE, term_id) is None else "replaced"
    record = {
        "term": name,
        "part_of_speech": part_of_speech,
        "synonyms": synonyms,
        "example": example,
        **fields,
        "status": "current",
        "see_instead": None,
        "saved_on": bank.today.isoformat(),
        "owner": "misc",
    }
    bank.put(_TABLE, term_id, record)
    return term_id, status


def find(bank: Bank, query: str, match: TermMatch, place: SearchPlace, include_retired: bool) -> list[GlossaryEntry]:
    """Return the entries that match, by term and id."""
    wanted = " ".join(query.split()).casefold()
    if not wanted:
        raise refuse("query", f"expected something to look for, got {query!r}")
    tests: dict[TermMatch, Callable[[str], bool]] = {
        "exact": lambda text: text == wanted,
        "starts_with": lambda text: text.startswith(wanted),
        "contains": lambda text: wanted in text,
    }
    found = [
        _shown(term_id, record)
        for term_id, record in bank.rows(_TABLE)
        if (include_retired or record["status"] == "current")
        and any(tests[match](text.casefold()) for text in _texts(record, place))
    ]
    return sorted(found, key=lambda entry: (entry.term.casefold(), entry.term_id))


def _texts(record: Record, place: SearchPlace) -> list[str]:
    if place == "definitions":
        return [record["definition"]]
    return [record["term"], *record["synonyms"], *([record["abbreviation"]] if record["abbreviation"] else [])]


def _shown(term_id: str, record: Record) -> GlossaryEntry:
    return GlossaryEntry(term_id=term_id, **{name: record[name] for name in GlossaryEntry.__struct_fields__[1:]})


def retire(bank: Bank, term_id: str, reason: str, see_instead: str | None) -> Record:
    """Take an entry out of use and return it."""
    if _current(bank, term_id, "term_id") and see_instead is not None:
        if see_instead == term_id:
            raise refuse("see_instead", f"expected another entry than {term_id}; leave it out if there is none")
        _current(bank, see_instead, "see_instead")
    return bank.update(
        _TABLE,
        term_id,
        status="retired",
        see_instead=see_instead,
        retired_because=reason,
        retired_on=bank.today.isoformat(),
    )


def _current(bank: Bank, term_id: str, field: str) -> Record:
    record = bank.get(_TABLE, term_id)
    if record is None:
        raise refuse(field, f"expected an entry of the glossary, got {term_id!r}; look it up first")
    if record["status"] != "current":
        raise refuse(field, f"expected an entry in use, got the retired {quoted(record['term'])}")
    return record
