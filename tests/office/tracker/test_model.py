"""A day of work on one project against a model that knows nothing of the tracker's code."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from teller_gym.office.tracker import comments, cycle_items, item_list, items, labels
from tests.office.tracker.world import NOW, id_of, store

BASE = store()
PROJECT = id_of(BASE, "projects", "OPEN")
USER = "eve"
GROUPS = {
    "Backlog": "backlog",
    "Todo": "unstarted",
    "In Progress": "started",
    "Done": "completed",
    "Cancelled": "cancelled",
}
STATES = {
    name: next(key for key, one in BASE.rows("tracker.states") if one["project"] == PROJECT and one["name"] == name)
    for name in GROUPS
}
USERS = {name: id_of(BASE, "users", name) for name in ("ada", "eve", "ben")}
"""Ben is no member of the project."""


@dataclass
class Modelled:
    name: str
    number: int
    born: int
    state: str = "Backlog"
    done: int | None = None
    priority: str = "none"
    people: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    parent: str | None = None
    notes: list[str] = field(default_factory=list)
    cycle: str | None = None


class Day(RuleBasedStateMachine):
    """Times are seconds since the day began."""

    made = Bundle("made")
    tags = Bundle("tags")

    def __init__(self) -> None:
        super().__init__()
        self.office = store()
        self.seconds = 0
        self.last = 1
        self.items: dict[str, Modelled] = {id_of(self.office, "items", "Tea"): Modelled("Tea", 1, -3600, "Todo")}
        self.labels: list[str] = []
        self.cycles = [self.new_cycle(name) for name in ("May", "June")]

    def new_cycle(self, name: str) -> str:
        from teller_gym.office.tracker.cycles import create_cycle

        self.seconds += 1
        found: str = create_cycle(self.office, USER, PROJECT, {"name": name, "project_id": PROJECT})["id"]
        return found

    @rule(target=made, name=st.sampled_from("abc"), state=st.sampled_from([None, *GROUPS]))
    def create(self, name: str, state: str | None) -> str:
        self.seconds += 1
        self.last += 1
        data = {"name": name} | ({} if state is None else {"state": STATES[state]})
        key: str = items.create_item(self.office, USER, PROJECT, data)["id"]
        done = self.seconds if state == "Done" else None
        self.items[key] = Modelled(name, self.last, self.seconds, state or "Backlog", done)
        return key

    @rule(key=made, state=st.sampled_from(list(GROUPS)))
    def move(self, key: str, state: str) -> None:
        if key not in self.items:
            return
        self.seconds += 1
        items.update_item(self.office, USER, PROJECT, key, {"state": STATES[state]})
        item = self.items[key]
        if item.state != state:
            item.done = self.seconds if GROUPS[state] == "completed" else None
        item.state = state

    @rule(
        key=made, people=st.lists(st.sampled_from(list(USERS)), max_size=4), priority=st.sampled_from(["high", "low"])
    )
    def assign(self, key: str, people: list[str], priority: str) -> None:
        if key not in self.items:
            return
        self.seconds += 1
        sent = {"assignees": [USERS[one] for one in people], "priority": priority}
        items.update_item(self.office, USER, PROJECT, key, sent)
        self.items[key].people = [one for one in dict.fromkeys(people) if one != "ben"]
        self.items[key].priority = priority

    @rule(target=tags, name=st.sampled_from("xyz"))
    def tag(self, name: str) -> str:
        self.seconds += 1
        key: str = labels.create_label(self.office, USER, PROJECT, {"name": f"{name}{self.seconds}"})["id"]
        self.labels.append(key)
        return key

    @rule(key=made, tags=st.lists(tags, max_size=3))
    def tag_item(self, key: str, tags: list[str]) -> None:
        wanted = [one for one in tags if one in self.labels]
        if key in self.items:
            self.seconds += 1
            items.update_item(self.office, USER, PROJECT, key, {"labels": wanted})
            self.items[key].labels = list(dict.fromkeys(wanted))

    @rule(tag=consumes(tags))
    def untag(self, tag: str) -> None:
        self.seconds += 1
        labels.delete_label(self.office, USER, PROJECT, tag)
        self.labels.remove(tag)
        for item in self.items.values():
            item.labels = [one for one in item.labels if one != tag]

    @rule(key=made, parent=made)
    def put_below(self, key: str, parent: str) -> None:
        if key in self.items and parent in self.items and not self.is_below(parent, key):
            self.seconds += 1
            items.update_item(self.office, USER, PROJECT, key, {"parent": parent})
            self.items[key].parent = parent

    def is_below(self, key: str | None, above: str) -> bool:
        return key is not None and (key == above or self.is_below(self.items[key].parent, above))

    @rule(key=made, note=st.sampled_from("pq"))
    def note(self, key: str, note: str) -> None:
        if key in self.items:
            self.seconds += 1
            comments.comment(self.office, "ada", PROJECT, key, {"comment_html": f"<p>{note}</p>"})
            self.items[key].notes.insert(0, note)

    @rule(keys=st.lists(made, min_size=1, max_size=3), place=st.integers(0, 1))
    def plan(self, keys: list[str], place: int) -> None:
        wanted = [key for key in keys if key in self.items]
        if wanted:
            self.seconds += 1
            cycle_items.add_cycle_items(self.office, USER, PROJECT, self.cycles[place], {"issues": wanted})
            for key in wanted:
                self.items[key].cycle = self.cycles[place]

    @rule(key=made)
    def remove(self, key: str) -> None:
        if key in self.items:
            self.seconds += 1
            items.delete_item(self.office, USER, PROJECT, key)
            gone = {one for one in self.items if self.is_below(one, key)}
            self.items = {one: item for one, item in self.items.items() if one not in gone}

    @invariant()
    def the_list_is_the_models(self) -> None:
        def time(seconds: int | None) -> Any:
            return None if seconds is None else f"{(NOW + timedelta(seconds=seconds)).isoformat()}Z"

        listed = item_list.list_items(self.office, USER, PROJECT)
        assert [one["id"] for one in listed] == sorted(self.items, key=lambda key: -self.items[key].born)
        for record in listed:
            item = self.items[record["id"]]
            assert record["name"] == item.name and record["sequence_id"] == item.number
            assert record["created_at"] == time(item.born) and record["completed_at"] == time(item.done)
            assert record["state"] == STATES[item.state] and record["priority"] == item.priority
            assert record["assignees"] == [USERS[one] for one in item.people]
            assert record["labels"] == item.labels and record["parent"] == item.parent
            notes = comments.list_comments(self.office, USER, PROJECT, record["id"])
            assert [one["comment_stripped"] for one in notes] == item.notes
        for cycle in self.cycles:
            held = cycle_items.list_cycle_items(self.office, USER, PROJECT, cycle)
            assert {one["id"] for one in held} == {key for key, item in self.items.items() if item.cycle == cycle}
        assert self.office.clock() == NOW + timedelta(seconds=self.seconds)


TestDay = Day.TestCase
