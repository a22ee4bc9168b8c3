"""The web pages without a browser: sign-in, forged forms, escaping, rights, limits and reproducibility."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.small_office import CRM_KEY, TRACKER_KEY, SmallOffice, open_office
from teller_gym.office.pages import mounting, sessions, with_pages
from teller_gym.office.web import MAX_BODY, Request, json_response
from tests.office.pages.world import FORM, MARKUP, Visitor, visitor

SERVICES = ("crm", "files", "chat", "tracker")


@pytest.mark.parametrize("service", SERVICES)
def test_a_visitor_signs_in_once_and_out_again(service: str) -> None:
    one = Visitor(open_office(), service)
    door = one.ask("GET", "/", accept="text/html,*/*;q=0.8")
    assert (door.status, door.header("Location")) == (303, "/web/")
    assert one.ask("GET", "/", accept="*/*").status == 200, "a program gets what the service itself answers"
    asked = one.ask("GET", "/web/list?entity=Contact")
    assert (asked.status, asked.header("Location")) == (303, "/web/login")
    assert one.sign_in(password="wrong").status == 401 and not one.cookie
    assert one.sign_in("nobody").status == 401 and one.sign_in(password="").status == 401
    done = one.sign_in()
    assert (done.status, done.header("Location")) == (303, "/web/")
    assert "HttpOnly" in (done.header("Set-Cookie") or "") and "SameSite=Lax" in (done.header("Set-Cookie") or "")
    assert "Signed in as ada" in one.get("/web/")
    cookie = one.cookie
    assert one.send("/web/logout", {}).header("Location") == "/web/login"
    one.cookie = cookie
    assert one.ask("GET", "/web/").status == 303, "the session is over, even for a browser with its cookie"


@pytest.mark.parametrize("service", SERVICES)
def test_the_form_of_a_services_own_door_leads_to_the_pages(service: str) -> None:
    one = Visitor(open_office(), service)
    page = one.ask("GET", "/").body.decode()
    action = re.search(r'<form[^>]* action="([^"]+)"', page)
    names = re.findall(r'<input[^>]* name="(\w+)"', page)
    assert action is not None and names == ["username", "password"]
    sent = urlencode({"username": "ada", "password": "password-of-ada"}).encode()
    assert one.ask("POST", action[1], sent, content_type=FORM).header("Location") == "/web/"
    assert one.ask("POST", "/", sent, content_type=FORM).status == 405, "no form is answered with itself"


@pytest.mark.parametrize(("service", "key"), [("crm", CRM_KEY), ("tracker", TRACKER_KEY)])
def test_an_api_key_replaces_the_password(service: str, key: str) -> None:
    one = Visitor(open_office(), service)
    assert one.sign_in("ben", key).status == 401 and one.sign_in("ada", key).status == 303
    assert Visitor(open_office(), "chat").sign_in("ada", key).status == 401


def test_a_session_of_one_service_is_none_of_another() -> None:
    chat = visitor("chat")
    files = Visitor(chat.office, "files")
    files.cookie = chat.cookie.replace("office_chat", "office_files")
    assert files.ask("GET", "/web/").status == 303


def test_forms_of_other_sites_are_refused() -> None:
    one, post = visitor("chat"), {"to": "#general", "text": "x"}
    before = one.office.store.snapshot()
    for origin in ("http://evil", "null"):
        assert one.send("/web/post", post, origin=origin).status == 403
        assert one.send("/web/login", {"username": "ben", "password": "password-of-ben"}, origin=origin).status == 403
    assert one.office.store.snapshot() == before
    assert one.send("/web/post", post, origin="http://office").status == 303


@pytest.mark.parametrize("service", SERVICES)
def test_nothing_that_people_write_becomes_a_tag(service: str) -> None:
    one = visitor(service)
    name = MARKUP.replace("/", "|")
    if service == "files":
        assert one.send("/web/write", {"path": "/", "name": name, "text": MARKUP}).status == 303
        assert one.send("/web/folder", {"path": "/", "name": f"{name}2"}).status == 303
    elif service == "chat":
        assert one.send("/web/post", {"to": "#general", "text": MARKUP}).status == 303
    elif service == "tracker":
        project = next(one.office.store.rows("tracker.projects"))[0]
        made = one.send("/web/create", {"project": project, "name": MARKUP, "description": MARKUP})
        key = (made.header("Location") or "").partition("key=")[2].partition("&")[0]
        assert one.send("/web/comment", {"key": key, "text": MARKUP}).status == 303
    else:
        contact = next(one.office.store.rows("crm.Contact"))[0]
        changed = {"entity": "Contact", "id": contact, "firstName": MARKUP, "description": MARKUP}
        assert one.send("/web/save", changed).status == 303
        assert one.send("/web/post", {"entity": "Contact", "id": contact, "text": MARKUP}).status == 303
    seen, todo, found = set[str](), ["/web/"], 0
    if service in ("chat", "files"):
        todo.append("/web/search?text=%3Cscript")
    while todo:
        address = todo.pop()
        if address not in seen and "logout" not in address:
            seen.add(address)
            answer = one.ask("GET", address)
            assert answer.status == 200, (address, answer.body[-400:])
            if "text/html" not in (answer.header("Content-Type") or ""):
                assert (answer.header("Content-Disposition") or "").startswith("attachment")
                continue
            page = answer.body.decode()
            found += "&lt;script&gt;alert(1)" in page
            assert "<script" not in page and "default-src 'none'" in (answer.header("Content-Security-Policy") or "")
            todo += one.links(address)
    assert found >= 2, "what was written is shown"


def test_rights_are_those_of_the_services() -> None:
    chat = visitor("chat", "ben")
    assert chat.ask("GET", "/web/room?to=%23nowhere").status == 400
    tracker = visitor("tracker", "ben")
    assert tracker.ask("GET", "/web/item?key=CL-9").status == 404
    assert tracker.ask("GET", "/web/item?key=NO-1").status == 403
    crm = visitor("crm", "ben")
    assert crm.ask("GET", "/web/list?entity=Nothing").status == 404
    assert crm.send("/web/save", {"entity": "User", "id": "", "lastName": "New", "userName": "new"}).status == 403
    assert crm.send("/web/save", {"entity": "Contact", "id": "", "firstName": "No name"}).status == 400
    again = {"entity": "Contact", "id": "", "firstName": "Mona", "lastName": "Kerr"}
    assert crm.send("/web/save", again).status == 409
    assert crm.send("/web/save", {**again, "skip_duplicate_check": "yes"}).status == 303
    files = visitor("files", "ben")
    assert files.ask("GET", "/web/?path=/Clients").status == 404, "another's home"
    assert files.send("/web/write", {"path": "/none", "name": "a", "text": ""}).status == 409
    assert files.send("/web/write", {"path": "/", "name": "a/b", "text": ""}).status == 400
    assert files.send("/web/folder", {"path": "/", "name": ".."}).status == 400


def test_an_edit_changes_what_was_edited_and_nothing_else() -> None:
    crm = visitor("crm")
    store = crm.office.store
    key = next(store.rows("crm.Contact"))[0]
    before = store.get("crm.Contact", key)
    page = crm.get(f"/web/edit?entity=Contact&id={key}")
    assert 'value="Mona"' in page and "mona@example.com" in page
    sent = {"entity": "Contact", "id": key, "shown": ["doNotCall", "teamsIds"], "firstName": "Mona", "title": "Dr"}
    assert crm.send("/web/save", {**sent, "doNotCall": "yes"}).status == 303
    after = store.get("crm.Contact", key)
    assert before is not None and after is not None
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"title", "doNotCall", "modifiedAt", "modifiedById"}
    assert crm.send("/web/save", {**sent, "title": ""}).status == 303
    last = store.get("crm.Contact", key)
    assert last is not None and last["doNotCall"] is False and last["title"] is None and last["firstName"] == "Mona"
    assert crm.send("/web/save", {"entity": "Contact", "id": key}).status == 303
    assert store.get("crm.Contact", key) == last, "an empty form changes nothing, not even the time"


def test_a_meeting_and_a_document_can_be_made() -> None:
    crm = visitor("crm")
    store = crm.office.store
    users = [key for key, _ in store.rows("crm.User")]
    contact = next(store.rows("crm.Contact"))[0]
    given = {
        "entity": "Meeting", "name": "Review", "dateStart": "2026-03-04 10:00:00", "dateEnd": "2026-03-04 11:00:00",
        "assignedUserId": users[0], "shown": ["usersIds", "contactsIds"], "usersIds": users, "contactsIds": [contact],
        "status": "Planned", "parentType": "", "parentId": "",
    }  # fmt: skip
    assert crm.send("/web/save", given).status == 303
    meeting = next(store.rows("crm.Meeting"))[1]
    assert (
        meeting["usersIds"] == users
        and meeting["contactsIds"] == [contact]
        and meeting["dateStart"][:10] == "2026-03-04"
    )


def test_a_refused_form_leaves_nothing_behind() -> None:
    crm = visitor("crm")
    before = crm.office.store.snapshot()
    refused = crm.send("/web/save", {"entity": "Account", "name": ""})
    assert refused.status == 400 and b"required" in refused.body, "an account without a name"
    assert crm.office.store.snapshot() == before


def test_colleagues_answer_on_the_pages() -> None:
    from teller_gym.scenarios.wealth.offices import open_frozen

    office: Any = open_frozen()
    told = office.credentials()["chat"]
    one = Visitor(office, "chat")
    assert one.sign_in(told["username"], told["password"]).status == 303
    other = next(key for key, _ in office.store.rows("chat.colleagues"))
    assert one.send("/web/post", {"to": f"@{other}", "text": "When are you free next week?"}).status == 303
    assert one.get(f"/web/room?to=@{other}").count('class="message"') >= 2


@pytest.mark.parametrize("service", SERVICES)
def test_methods_and_sizes(service: str) -> None:
    one = visitor(service)
    assert one.ask("PUT", "/web/").status == 405 and one.ask("GET", "/web/nothing").status == 404
    assert one.ask("GET", "/web/post").status in (404, 405)
    head = one.ask("HEAD", "/web/")
    assert head.status == 200 and head.body == b""
    assert one.ask("POST", "/web/post", b"x" * (MAX_BODY + 1), content_type=FORM).status == 413
    assert one.ask("POST", "/web/post", b"x", content_type="text/plain").status == 400
    assert one.ask("GET", "/web/?" + "a&" * 2000).status == 400


@pytest.mark.parametrize("service", SERVICES)
def test_equal_visits_give_equal_bytes(service: str) -> None:
    first, second = visitor(service), visitor(service)
    assert first.cookie == second.cookie and first.ask("GET", "/web/") == second.ask("GET", "/web/")
    assert first.office.store.state_hash() == second.office.store.state_hash()


def test_only_the_four_get_pages_and_refusals_keep_their_words() -> None:
    class Other:
        name = "other"

        def handle(self, *_: Any) -> Any:
            return json_response(200, {})

        def refusal(self, status: int, message: str) -> Any:
            return json_response(status, {"mine": message})

    office = open_office()
    other = Other()
    found = with_pages({**office.services, "other": other})
    assert found["other"] is other and list(found) == [*office.services, "other"]
    assert with_pages(found) == found, "once is enough"
    other.name = "chat"
    assert mounting.WithPages(other).refusal(413, "x").data() == {"mine": "x"}
    assert mounting.WithPages(office.services["chat"]).refusal(413, "x").data() == {"error": "x"}


SMALL = open_office()
START = SMALL.store.snapshot()
WORDS = st.sampled_from(
    [
        *("login", "room", "post", "save", "list", "record", "edit", "new", "file", "item", "state", "upload", "write"),
        *("search", "project", "create", "comment"),
    ]
)
VALUES = st.sampled_from(
    ["", "#general", "@ben", "Contact", "CL-1", "/Clients", "x", "é", "\ud800", "-1", "9" * 30, "<b>"]
)
NAMES = st.sampled_from(
    ["to", "text", "path", "entity", "id", "key", "state", "name", "next", "offset", "thread", "before"]
)


@settings(max_examples=80)
@given(
    st.sampled_from(SERVICES), st.sampled_from(["GET", "POST"]), WORDS,
    st.dictionaries(NAMES, VALUES, max_size=4), st.dictionaries(NAMES, VALUES, max_size=4),
)  # fmt: skip
def test_any_request_is_answered(
    service: str, method: str, path: str, query: dict[str, str], form: dict[str, str]
) -> None:
    office: SmallOffice = SMALL
    office.store.restore(START)
    token = sessions.sign_in(office.store, service, "ada", "password-of-ada")
    assert token is not None
    before = office.store.snapshot()
    sent = urlencode(form, errors="replace")
    headers = {"cookie": f"office_{service}={token}", "content-type": FORM}
    body = sent.encode() if method == "POST" else b""
    asked = Request(method, f"/web/{path}", urlencode(query, errors="replace"), headers, body)
    found = with_pages(office.services)[service].handle(office.store, asked)
    assert found.status in (200, 303, 400, 401, 403, 404, 405, 409), found
    if found.status >= 400 or method == "GET":
        assert office.store.snapshot() == before
