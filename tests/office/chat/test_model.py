"""A sequence of posts against a model of lists: members and texts of rooms."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.chat import messages
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.rooms import any_room, timeline
from tests.office.chat.world import PEOPLE_HERE, office
from tests.office.chat.world import ROOMS as SEEDED

ROOM = ("general", "board", "advice")
POSTS = st.lists(
    st.tuples(st.sampled_from(sorted(PEOPLE_HERE)), st.sampled_from((*ROOM, "@sam")), st.integers(0, 5)), max_size=25
)


@given(POSTS)
def test_rooms_follow_the_model_and_the_same_posts_give_the_same_bytes(posts: list[tuple[str, str, int]]) -> None:
    members = {room.name: list(room.members or PEOPLE_HERE) for room in SEEDED}
    texts: dict[str, list[tuple[str, str]]] = {name: [] for name in ROOM}
    hashes = []
    for once in (True, False):
        store = office(messages=())
        for user, name, number in posts:
            to, text, before = name if name == "@sam" else f"#{name}", f"text {number}", store.snapshot()
            try:
                messages.post(store, user, to, text)
            except ChatError:
                assert name == "board" and user not in members[name] and store.snapshot() == before
                continue
            if once and name in members:
                members[name] += [] if user in members[name] else [user]
                texts[name].append((user, text))
        hashes.append(store.state_hash())
    assert hashes[0] == hashes[1]
    for name in ROOM:
        room = any_room(store, "anna.lee", name=name)
        assert room["members"] == members[name]
        written = [one for one in timeline(store, room["_id"]) if "t" not in one]
        assert [(one["u"]["username"], one["msg"]) for one in written] == texts[name]
        joined = [one["msg"] for one in timeline(store, room["_id"]) if one.get("t") == "uj"]
        assert joined == members[name][len(members[name]) - len(joined) :]
