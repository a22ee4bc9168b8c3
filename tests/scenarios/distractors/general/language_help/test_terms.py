"""Tests of language_help/terms: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, empty_bank, refused


def closing(bank: Any, **changes: Any) -> dict[str, Any]:
    entry = {
        "term": "Close of business",
        "definition": "End of the working day",
        "part_of_speech": "phrase",
        "abbreviation": "COB",
        "synonyms": ["end of day"],
        "example": "Send it by close of business.",
    }
    return call("save_glossary_term", bank, **{**entry, **changes})


def test_glossary() -> None:
    bank = empty_bank()
    first = closing(bank)
    assert first["status"] == "added"
    second = call("save_glossary_term", bank, term="Deadline", definition="The last moment, often close of business")
    for query in ("cob", "End  of day", "close of business"):
        found = call("find_glossary_terms", bank, query=query)
        assert [entry["term_id"] for entry in found["entries"]] == [first["term_id"]]
    assert call("find_glossary_terms", bank, query="close")["found"] == 0
    assert call("find_glossary_terms", bank, query="close", match="starts_with")["found"] == 1
    words = call("find_glossary_terms", bank, query="o", match="contains", search_in="definitions", limit=1)
    assert (words["found"], len(words["entries"]), words["entries"][0]["term"]) == (2, 1, "Close of business")

    retired = call(
        "retire_glossary_term", bank, term_id=first["term_id"], reason="Not clear", see_instead=second["term_id"]
    )
    assert retired == {"term_id": first["term_id"], "term": "Close of business", "see_instead": second["term_id"]}
    assert call("find_glossary_terms", bank, query="cob")["found"] == 0
    kept = call("find_glossary_terms", bank, query="cob", include_retired=True)["entries"][0]
    assert (kept["status"], kept["see_instead"]) == ("retired", second["term_id"])

    again = closing(bank, term="close  of BUSINESS")
    assert again == {"term_id": first["term_id"], "status": "replaced"}
    assert call("find_glossary_terms", bank, query="cob")["entries"][0]["status"] == "current"
    changes = bank.diff()
    assert {change.table for change in changes} == {"misc_glossary"}
    assert all(change.after["owner"] == "misc" for change in changes)


def test_glossary_entries_that_cannot_be() -> None:
    bank = empty_bank()
    refused("example", "save_glossary_term", term="Day", definition="24 hours", example="Send it at night.")
    refused("synonyms", "save_glossary_term", term="Day", definition="24 hours", synonyms=["day"])
    refused("term", "save_glossary_term", term=" ", definition="24 hours")
    refused("query", "find_glossary_terms", query=" ")
    refused("term_id", "retire_glossary_term", term_id="GL-123456", reason="Gone")
    key = closing(bank)["term_id"]
    retire: dict[str, Any] = {"name": "retire_glossary_term", "bank": bank, "term_id": key, "reason": "Old"}
    refused("see_instead", **retire, see_instead=key)
    refused("see_instead", **retire, see_instead="GL-123456")
    call("retire_glossary_term", bank, term_id=key, reason="Old")
    refused("term_id", **retire)


@given(st.lists(st.sampled_from(["bond desk", "counter", "vault", "lobby"]), min_size=1, max_size=6))
def test_the_order_of_saving_makes_no_difference(terms: list[str]) -> None:
    banks = empty_bank(), empty_bank()
    for bank, order in zip(banks, (terms, terms[::-1]), strict=True):
        for term in order:
            call("save_glossary_term", bank, term=term, definition=f"What {term} means")
    first, second = (
        call("find_glossary_terms", b, query="what", match="contains", search_in="definitions") for b in banks
    )
    assert first == second and first["found"] == len(set(terms))
