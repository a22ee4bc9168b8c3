"""A sequence of acts against a model that is nothing but lists: rooms, and what was said to whom."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from teller_gym.office.chat import membership, messages
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.history import EVERYBODY, said
from teller_gym.office.chat.rooms import any_room, timeline
from teller_gym.office.chat.tables import ROOM_NAMES, ROOMS
from tests.office.chat.world import ROOMS as SEEDED
from tests.office.chat.world import office

USERS = ("jo", "sam", "anna.lee", "root")
ROOM = ("general", "board", "advice", "notices")

ACTS = st.lists(
    st.tuples(
        st.sampled_from(["post", "edit", "delete", "join", "leave", "invite"]),
        st.sampled_from((*USERS, "anna.lee")),
        st.sampled_from((*ROOM, "board", "board")),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=25,
)


class Model:
    """Rooms as lists of members and of [author, text]; texts as (author, text, readers)."""

    def __init__(self) -> None:
        everybody = ["jo", "anna.lee", "sam", "bob", "root"]
        self.members = {room.name: list(room.members or everybody) for room in SEEDED}
        self.in_charge = {
            "general": {"root"},
            "notices": {"root", "anna.lee"},
            "advice": {"anna.lee"},
            "board": {"anna.lee"},
        }
        self.said: list[tuple[str, str, set[str]]] = []
        self.texts: dict[str, list[list[Any]]] = {room: [] for room in ROOM}

    def act(self, kind: str, user: str, room: str, number: int) -> bool:
        members, texts = self.members[room], self.texts[room]
        public, manager = room != "board", user == "root" or user in self.in_charge[room]
        open_ = (public or user in members) and (room != "notices" or manager)
        message = texts[number % len(texts)] if texts else None
        if kind == "post":
            if not open_:
                return False
            self._join(room, user)
            texts.append([user, f"text {number}", self._say(user, room, f"text {number}")])
        elif kind in ("edit", "delete"):
            if message is None or not open_ or (message[0] != user and not manager):
                return False
            if kind == "delete":
                del texts[number % len(texts)]
            elif message[1] != f"new {number}":
                message[1:] = [f"new {number}", self._say(user, room, f"new {number}")]
        elif kind == "join":
            if not public:
                return False
            self._join(room, user)
        elif kind == "leave":
            owner = {"general": "root", "notices": "root"}.get(room, "anna.lee")
            if user not in members or user == owner:
                return False
            members.remove(user)
            self.in_charge[room].discard(user)  # who comes back is an ordinary member
        else:
            if not ((user in members and manager) or (public and user == "root")):
                return False
            self._join(room, "sam")
        return True

    def _join(self, room: str, user: str) -> None:
        if user not in self.members[room]:
            self.members[room].append(user)
            for text in self.texts[room]:
                text[2].add(user)

    def _say(self, user: str, room: str, text: str) -> set[str]:
        readers = {*self.members[room], user}
        self.said.append((user, text, readers if room == "board" else {EVERYBODY}))
        return readers


# Who joins later reads what stands there, and not what was changed or deleted before.
READ_LATER = [
    ("post", "anna.lee", "board", 0),
    ("post", "anna.lee", "board", 1),
    ("edit", "anna.lee", "board", 0),
    ("delete", "anna.lee", "board", 1),
    ("invite", "anna.lee", "board", 0),
    ("post", "sam", "board", 2),
    ("leave", "sam", "board", 0),
    ("post", "anna.lee", "board", 3),
]


@given(ACTS)
@example(READ_LATER)
def test_rooms_and_what_was_said_follow_the_model(acts: list[tuple[str, str, str, int]]) -> None:
    store, model = office(messages=()), Model()
    for kind, user, name, number in acts:
        place = store.get(ROOM_NAMES, name)
        assert place is not None
        rid = place["rid"]
        room = store.get(ROOMS, rid)
        assert room is not None
        written = [one for one in timeline(store, rid) if "t" not in one]
        target = written[number % len(written)]["_id"] if written else "none"
        before = store.snapshot()
        try:
            if kind == "post":
                messages.post(store, user, f"#{name}", f"text {number}")
            elif kind == "edit":
                messages.update(store, user, rid, target, f"new {number}")
            elif kind == "delete":
                messages.delete(store, user, rid, target)
            elif kind == "join":
                membership.join(store, user, room)
            elif kind == "leave":
                membership.leave(store, user, room)
            else:
                membership.invite(store, user, room, ["sam"])
            done = True
        except ChatError:
            done = False
            assert store.snapshot() == before
        assert done == model.act(kind, user, name, number), (kind, user, name)
    for name in ROOM:
        room = any_room(store, "anna.lee", name=name)
        assert room["members"] == model.members[name]
        there = [[one["u"]["username"], one["msg"]] for one in timeline(store, room["_id"]) if "t" not in one]
        assert there == [text[:2] for text in model.texts[name]]
    assert [(one.username, one.text, set(one.readers)) for one in said(store)] == model.said
    for user in USERS:
        assert said(store, user) == [one for one in said(store) if one.username == user]


def test_deleted_texts_stay_in_the_history_and_a_restored_store_forgets_them() -> None:
    store = office()
    start = store.snapshot()
    message = messages.post(store, "jo", "@sam", "secret 5")
    messages.update(store, "jo", message["rid"], message["_id"], "nothing")
    messages.delete(store, "jo", message["rid"], message["_id"])
    assert timeline(store, message["rid"]) == []
    assert [(one.text, one.readers, one.kind, one.name, one.message) for one in said(store)] == [
        ("secret 5", ("jo", "sam"), "d", "jo,sam", message["_id"]),
        ("nothing", ("jo", "sam"), "d", "jo,sam", message["_id"]),
    ]
    cards = [{"title": "T", "text": "hidden 7", "fields": [{"title": "a", "value": "b"}]}]
    message = messages.post(store, "bob", "#general", "see", attachments=cards)
    messages.delete(store, "bob", "GENERAL", message["_id"])
    assert [one.text for one in said(store, "bob")] == ["see\nhidden 7\nT\na\nb"]
    membership.set_about(store, "root", any_room(store, "root", name="general"), "topic", "secret 6")
    assert [(one.text, one.readers) for one in said(store, "root")] == [("secret 6", (EVERYBODY,))]
    there = store.state_hash()
    store.restore(start)
    assert said(store) == [] and store.state_hash() != there and store.diff() == []


def test_the_same_acts_give_the_same_bytes() -> None:
    def play() -> str:
        store = office()
        messages.post(store, "jo", "@sam", "a")
        membership.create_room(store, "jo", "p", "mine", ["sam"])
        messages.post(store, "sam", "#mine", "b @jo")
        return store.state_hash()

    assert play() == play()
