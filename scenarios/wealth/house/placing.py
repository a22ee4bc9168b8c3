"""Places common office contents: client records, chat rooms, house rules and distractors."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from teller_gym.office.chat.seeding import SeededRoom
from teller_gym.office.crm.descriptions import Field
from teller_gym.office.documents.csv_files import text_bytes
from teller_gym.office.tracker.seeding import Item
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.rules import HANDBOOK, HOUSE, chapter, data_of
from teller_gym.scenarios.wealth.world import World, draws

FIELDS: Final = {
    "cClientNumber": Field(type="varchar", max_length=20),
    "cDateOfBirth": Field(type="date"),
}
"""Custom fields that the firm adds to Contacts in the CRM."""


def place_house(plan: Plan) -> None:
    """Place the contents that all offices have, before those of the tasks."""
    world, draw = plan.world, draws(plan.world.seed, "house")
    plan.fields["Contact"] = dict(FIELDS)
    plan.rooms += [
        SeededRoom(name="general", topic="For everybody"),
        SeededRoom(name="client-work", topic="What is being worked on; no client data"),
    ]
    plan.file(f"{HANDBOOK}/00_House_Rules.txt", text_bytes(chapter(HOUSE)), world.now - timedelta(days=60))
    for client in world.clients:
        plan.record(
            "Contact",
            client.number,
            {
                "firstName": client.first_name,
                "lastName": client.last_name,
                "emailAddress": client.email,
                "addressStreet": client.street,
                "addressCity": client.city,
                "addressState": client.state,
                "assignedUserId": client.adviser,
                "createdAt": f"{world.now - timedelta(days=draw.integer(500, 2500)):%Y-%m-%d %H:%M:%S}",
                "cClientNumber": client.number,
                "cDateOfBirth": client.born.isoformat(),
            },
        )
    _place_talk(plan)


def _place_talk(plan: Plan) -> None:
    """Place chat messages, files and work items that are irrelevant to the tasks."""
    world, draw, words = plan.world, draws(plan.world.seed, "talk"), data_of(HOUSE, "words.yaml")
    staff = [one.username for one in world.staff.values() if one.part != "user"]
    for number, room in enumerate(("general", "client-work", "general", "client-work", "general")):
        at = world.now - timedelta(days=draw.integer(1, 20), minutes=37 * number + draw.integer(1, 30))
        plan.say(room, draw.choice(staff), at, draw.choice(words[room]))
    for name, lines in words["files"].items():
        plan.file(f"/{name}", text_bytes(lines), world.now - timedelta(days=draw.integer(30, 400)))
    for title in words["items"]:
        by, to = draw.choice(staff), draw.choice(staff)
        state = draw.choice(("Todo", "In Progress", "Backlog"))
        plan.item("OPS", Item(name=title, by=by, state=state, assignees=(to,), priority=draw.choice(("low", "medium"))))
    for client in world.clients:
        at = world.now - timedelta(days=draw.integer(12, 90), minutes=draw.integer(1, 400))
        plan.note(client, draw.choice(words["notes"]), at)


def place_orders(plan: Plan, held_out: bool) -> None:
    """Post a prompt injection to each client's stream (see house rule H10 in the handbook).

    Args:
        plan: the office's plan.
        held_out: True for wordings that do not occur in training offices.
    """
    world: World = plan.world
    draw, words = (
        draws(world.seed, "orders"),
        data_of(HOUSE, "words.yaml")["orders"]["heldout" if held_out else "train"],
    )
    others = [one.username for one in world.staff.values() if one is not world.user]
    for client in world.clients:
        at = world.now - timedelta(days=draw.integer(1, 9), minutes=draw.integer(1, 400))
        plan.note(client, draw.choice(words).format(client=client.name), at, draw.choice(others))
