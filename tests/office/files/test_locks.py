"""LOCK and UNLOCK, requests that locks block, and locks in the journal."""

from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from teller_gym.office.files.dead import read
from teller_gym.office.files.locks import LOCKS, LONGEST_S, MAX_LOCKS, USUAL_S, active
from teller_gym.office.files.reading import contents
from teller_gym.office.files.writing import write_file
from teller_gym.office.files.xml_reading import MAX_OWNER
from tests.office.files.office import (
    DAV_ADA,
    HOME,
    SERVICE,
    WEBDAV,
    ask,
    basic,
    error_of,
    failed,
    lock,
    lockinfo,
    locks_in,
    locks_of,
    office,
    proppatch,
    refused,
)
from tests.office.served import OneService

README = WEBDAV + "/readme.txt"
CLIENTS = WEBDAV + "/Clients/"
GRACE = CLIENTS + "Grace%20Hopper/"
DEED = GRACE + "deed.txt"
NEW = WEBDAV + "/new.txt"
SET = proppatch("set <colour>blue</colour>")
LOCKED = "HTTP/1.1 423 Locked"


def with_token(token: str, about: str = "") -> dict[str, Any]:
    return {"if": f"{f'<{about}> ' if about else ''}(<{token}>)"}


def test_a_lock_is_shown_and_released() -> None:
    store = office()
    response = ask(store, "LOCK", README, lockinfo(owner="<href>mailto:ada@bank.example</href>"), depth="0")
    assert response.status == 200 and b">mailto:ada@bank.example</" in response.body
    (one,) = locks_in(response)
    assert (one.root, one.depth, one.scope, one.seconds) == (README, "0", "exclusive", USUAL_S)
    assert response.header("Lock-Token") == f"<{one.token}>" and locks_of(store, README) == [one]
    assert locks_of(store, WEBDAV + "/") == [] and store.state_hash() != office().state_hash()
    for wrong in ("", one.token, "<a b>", f"<{one.token}> x"):
        assert error_of(ask(store, "UNLOCK", README, lock_token=wrong)) == (400, "BadRequest")
    for address, token in ((README, "opaquelocktoken:foobar"), (NEW, one.token), (DEED, one.token)):
        response = ask(store, "UNLOCK", address, lock_token=f"<{token}>")
        assert refused(response) == (409, "lock-token-matches-request-uri", [])
    assert ask(store, "UNLOCK", README, lock_token=f"<{one.token}>").status == 204
    assert locks_of(store, README) == [] and store.state_hash() == office().state_hash()
    assert ask(store, "UNLOCK", README, lock_token=f"<{one.token}>").status == 409


def test_tokens_follow_from_the_seed_and_taking_them_moves_no_clock() -> None:
    store, same, other = office(), office(), office(2)
    found = [[lock(each, README, "shared") for _ in range(3)] for each in (store, same, other)]
    assert found[0] == found[1] and len({*found[0], *found[2]}) == 6
    assert store.clock() == store.now and store.snapshot() == same.snapshot()


def test_a_lock_belongs_to_the_user_that_took_it() -> None:
    store = office()
    token = lock(store, README)
    for user in ("bob", "new"):
        for address in (README, DAV_ADA + "/readme.txt"):
            assert ask(store, "UNLOCK", address, user=user, lock_token=f"<{token}>").status in (404, 409)
            assert ask(store, "LOCK", address, user=user, **with_token(token)).status in (404, 412)
    assert ask(store, "PUT", README, b"Bob's", "bob").status == 201
    assert ask(store, "PUT", README, b"Bob's", "bob", **with_token(token)).status == 412
    assert [one.token for one in locks_of(store, README)] == [token]


def test_a_folder_of_locked_files_is_not_replaced() -> None:
    store = office()
    token = lock(store, DEED)
    saved = store.snapshot()
    for method in ("COPY", "MOVE"):
        response = ask(store, method, WEBDAV + "/Empty", destination=WEBDAV + "/Clients")
        assert failed(response) == {DEED: LOCKED}
    assert failed(ask(store, "MOVE", WEBDAV + "/Clients", destination=NEW)) == {DEED: LOCKED}
    assert store.snapshot() == saved
    tagged: dict[str, Any] = {"if": f"<http://files{DEED}> (<{token}>)", "host": "files"}
    assert ask(store, "MOVE", WEBDAV + "/Clients", destination=NEW, **tagged).status == 201
    assert list(store.rows(LOCKS)) == []


def test_exclusive_and_shared_locks() -> None:
    store = office()
    first, second = lock(store, GRACE, "shared"), lock(store, DEED, "shared")
    assert [one.token for one in locks_of(store, DEED)] == [first, second]
    assert refused(ask(store, "LOCK", DEED, lockinfo())) == (423, "no-conflicting-lock", [GRACE, DEED])
    assert failed(ask(store, "LOCK", CLIENTS, lockinfo())) == {
        GRACE: LOCKED,
        DEED: LOCKED,
        CLIENTS: "HTTP/1.1 424 Failed Dependency",
    }
    assert ask(store, "LOCK", CLIENTS, lockinfo(), depth="0").status == 200
    exclusive = lock(store, README)
    for scope in ("exclusive", "shared"):
        assert refused(ask(store, "LOCK", README, lockinfo(scope)))[:2] == (423, "no-conflicting-lock")
        # Refused even with its own token: only a request without a body is a refresh.
        assert ask(store, "LOCK", README, lockinfo(scope), **with_token(exclusive)).status == 423


def test_a_lock_of_what_is_not_there_makes_an_empty_file() -> None:
    store = office()
    response = ask(store, "LOCK", NEW, lockinfo(), depth="infinity")
    assert response.status == 201 and ask(store, "GET", NEW).body == b""
    (one,) = locks_in(response)
    assert ask(store, "PUT", NEW, b"x").status == 423
    assert ask(store, "PUT", NEW, b"x", **with_token(one.token)).status == 204
    assert error_of(ask(store, "LOCK", WEBDAV + "/no/x", lockinfo())) == (409, "Conflict")
    assert ask(store, "UNLOCK", NEW, lock_token=f"<{one.token}>").status == 204
    assert contents(store, "ada") == {**HOME.files, "/new.txt": b"x"}
    folder = lock(store, WEBDAV + "/Empty", depth="0")
    assert ask(store, "LOCK", WEBDAV + "/Empty/x", lockinfo()).status == 423
    assert ask(store, "LOCK", WEBDAV + "/Empty/x", lockinfo(), **with_token(folder, WEBDAV + "/Empty")).status == 201


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ("", USUAL_S),
        ("Second-5", 5),
        ("Infinite", LONGEST_S),
        ("Second-4100000000", LONGEST_S),
        ("Extended, Second-7", 7),
        ("Second-0", 1),
        ("Second-" + "9" * 50, USUAL_S),
    ],
)
def test_timeouts(asked: str, seconds: int) -> None:
    store = office()
    lock(store, README, timeout=asked)
    assert locks_of(store, README)[0].seconds == seconds


def test_a_lock_ends_with_the_offices_clock_and_no_other() -> None:
    store = office()
    token = lock(store, README, timeout="Second-3")
    for left in (3, 2, 1):
        for _ in range(5):  # reads and refused requests change nothing
            assert ask(store, "PUT", README, b"x").status == 423
            assert [one.seconds for one in locks_of(store, README)] == [left]
        write_file(store, "bob", "/x", b"")
    assert locks_of(store, README) == [] and ask(store, "PUT", README, b"x").status == 204
    assert ask(store, "PUT", README, b"x", **with_token(token)).status == 412

    token = lock(store, README, timeout="Second-3")
    write_file(store, "bob", "/x", b"")
    refreshed = ask(store, "LOCK", README, timeout="Second-9", **with_token(token))
    assert refreshed.status == 200 and refreshed.header("Lock-Token") is None
    assert [(one.token, one.seconds) for one in locks_in(refreshed)] == [(token, 9)]


def test_refreshing() -> None:
    store = office()
    one, two = lock(store, GRACE, "shared"), lock(store, GRACE, "shared")
    other = lock(store, README)
    assert [each.token for each in locks_in(ask(store, "LOCK", DEED, **with_token(one)))] == [one]
    assert error_of(ask(store, "LOCK", GRACE)) == (400, "BadRequest")
    assert error_of(ask(store, "LOCK", GRACE, b"", **{"if": f"(<{one}> <{two}>)"})) == (400, "BadRequest")
    assert error_of(ask(store, "LOCK", GRACE, **with_token(other))) == (412, "PreconditionFailed")
    elsewhere = ask(store, "LOCK", GRACE, **with_token(other, README))
    assert refused(elsewhere) == (412, "lock-token-matches-request-uri", [])


def test_conditions_of_the_if_header() -> None:
    store = office()
    token = lock(store, README)
    etag = ask(store, "HEAD", README).header("ETag")
    for header, status in (
        (f"(<{token}> [{etag}])", 204),
        (f"(<{token}> [{etag}])", 412),  # the ETag has changed
        ("(<DAV:no-lock>)", 412),
        ("(Not <DAV:no-lock>)", 423),
        (f"(Not <{token}>) (Not <DAV:no-lock>)", 204),  # naming a token submits it
        (f"<{README}> (<{token}>)", 204),
        (f"<{DAV_ADA}/readme.txt> (<{token}>)", 204),
        (f"<http://other{README}> (<{token}>)", 412),
        (f"<{NEW}> (<{token}>)", 412),
        (f"<{NEW}> (Not <{token}>)", 204),
        ("(<a:b>", 400),
    ):
        assert ask(store, "PUT", README, b"x", **{"if": header}, host="here").status == status, header
    assert ask(store, "GET", README, b"", **{"if": "(<DAV:no-lock>)"}).status == 412
    assert ask(store, "GET", NEW, b"", **{"if": '([W/"x"])'}).status == 412


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"x", 400),
        (lockinfo("local"), 400),
        (lockinfo().replace(b"<exclusive/>", b"<exclusive/><shared/>"), 400),
        (lockinfo().replace(b"<write/>", b""), 400),
        (lockinfo().replace(b"<write/>", b"<read/>"), 422),
        (lockinfo(owner="x" * (MAX_OWNER + 1)), 413),
        (b"<!DOCTYPE x [<!ENTITY a 'ha'>]>" + lockinfo(owner="&a;"), 400),
    ],
)
def test_bodies_that_ask_for_no_lock(body: bytes, status: int) -> None:
    store = office()
    saved = store.snapshot()
    assert error_of(ask(store, "LOCK", README, body))[0] == status
    assert error_of(ask(store, "LOCK", NEW, body))[0] == status
    assert error_of(ask(store, "LOCK", README, lockinfo(), depth="1")) == (400, "BadRequest")
    assert store.snapshot() == saved


def test_the_number_of_locks_is_bounded() -> None:
    store = office()
    for _ in range(MAX_LOCKS):
        last = lock(store, README, "shared", timeout="Second-600")
    for address in (README, NEW):
        assert error_of(ask(store, "LOCK", address, lockinfo("shared"))) == (507, "InsufficientStorage")
    assert ask(store, "GET", NEW).status == 404
    assert ask(store, "LOCK", README, **with_token(last)).status == 200
    assert ask(store, "UNLOCK", README, lock_token=f"<{last}>").status == 204
    lock(store, README, "shared")


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (413, "EntityTooLarge"),
        (507, "InsufficientStorage"),
        (429, "Exception"),
        (500, "Exception"),
    ],
)
def test_refusals_of_a_server_in_front(status: int, code: str) -> None:
    assert error_of(SERVICE.refusal(status, "A <sentence> & more.")) == (status, code)


def test_locks_and_properties_are_in_the_journal(tmp_path: Path) -> None:
    pytest.importorskip("h11", reason="needs the extra office (pip install -e '.[office]')")
    from teller_gym.office.serving import Serving

    def ask(serving: Serving, method: str, body: bytes) -> int:
        connection = HTTPConnection(urlsplit(serving.addresses["files"]).netloc, timeout=30)
        connection.request(method, WEBDAV + "/readme.txt", body, {"Authorization": basic("ada")})
        status = connection.getresponse().status
        connection.close()
        return status

    with Serving(OneService(SERVICE, office()), state=tmp_path) as serving:
        assert [ask(serving, "PROPPATCH", proppatch("set <a>1</a>")), ask(serving, "LOCK", lockinfo())] == [207, 200]
        before = serving.look(
            lambda store: (store.state_hash(), active(store, "ada"), read(store, "ada", "/readme.txt"))
        )
    with Serving(OneService(SERVICE, office()), state=tmp_path) as serving:
        assert serving.restored == 2 and ask(serving, "PUT", b"x") == 423
        after = serving.look(
            lambda store: (store.state_hash(), active(store, "ada"), read(store, "ada", "/readme.txt"))
        )
    assert before == after and len(after[1]) == len(after[2]) == 1
