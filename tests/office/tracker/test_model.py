"""A day of work on one project against a model that knows nothing of the tracker's code."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from teller_gym.office.tracker import item_list, items
from teller_gym.office.tracker.comments import comment, list_comments
from tests.office.tracker.world import FIRST, NOW, PROJECT, STATES, USERS, store


@dataclass
class Modelled:
    name: str
    number: int
    born: int
    state: str = "Backlog"
    done: int | None = None
    priority: str = "none"
    people: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Day(RuleBasedStateMachine):
    """Times are seconds since the day began."""

    made = Bundle("made")

    def __init__(self) -> None:
        super().__init__()
        self.office = store()
        self.seconds = 0
        self.seeded = {key for key, _ in self.office.rows("tracker.items")}
        self.items: dict[str, Modelled] = {}

    @rule(target=made, name=st.sampled_from("abc"), state=st.sampled_from([None, *STATES]))
    def create(self, name: str, state: str | None) -> str:
        self.seconds += 1
        data = {"name": name} | ({} if state is None else {"state": STATES[state]})
        key: str = items.create_item(self.office, "ben", PROJECT, data)["id"]
        done = self.seconds if state == "Done" else None
        self.items[key] = Modelled(name, 5 + len(self.items), self.seconds, state or "Backlog", done)
        return key

    @rule(key=made, state=st.sampled_from(list(STATES)))
    def move(self, key: str, state: str) -> None:
        self.seconds += 1
        items.update_item(self.office, "ben", PROJECT, key, {"state": STATES[state]})
        item = self.items[key]
        if item.state != state:
            item.done = self.seconds if state == "Done" else None
        item.state = state

    @rule(
        key=made, people=st.lists(st.sampled_from(list(USERS)), max_size=4), priority=st.sampled_from(["high", "low"])
    )
    def assign(self, key: str, people: list[str], priority: str) -> None:
        self.seconds += 1
        sent = {"assignees": [USERS[one] for one in people], "priority": priority}
        items.update_item(self.office, "ben", PROJECT, key, sent)
        self.items[key].people = [one for one in dict.fromkeys(people) if one != "eve"]  # no member of the project
        self.items[key].priority = priority

    @rule(key=made, note=st.sampled_from("pq"))
    def note(self, key: str, note: str) -> None:
        self.seconds += 1
        comment(self.office, "ada", PROJECT, key, {"comment_html": f"<p>{note}</p>"})
        self.items[key].notes.insert(0, note)

    @invariant()
    def the_list_is_the_models(self) -> None:
        def time(seconds: int | None) -> Any:
            return None if seconds is None else f"{(NOW + timedelta(seconds=seconds)).isoformat()}Z"

        listed = item_list.list_items(self.office, "ben", PROJECT)
        made = [one for one in listed if one["id"] not in self.seeded]
        assert [one["id"] for one in made] == sorted(self.items, key=lambda key: -self.items[key].born)
        assert listed[-1]["id"] == FIRST and len(listed) == len(made) + 4
        for record in made:
            item = self.items[record["id"]]
            assert record["name"] == item.name and record["sequence_id"] == item.number
            assert record["created_at"] == time(item.born) and record["completed_at"] == time(item.done)
            assert record["state"] == STATES[item.state] and record["priority"] == item.priority
            assert record["assignees"] == [USERS[one] for one in item.people]
            notes = list_comments(self.office, "ben", PROJECT, record["id"])
            assert [one["comment_stripped"] for one in notes] == item.notes
        assert self.office.clock() == NOW + timedelta(seconds=self.seconds)


TestDay = Day.TestCase
