"""Locks agree with a model that compares a request's changes, made without locks, with the scope of each lock."""

from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.files.locks import LOCKS, active
from teller_gym.office.files.seeding import Home
from teller_gym.office.files.times import stamp
from teller_gym.office.files.tree import NODES
from teller_gym.office.store import Store
from tests.office.files.office import WEBDAV, ask, check_tree, lockinfo, locks_in, office, proppatch

HOME = Home("ada", {"/a/x": b"1", "/a/y": b"2", "/b/x": b"3"})
PATHS = st.sampled_from(["/a", "/a", "/b", "/a/x", "/a/x", "/a/y", "/b/x", "/c", "/a/c", "/"])
SEEN = st.lists(st.integers(0, 3), max_size=2)
"""Indices of the submitted tokens among those issued so far."""

TAKEN = st.tuples(
    st.sampled_from(["LOCK exclusive", "LOCK shared"]),
    st.sampled_from(["/a", "/a/x", "/b", "/"]),
    st.sampled_from(["0", "infinity"]),
    st.just([0, 1]),
)
ACTS = st.one_of(
    st.tuples(st.sampled_from(["PUT", "MKCOL", "DELETE", "PROPPATCH"]), PATHS, st.just(""), SEEN),
    st.tuples(st.sampled_from(["COPY", "MOVE", "COPY 0"]), PATHS, PATHS, SEEN),
    st.tuples(st.sampled_from(["LOCK exclusive", "LOCK shared"]), PATHS, st.sampled_from(["0", "infinity"]), SEEN),
    st.tuples(
        st.sampled_from(["UNLOCK", "refresh"]), PATHS, st.just(""), st.lists(st.integers(0, 3), min_size=1, max_size=1)
    ),
)
Act = tuple[str, str, str, list[int]]


class Held(NamedTuple):
    """A lock of the model."""

    token: str
    root: str
    deep: bool
    exclusive: bool
    expires: int

    def covers(self, path: str) -> bool:
        return path == self.root or (self.deep and within(path, self.root))


def within(path: str, folder: str) -> bool:
    return path != folder and path.startswith(folder.rstrip("/") + "/")


def up(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def nodes(store: Store) -> dict[str, dict[str, Any]]:
    return {key[3:]: record for key, record in store.rows(NODES) if key.startswith("ada/")}


def send(store: Store, act: Act, tokens: list[str]) -> Any:
    """Send the request of an act with an If header that is always true and submits the tokens."""
    method, path, other, _ = act
    headers = {"if": "(Not <urn:none>)" + "".join(f" (<{token}>)" for token in tokens), "timeout": "Second-6"}
    body = b""
    if method == "PROPPATCH":
        body = proppatch("set <a/>")
    elif method.startswith("LOCK"):
        body, headers["depth"] = lockinfo(method.split()[1]), other
    elif method == "refresh":
        headers["if"] = f"(<{tokens[0]}>)"
    elif method == "UNLOCK":
        headers["lock-token"] = f"<{tokens[0]}>"
    elif method == "PUT":
        body = b"x"
    else:
        headers["destination"] = WEBDAV + other
        headers["depth"] = "0" if method == "COPY 0" else "infinity"
    return ask(store, "LOCK" if method == "refresh" else method.split()[0], WEBDAV + path, body, **headers)


def changed(before: Store, after: Store, act: Act) -> set[str]:
    """Return the paths that an act changed, including folders whose members changed."""
    old, new = nodes(before), nodes(after)
    found = {act[1]} if act[0] == "PROPPATCH" else set()
    for path in {*old, *new}:
        one, other = old.get(path), new.get(path)
        if one is None or other is None or one["id"] != other["id"]:
            found |= {path, up(path)}
        elif "content" in one and one["etag"] != other["etag"]:
            found.add(path)
    return {path for path in found if path in old}


def expected(store: Store, held: list[Held], act: Act, tokens: list[str]) -> bool:
    """Return True if the locks allow an act."""
    method, path, other, _ = act
    rivals = [one for one in held if one.covers(path) or (other == "infinity" and within(one.root, path))]
    if method.startswith("LOCK") and any(one.exclusive or method == "LOCK exclusive" for one in rivals):
        return False
    if method in ("UNLOCK", "refresh"):
        return any(one.covers(path) and one.token == tokens[0] for one in held)
    free = store.fork(store.snapshot())
    free.delete(LOCKS, "ada")
    send(free, act, [])
    scopes = [[one.token for one in held if one.covers(path)] for path in changed(store, free, act)]
    return all(not scope or set(scope) & set(tokens) for scope in scopes)


def after(held: list[Held], store: Store, act: Act, response: Any) -> list[Held]:
    """Return the model's locks after a successful act."""
    now = stamp(store.clock())
    if act[0].startswith("LOCK"):
        (one,) = locks_in(response)
        held = [*held, Held(one.token, act[1], act[2] == "infinity", act[0] == "LOCK exclusive", now + 6)]
    elif act[0] == "refresh":
        (one,) = locks_in(response)
        held = [each._replace(expires=now + 6) if each.token == one.token else each for each in held]
    tree = nodes(store)
    return [one for one in held if one.root in tree and one.expires > now]


@settings(max_examples=150)
@given(st.lists(TAKEN, min_size=1, max_size=3), st.lists(ACTS, min_size=5, max_size=12))
def test_locks_are_what_the_model_says(taken: list[Act], acts: list[Act]) -> None:
    store, held, given_out = office(home=HOME), list[Held](), list[str]()
    for act in [*taken, *acts]:
        tokens = [given_out[number] for number in act[3] if number < len(given_out)]
        if act[0] in ("UNLOCK", "refresh") and not tokens:
            continue
        free = store.fork(store.snapshot())
        free.delete(LOCKS, "ada")
        alone = 200 if act[0] in ("UNLOCK", "refresh") else send(free, act, []).status
        passes = expected(store, held, act, tokens)
        saved = store.snapshot()
        response = send(store, act, tokens)
        if alone >= 400 or not passes:
            assert response.status >= 400 or response.status == 207, (act, held)
            assert store.snapshot() == saved
            assert alone >= 400 or response.status in (207, 409, 412, 423)
            continue
        assert response.status == alone or act[0] == "UNLOCK", (act, held, response)
        if act[0] == "UNLOCK":
            held = [one for one in held if one.token != tokens[0]]
        else:
            held = after(held, store, act, response)
        if act[0].startswith("LOCK"):
            given_out.append(held[-1].token)
        told = [(one.token, one.root, one.deep, one.exclusive, one.expires) for one in active(store, "ada")]
        assert told == [tuple(one) for one in held]
        assert {path: one.get("content") for path, one in nodes(store).items()} == {
            path: one.get("content") for path, one in nodes(free).items()
        } or act[0] in ("UNLOCK", "refresh")
        check_tree(store)
