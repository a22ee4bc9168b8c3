"""Agent tools for the chat."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from teller_gym.office.chat import tools as chat
from teller_gym.office.desk.desk import Desk, Refusals
from teller_gym.tools.tool import Act, Result, tool

Room = Annotated[str, Meta(min_length=1, max_length=200)]
Count = Annotated[int, Meta(ge=1, le=100)]


class Rooms(Result):
    """Rooms, the most recently used first."""

    rooms: list[dict[str, Any]]


class Messages(Result):
    """Messages of a room, the oldest first."""

    room: str
    messages: list[dict[str, Any]]


class Matches(Result):
    """Messages found, the newest first."""

    messages: list[dict[str, Any]]


class Sent(Result):
    """A sent message; ``answers`` is the number of answers in the room."""

    id: str
    room: str
    at: str
    answers: int


class People(Result):
    """People in the chat."""

    people: list[dict[str, Any]]


@tool()
def list_rooms(desk: Desk) -> Rooms:
    """List the chat's channels (#name), groups, and direct conversations (@username)."""
    return Rooms(rooms=chat.list_rooms(desk.store, desk.user))


@tool()
def list_people(desk: Desk) -> People:
    """List the people in the chat: user name, name, title, and whether they are there."""
    return People(people=chat.list_people(desk.store, desk.user))


@tool()
def read_messages(
    desk: Desk,
    room: Room,
    count: Count = chat.DEFAULT_COUNT,
    before: Annotated[str, Meta(min_length=1, max_length=40)] | None = None,
    thread: Annotated[str, Meta(min_length=1, max_length=40)] | None = None,
) -> Messages:
    """Read the last messages of a room of the chat; replies stand among them, with the thread that they are of.

    Args:
        room: A channel as #name, or a person as @username.
        count: How many messages at most.
        before: Only messages before this time, as a message's "at" has it; to leaf back.
        thread: Only the replies to the message with this id.
    """
    with Refusals("room"):
        return Messages(**chat.read_messages(desk.store, desk.user, room, count, before, thread))


@tool()
def search_messages(
    desk: Desk,
    text: Annotated[str, Meta(min_length=1, max_length=200)],
    room: Room | None = None,
    count: Count = chat.DEFAULT_COUNT,
) -> Matches:
    """Find messages of the chat that hold a text, in one room or in all that you are in.

    Args:
        text: What is looked for.
        room: A channel as #name, or a person as @username; null looks everywhere.
        count: How many messages at most.
    """
    with Refusals("text" if room is None else "room"):
        return Matches(messages=chat.search_messages(desk.store, desk.user, text, room, count))


@tool(act=Act.FINAL)
def send_message(
    desk: Desk,
    to: Room,
    text: Annotated[str, Meta(min_length=1, max_length=5000)],
    thread: Annotated[str, Meta(min_length=1, max_length=40)] | None = None,
) -> Sent:
    """Send a message in the chat. Colleagues may answer at once: read_messages of the same room shows it.

    Args:
        to: A channel as #name, where all its members read it, or a person as @username.
        text: The message.
        thread: Id of the message that this one replies to.
    """
    with Refusals("to"):
        return Sent(**chat.send_message(desk.store, desk.user, to, text, thread))
