"""Colleagues who answer what is written to them: which facts they tell is decided here, without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

import msgspec
import yaml

from teller_gym.office.chat.attachments import MAX_MESSAGE
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.intents import Question, asked, fits_any, read_question
from teller_gym.office.chat.messages import check_writable, post
from teller_gym.office.chat.profiles import MAX_FACTS, MAX_FIRST_NAME, Colleague, Fact, filled, from_record
from teller_gym.office.chat.rooms import CHANNEL, room_named, timeline
from teller_gym.office.chat.tables import COLLEAGUES, CONVERSATIONS, MESSAGES, ROOMS, USERS
from teller_gym.office.chat.voice import Voice, voiced
from teller_gym.office.chat.wording import MONTHS
from teller_gym.office.store import Record, Store

MAX_TURNS: Final = 20
"""Messages from one person that a colleague answers in a room."""

STALE_TURNS: Final = 4
"""Messages in a row that bring nothing new, after which a colleague says so, and then no more until one does."""

_MAX_TOPICS: Final = 12
"""Topics that a hint names."""

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""In English whatever the locale."""

Kind = Literal["facts", "clarify", "refusal", "hint", "noted", "thanks", "away", "stale", "limit"]

_IDLE: Final = ("clarify", "refusal", "hint", "stale")
"""Replies that bring nobody forward. Who is away does not lose patience."""


class Reply(msgspec.Struct, frozen=True):
    """What a colleague answers.

    Attributes:
        username: of the colleague.
        asker: user name of who asked.
        text: of the answer; empty: they say nothing.
        kind: of the answer.
        told: keys of the facts in it.
        thread: id of the message that the answer is a reply to; None: it stands in the room.
    """

    username: str
    asker: str
    text: str
    kind: Kind
    told: tuple[str, ...] = ()
    thread: str | None = None


def post_and_answer(
    store: Store, user: str, to: str, text: str = "", *, voice: Voice | None = None, **options: Any
) -> tuple[Record, list[Record]]:
    """Post a message as `messages.post` does, and what colleagues answer; return it and the answers.

    Raises:
        ChatError: see `messages.post`.
    """
    message = post(store, user, to, text, **options)
    room = store.get(ROOMS, message["rid"])
    answers = []
    for reply in replies(store, room, message, voice) if room is not None else ():
        _note(store, message["rid"], reply)
        if reply.text:
            answers.append(post(store, reply.username, message["rid"], reply.text, thread=reply.thread, join=False))
    # What was posted may have got replies in its thread meanwhile.
    return store.get(MESSAGES, message["_id"]) or message, answers


def replies(store: Store, room: Record, message: Record, voice: Voice | None = None) -> list[Reply]:
    """Return what colleagues answer to a message that was posted; nothing is written.

    In a direct message between two, the other answers; elsewhere who is mentioned, and whose message is replied to.

    Args:
        store: the office's.
        room: where the message stands.
        message: as the API has it.
        voice: who puts facts into words; None: the colleagues' own.
    """
    asker = message["u"]["username"]
    found = []
    for username in _addressed(store, room, message):
        record = store.get(COLLEAGUES, username)
        if record is not None and username != asker and _may_write(store, room, username):
            found.append(_reply(store, room, message, from_record(record), voice))
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


def _may_write(store: Store, room: Record, username: str) -> bool:
    try:
        check_writable(store, room, username)
    except ChatError:
        return False
    return True


def conversation(store: Store, room_id: str, colleague: str, asker: str) -> Record:
    """Return how far a colleague and someone have come in a room: ``turns``, ``stale``, ``told`` and ``over``."""
    found = store.get(CONVERSATIONS, f"{room_id} {colleague} {asker}")
    return found or {"turns": 0, "stale": 0, "told": [], "over": False}


def _reply(store: Store, room: Record, message: Record, colleague: Colleague, voice: Voice | None) -> Reply:
    """What one colleague says, and whether they have had enough."""
    asker, username = message["u"]["username"], colleague.username
    past = conversation(store, room["_id"], username, asker)
    first_name, thread = _first_name(message["u"]["name"]), message.get("tmid")
    if past["turns"] >= MAX_TURNS:
        text = "" if past["over"] else _phrase("limit", asker=first_name)
        return Reply(username, asker, text, "limit", thread=thread)
    kind, text, told = _decide(store, room, message, colleague, voice)
    if kind in _IDLE or (kind == "facts" and not set(told) - set(past["told"])):
        turn = past["stale"] + 1
        if turn >= STALE_TURNS:
            text = _phrase("stale", asker=first_name, topics=_topics(colleague)) if turn == STALE_TURNS else ""
            kind, told = "stale", ()
    return Reply(username, asker, text[:MAX_MESSAGE], kind, told, thread)


def _note(store: Store, room_id: str, reply: Reply) -> None:
    """Write how far the two have come with a reply."""
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


def _decide(
    store: Store, room: Record, message: Record, colleague: Colleague, voice: Voice | None
) -> tuple[Kind, str, tuple[str, ...]]:
    """The kind and text of an answer, and the keys of the facts in it, whatever was said before."""
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
    told, kind, instead = _released(store, room, message["u"]["username"], wanted, question, before)
    if told:
        answer = "\n".join(filled(fact, asker) for fact in told[:MAX_FACTS])
        values = [value for fact in told[:MAX_FACTS] for value in fact.values.values()]
        lines = [voiced(voice, colleague, answer, values, message["msg"], now.date())]
        lines += [instead.replace("{asker}", asker)] if instead else []
        lines += [_phrase("more")] if len(told) > MAX_FACTS else []
        return "facts", "\n".join(lines), tuple(fact.key for fact in told[:MAX_FACTS])
    if instead:
        return kind, instead.replace("{asker}", asker), ()
    topics = _topics(colleague)
    return "hint", _phrase("hint" if topics else "hint_empty", asker=asker, topics=topics), ()


def _released(
    store: Store, room: Record, asker: str, facts: Sequence[Fact], question: Question, before: Sequence[str]
) -> tuple[list[Fact], Kind, str]:
    """The facts that may be told, and what is said in place of the first that may not, with its kind."""
    told: list[Fact] = []
    kind: Kind = "refusal"
    instead = ""
    for fact in facts:
        rule = fact.release
        if not _may_know(store, rule.asked_by, rule.members_of, asker):
            kind, instead = ("refusal", rule.refusal or _phrase("refusal")) if not instead else (kind, instead)
        elif rule.direct_only and not (room["t"] == "d" and len(room["members"]) == 2):
            kind, instead = ("refusal", _phrase("refusal_direct")) if not instead else (kind, instead)
        elif rule.about and not (
            fits_any(rule.about, question.words) or fits_any(rule.about, (*before, *question.words))
        ):
            kind, instead = ("clarify", rule.clarify or _phrase("clarify")) if not instead else (kind, instead)
        else:
            told.append(fact)
    return told, kind, instead


def _may_know(store: Store, people: Sequence[str], rooms: Sequence[str], asker: str) -> bool:
    if not people and not rooms:
        return True
    found = (room_named(store, name) for name in rooms)
    return asker in people or any(room is not None and asker in room["members"] for room in found)


def _question(text: str, username: str, name: str, today: date) -> Question:
    """A message without the address of whom it is written to."""
    return read_question(re.sub(rf"@{re.escape(username)}(?![\w-])", " ", text), today, name.split())


def _words_before(store: Store, room: Record, message: Record, today: date) -> tuple[str, ...]:
    """The words of the message that the same person wrote in the room before this one."""
    earlier = [one for one in timeline(store, room["_id"]) if one["u"]["_id"] == message["u"]["_id"] and "t" not in one]
    places = [i for i, one in enumerate(earlier) if one["_id"] == message["_id"]]
    return read_question(earlier[places[0] - 1]["msg"], today).words if places and places[0] else ()


def _away(store: Store, colleague: Colleague, now: datetime) -> str:
    """What someone's mailbox says while they are not there; empty while they are."""
    deputy = store.get(USERS, colleague.deputy) if colleague.deputy else None
    then = _phrase("deputy", name=deputy["name"], username=deputy["username"]) if deputy else _phrase("no_deputy")
    for one in colleague.absences:
        if one.first <= now.date() <= one.last:
            until = f"{one.last.day} {MONTHS[one.last.month - 1].capitalize()} {one.last.year}"
            return _phrase("away", until=until, reason=f" ({one.reason})" if one.reason else "", deputy=then)
    hours = colleague.hours
    if now.weekday() in hours.days and hours.start <= now.time() <= hours.end:
        return ""
    days = ", ".join(_DAYS[day] for day in sorted(hours.days))
    return _phrase("off_hours", start=f"{hours.start:%H:%M}", end=f"{hours.end:%H:%M}", days=days, deputy=then)


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
