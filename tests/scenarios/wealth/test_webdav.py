"""WebDAV locks and dead properties: they are no records, and do not affect a verdict."""

from base64 import b64encode
from urllib.parse import quote

import pytest

from teller_gym.office.files.dead import PROPERTIES
from teller_gym.office.files.locks import LOCKS
from teller_gym.office.web import Request
from teller_gym.office_tasks.verdict import is_touched
from teller_gym.scenarios.wealth.prompts import request_of
from teller_gym.scenarios.wealth.served import ServedOffice
from teller_gym.scenarios.wealth.works import cases
from tests.office.files.office import lockinfo, proppatch
from tests.scenarios.wealth.desks import FROZEN, NAMES, desk_of, judged, work


@pytest.mark.parametrize("name", NAMES)
def test_locks_and_properties_do_no_harm(name: str) -> None:
    case, desk = cases(FROZEN)[name], desk_of(FROZEN)
    served = ServedOffice(case.world, desk.store)
    signed = served.credentials()["files"]
    pair = b64encode(f"{signed['username']}:{signed['password']}".encode()).decode()
    for path in ("", quote(case.client.folder[1:]) + "/"):
        for method, body, status in (("PROPPATCH", proppatch("set <note>mine</note>"), 207), ("LOCK", lockinfo(), 200)):
            request = Request(method, signed["root"] + path, "", {"authorization": f"Basic {pair}", "depth": "0"}, body)
            assert served.services["files"].handle(desk.store, request).status == status
    assert {change.table for change in desk.store.diff()} == {LOCKS, PROPERTIES}
    assert not is_touched(desk.store) and judged(desk, case).collateral == ()
    work(desk, case.work.expert(request_of(case, "high"), case.rules))
    assert judged(desk, case).success
    assert {LOCKS, PROPERTIES} < {change.table for change in desk.store.diff()}
