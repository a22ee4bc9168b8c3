"""Colleagues who answer messages with facts that are chosen by rules, without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

import msgspec
import yaml

from teller_gym.office.chat.intents import Question, asked, read_question
from teller_gym.office.chat.messages import MAX_MESSAGE, post
from teller_gym.office.chat.profiles import MAX_FACTS, MAX_FIRST_NAME, Colleague, filled, from_record
from teller_gym.office.chat.rooms import CHANNEL, can_access, timeline
from teller_gym.office.chat.tables import COLLEAGUES, CONVERSATIONS, MESSAGES, ROOMS, USERS
from teller_gym.office.documents.dates import MONTHS
from teller_gym.office.store import Record, Store

MAX_TURNS: Final = 20
"""Maximum number of messages from one person that a colleague answers in a room."""

STALE_TURNS: Final = 4
"""Number of consecutive messages without anything new after which a colleague stops answering."""

_MAX_TOPICS: Final = 12
"""Maximum number of topics in a hint."""

Kind = Literal["facts", "refusal", "hint", "noted", "thanks", "away", "stale", "limit"]

_IDLE: Final = ("refusal", "hint", "stale")
"""Kinds of replies without new facts, which count towards `STALE_TURNS`. Automatic replies do not."""


class Reply(msgspec.Struct, frozen=True):
    """A colleague's answer.

    Attributes:
        username: the colleague's user name.
        asker: the asker's user name.
        text: the answer; empty if the colleague does not reply.
        kind: the kind of answer.
        told: keys of the facts in the answer.
        thread: id of the first message of the answer's thread; None outside threads.
    """

    username: str
    asker: str
    text: str
    kind: Kind
    told: tuple[str, ...] = ()
    thread: str | None = None


def post_and_answer(store: Store, user: str, to: str, text: str = "", **options: Any) -> tuple[Record, list[Record]]:
    """Post a message as `messages.post` does, then colleagues' answers, and return the message and the answers."""
    message = post(store, user, to, text, **options)
    room = store.get(ROOMS, message["rid"])
    answers = []
    for reply in replies(store, room, message) if room is not None else ():
        _note(store, message["rid"], reply)
        if reply.text:
            answers.append(post(store, reply.username, message["rid"], reply.text, thread=reply.thread))
    # The posted message may have received replies in its thread.
    return store.get(MESSAGES, message["_id"]) or message, answers


def replies(store: Store, room: Record, message: Record) -> list[Reply]:
    """Return colleagues' answers to a posted message, without writing anything.

    In a direct room of two people the other person answers; elsewhere those who are mentioned and the author of the
    thread's first message answer.
    """
    asker = message["u"]["username"]
    found = []
    for username in _addressed(store, room, message):
        record = store.get(COLLEAGUES, username)
        if record is not None and username != asker and can_access(room, username):
            found.append(_reply(store, room, message, from_record(record)))
    return found


def _addressed(store: Store, room: Record, message: Record) -> list[str]:
    members: list[str] = room["members"]
    if room["t"] == "d" and len(members) == 2:
        return members
    names = [one["username"] for one in message["mentions"]]
    parent = store.get(MESSAGES, message["tmid"]) if "tmid" in message else None
    if parent is not None:
        names.append(parent["u"]["username"])
    return [name for name in dict.fromkeys(names) if name in members or room["t"] == CHANNEL]


def conversation(store: Store, room_id: str, colleague: str, asker: str) -> Record:
    """Return the state of a conversation: ``turns``, ``stale``, ``told`` and ``over`` (see `tables.CONVERSATIONS`)."""
    found = store.get(CONVERSATIONS, f"{room_id} {colleague} {asker}")
    return found or {"turns": 0, "stale": 0, "told": [], "over": False}


def _reply(store: Store, room: Record, message: Record, colleague: Colleague) -> Reply:
    """Return a colleague's answer: a closing remark at the turn limit, and an empty text after it."""
    asker, username = message["u"]["username"], colleague.username
    past = conversation(store, room["_id"], username, asker)
    first_name, thread = _first_name(message["u"]["name"]), message.get("tmid")
    if past["turns"] >= MAX_TURNS:
        text = "" if past["over"] else _phrase("limit", asker=first_name)
        return Reply(username, asker, text, "limit", thread=thread)
    kind, text, told = _decide(store, room, message, colleague)
    if kind in _IDLE or (kind == "facts" and not set(told) - set(past["told"])):
        turn = past["stale"] + 1
        if turn >= STALE_TURNS:
            text = _phrase("stale", asker=first_name, topics=_topics(colleague)) if turn == STALE_TURNS else ""
            kind, told = "stale", ()
    return Reply(username, asker, text[:MAX_MESSAGE], kind, told, thread)


def _note(store: Store, room_id: str, reply: Reply) -> None:
    """Store the state of the conversation after a reply."""
    past = conversation(store, room_id, reply.username, reply.asker)
    fresh = [key for key in reply.told if key not in past["told"]]
    idle = reply.kind in _IDLE or reply.kind == "facts"
    record = {
        "turns": past["turns"] + 1,
        "stale": 0 if fresh else past["stale"] + idle,
        "told": [*past["told"], *fresh],
        "over": past["over"] or reply.kind == "limit",
    }
    store.put(CONVERSATIONS, f"{room_id} {reply.username} {reply.asker}", record)


def _decide(store: Store, room: Record, message: Record, colleague: Colleague) -> tuple[Kind, str, tuple[str, ...]]:
    """Return an answer's kind, text and fact keys, regardless of the conversation so far."""
    now, asker = store.clock(), _first_name(message["u"]["name"])
    if away := _away(store, colleague, now):
        return "away", away, ()
    me = store.get(USERS, colleague.username)
    question = _question(message["msg"], colleague.username, me["name"] if me else "", now.date())
    if question.is_thanks:
        return "thanks", _phrase("thanks", asker=asker), ()
    if not question.is_asked:
        return "noted", _phrase("noted", asker=asker), ()
    before = _words_before(store, room, message, now.date())
    wanted = [colleague.facts[i] for i in asked([fact.asks for fact in colleague.facts], question, before)]
    is_direct = room["t"] == "d" and len(room["members"]) == 2
    told = [fact for fact in wanted if is_direct or not fact.direct_only]
    refusal = [] if len(told) == len(wanted) else [_phrase("refusal_direct", asker=asker)]
    if told:
        lines = [*(filled(fact, asker) for fact in told[:MAX_FACTS]), *refusal]
        lines += [_phrase("more")] if len(told) > MAX_FACTS else []
        return "facts", "\n".join(lines), tuple(fact.key for fact in told[:MAX_FACTS])
    if refusal:
        return "refusal", refusal[0], ()
    topics = _topics(colleague)
    return "hint", _phrase("hint" if topics else "hint_empty", asker=asker, topics=topics), ()


def _question(text: str, username: str, name: str, today: date) -> Question:
    """Parse a message, ignoring the user name of the colleague it is addressed to."""
    return read_question(re.sub(rf"@{re.escape(username)}(?![\w-])", " ", text), today, name.split())


def _words_before(store: Store, room: Record, message: Record, today: date) -> tuple[str, ...]:
    """Return the words of the sender's previous message in the room.

    The result is empty if there is none.
    """
    earlier = [one for one in timeline(store, room["_id"]) if one["u"]["_id"] == message["u"]["_id"]]
    places = [i for i, one in enumerate(earlier) if one["_id"] == message["_id"]]
    return read_question(earlier[places[0] - 1]["msg"], today).words if places and places[0] else ()


def _away(store: Store, colleague: Colleague, now: datetime) -> str:
    """Return the automatic reply of a colleague who is away.

    The result is empty if the colleague is present.
    """
    deputy = store.get(USERS, colleague.deputy) if colleague.deputy else None
    then = _phrase("deputy", name=deputy["name"], username=deputy["username"]) if deputy else _phrase("no_deputy")
    for one in colleague.absences:
        if one.first <= now.date() <= one.last:
            until = f"{one.last.day} {MONTHS[one.last.month - 1]} {one.last.year}"
            return _phrase("away", until=until, reason=f" ({one.reason})" if one.reason else "", deputy=then)
    return ""


def _topics(colleague: Colleague) -> str:
    return ", ".join(list(dict.fromkeys(fact.topic for fact in colleague.facts if fact.topic))[:_MAX_TOPICS])


def _first_name(name: str) -> str:
    return (name.split() or [""])[0][:MAX_FIRST_NAME]


def _phrase(key: str, **values: str) -> str:
    text = _phrases()[key]
    return text.format(**values) if values else text


@cache
def _phrases() -> Mapping[str, str]:
    found: dict[str, str] = yaml.safe_load(files(__package__).joinpath("phrases.yaml").read_text(encoding="utf-8"))
    return found
