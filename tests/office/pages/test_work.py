"""Work done on the web pages is graded like any other: a closed item with its file, and a direct message."""

import re
from typing import Any

from teller_gym.office.desk.desk import Desk
from teller_gym.office.files.reading import read_file
from teller_gym.office_tasks.contract import load_office
from teller_gym.scenarios.wealth.contract import Look
from teller_gym.scenarios.wealth.prompts import request_of
from teller_gym.scenarios.wealth.sent import said
from teller_gym.scenarios.wealth.works import cases
from tests.office.pages.world import Visitor
from tests.scenarios.wealth.desks import FROZEN, desk_of, work

WEALTH: Any = load_office("teller_gym.scenarios.wealth.offices")


def _done(name: str) -> Desk:
    """Return the expert's desk after the work."""
    case, desk = cases(FROZEN)[name], desk_of(FROZEN)
    work(desk, case.work.expert(request_of(case, "high"), case.rules))
    return desk


def _visitor(office: Any, service: str) -> Visitor:
    one, told = Visitor(office, service), office.credentials()["files"]
    assert one.sign_in(told["username"], told["password"]).status == 303
    return one


def test_an_item_is_closed_and_a_file_delivered() -> None:
    case, expert, task = cases(FROZEN)["metrics"], _done("metrics"), WEALTH.find("wealth-metrics-high")
    office = WEALTH.served(task)
    files, tracker = _visitor(office, "files"), _visitor(office, "tracker")
    for name in case.work.deliverables:
        text = read_file(expert.store, expert.user, f"{case.client.folder}/{name}").decode()
        assert files.send("/web/write", {"path": case.client.folder, "name": name, "text": text}).status == 303
    closed = [change for change in expert.store.diff() if change.table == "tracker.items"]
    assert len(closed) == 1 and closed[0].after is not None
    project = tracker.get(f"/web/project?id={closed[0].after['project']}")
    keys = dict(re.findall(r'<a href="[^"]*">([A-Z]+-\d+)</a></td><td>([^<]+)<', project))
    key = next(key for key, name in keys.items() if name == closed[0].after["name"])
    done = re.search(r'<option value="([^"]+)">Done', tracker.get(f"/web/item?key={key}"))
    assert done is not None
    before = WEALTH.judge(task, Desk(office.store, expert.user))
    assert not before.success and any(one.checkpoint == "item_closed" and not one.passed for one in before.findings)
    assert tracker.send("/web/state", {"key": key, "state": done[1]}).status == 303
    assert WEALTH.judge(task, Desk(office.store, expert.user)).success


def test_a_verdict_is_sent_to_the_adviser() -> None:
    expert, task = _done("emergency_fund"), WEALTH.find("wealth-emergency_fund-low")
    office = WEALTH.served(task)
    chat = _visitor(office, "chat")
    (message,) = said(Look(expert.store, cases(FROZEN)["emergency_fund"]))
    assert chat.send("/web/post", {"to": f"@{message.to[0]}", "text": message.text}).status == 303
    assert WEALTH.judge(task, Desk(office.store, expert.user)).success
    assert chat.send("/web/post", {"to": "#general", "text": message.text}).status == 303
    assert not WEALTH.judge(task, Desk(office.store, expert.user)).success
