"""The official Python client, plane-sdk, works with the tracker over real HTTP as with Plane."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker.api import Tracker
from tests.office.tracker.http_adapter import served
from tests.office.tracker.world import SLUG, id_of, store

plane = pytest.importorskip("plane", reason="needs plane-sdk: pip install plane-sdk")
work, query, projects = plane.models.work_items, plane.models.query_params, plane.models.projects
states, labels, cycles, modules = plane.models.states, plane.models.labels, plane.models.cycles, plane.models.modules


class Office:
    def __init__(self, address: str, target: Store) -> None:
        self.address = address
        self.store = target
        self.project = id_of(target, "projects", "WM")

    def client(self, user: str = "ada") -> Any:
        return plane.PlaneClient(base_url=self.address, api_key=f"key-{user}")


@pytest.fixture
def office() -> Iterator[Office]:
    target = store()
    with served(Tracker(), target) as address:
        yield Office(address, target)


def test_users_and_members(office: Office) -> None:
    client = office.client()
    assert client.users.get_me().email == "ada@example.org"
    assert [one.role for one in client.workspaces.get_members(SLUG)] == [20, 15, 5, 15]
    assert [one.display_name for one in client.projects.get_members(SLUG, office.project)] == ["ada", "ben", "gus"]


def test_projects(office: Office) -> None:
    client = office.client()
    assert [one.identifier for one in client.projects.list(SLUG).results] == ["OPEN", "WM"]
    made = client.projects.create(SLUG, projects.CreateProject(name="New", identifier="new", cycle_view=True))
    assert made.identifier == "NEW" and made.total_members == 1 and made.member_role == 20
    assert client.projects.update(SLUG, made.id, projects.UpdateProject(description="Of 2026")).description == "Of 2026"
    assert client.projects.retrieve(SLUG, made.id).name == "New"
    assert client.states.list(SLUG, made.id).results[0].name == "Backlog"


def test_closing_an_item_takes_two_steps(office: Office) -> None:
    client = office.client("ben")
    item = client.work_items.retrieve_by_identifier(SLUG, "WM", 1)
    assert item.completed_at is None and item.description_stripped == "Collect all figures"
    done = next(one for one in client.states.list(SLUG, office.project).results if one.group == "completed")
    after = client.work_items.update(SLUG, office.project, item.id, work.UpdateWorkItem(state=done.id))
    assert after.state == done.id and after.completed_at is not None
    last = client.work_items.activities.list(SLUG, office.project, item.id).results[-1]
    assert (last.field, last.old_value, last.new_value) == ("state", "In Progress", "Done")
    assert client.work_items.activities.retrieve(SLUG, office.project, item.id, last.id).actor == last.actor


def test_work_items(office: Office) -> None:
    client, project = office.client(), office.project
    sent = work.CreateWorkItem(
        name="Report", priority="low", external_id="7", external_source="crm", target_date="2026-03-09"
    )
    made = client.work_items.create(SLUG, project, sent)
    assert made.sequence_id == 5 and made.target_date == "2026-03-09"
    with pytest.raises(plane.errors.HttpError) as conflict:
        client.work_items.create(SLUG, project, sent)
    assert conflict.value.status_code == 409 and conflict.value.response["id"] == made.id
    page = client.work_items.list(SLUG, project, query.WorkItemQueryParams(per_page=2, order_by="sequence_id"))
    assert [one.sequence_id for one in page.results] == [1, 2] and page.next_page_results and page.total_count == 5
    rest = query.WorkItemQueryParams(per_page=2, order_by="sequence_id", cursor=page.next_cursor)
    assert [one.sequence_id for one in client.work_items.list(SLUG, project, rest).results] == [3, 4]
    wanted = query.WorkItemQueryParams(filters={"or": [{"priority": "low"}, {"state_group__in": ["completed"]}]})
    assert {one.sequence_id for one in client.work_items.list(SLUG, project, wanted).results} == {3, 5}
    first = id_of(office.store, "items", "Quarterly metrics")
    detail = client.work_items.retrieve(
        SLUG, project, first, query.RetrieveQueryParams(expand="assignees,labels,state,project")
    )
    assert detail.state.group == "started" and detail.assignees[0].display_name == "ben"
    assert detail.labels[0].name == "client" and detail.project["identifier"] == "WM"
    assert [one.name for one in client.work_items.search(SLUG, "report").issues] == ["Report"]
    client.work_items.delete(SLUG, project, made.id)
    with pytest.raises(plane.errors.HttpError) as gone:
        client.work_items.retrieve(SLUG, project, made.id)
    assert gone.value.status_code == 404 and gone.value.response == {"error": "The requested resource does not exist."}


def test_attachments(office: Office) -> None:
    client, project = office.client(), office.project
    item, files = id_of(office.store, "items", "Quarterly metrics"), client.work_items.attachments
    sent = files.upload_from_bytes(SLUG, project, item, b"a,b\n", 'fig"ures.csv', "text/csv")
    listed = files.list(SLUG, project, item)
    assert [(one.id, one.is_uploaded, one.size) for one in listed] == [(sent.id, True, 4)]
    assert listed[0].attributes["name"] == 'fig"ures.csv'
    with urllib.request.urlopen(files.get_download_url(SLUG, project, item, sent.id), timeout=60) as found:
        assert found.read() == b"a,b\n"
    files.delete(SLUG, project, item, sent.id)
    assert files.list(SLUG, project, item) == []


def test_the_advanced_search_and_the_features(office: Office) -> None:
    client, project = office.client(), office.project
    found = client.work_items.advanced_search(
        SLUG, work.AdvancedSearchWorkItem(query="metrics", filters={"state_group": "started"}, project_id=project)
    )
    assert [(one.name, one.project_identifier) for one in found] == [("Quarterly metrics", "WM")]
    assert client.projects.get_features(SLUG, project).epics is False
    assert client.projects.update_features(SLUG, project, projects.ProjectFeature(cycles=True)).cycles is True
    assert client.work_items.list_workspace(SLUG).total_count > 4
    assert [one.identifier for one in client.projects.list_lite(SLUG).results] == ["OPEN", "WM"]
    assert client.workspaces.get_members_lite(SLUG).total_count == 4


def test_comments_and_links(office: Office) -> None:
    client, project = office.client(), office.project
    item = id_of(office.store, "items", "Quarterly metrics")
    notes = client.work_items.comments
    made = notes.create(SLUG, project, item, work.CreateWorkItemComment(comment_html="<p>Done <i>today</i></p>"))
    assert [one.comment_stripped for one in notes.list(SLUG, project, item).results] == ["Done today", "Nearly there"]
    changed = notes.update(SLUG, project, item, made.id, work.UpdateWorkItemComment(comment_html="<p>Soon</p>"))
    assert changed.comment_html == "<p>Soon</p>" and notes.retrieve(SLUG, project, item, made.id).id == made.id
    notes.delete(SLUG, project, item, made.id)
    link = client.work_items.links.create(SLUG, project, item, work.CreateWorkItemLink(url="https://example.org/a?b=1"))
    assert [one.url for one in client.work_items.links.list(SLUG, project, item).results] == [link.url]
    client.work_items.links.delete(SLUG, project, item, link.id)
    assert len(notes.list(SLUG, project, item).results) == 1


def test_states_and_labels(office: Office) -> None:
    client, project = office.client(), office.project
    state = client.states.create(SLUG, project, states.CreateState(name="Review", color="#112233", group="started"))
    assert state.sequence == 70000 and client.states.retrieve(SLUG, project, state.id).name == "Review"
    assert client.states.update(SLUG, project, state.id, states.UpdateState(name="Check")).name == "Check"
    client.states.delete(SLUG, project, state.id)
    label = client.labels.create(SLUG, project, labels.CreateLabel(name="tax"))
    assert client.labels.update(SLUG, project, label.id, labels.UpdateLabel(color="#445566")).color == "#445566"
    assert [one.name for one in client.labels.list(SLUG, project).results] == ["tax", "urgent letter", "client"]
    client.labels.delete(SLUG, project, label.id)


def test_cycles_and_modules(office: Office) -> None:
    client, project = office.client(), office.project
    item = id_of(office.store, "items", "Old rumours")
    me = client.users.get_me().id
    cycle = client.cycles.create(
        SLUG,
        project,
        cycles.CreateCycle(
            name="April", start_date="2026-04-01", end_date="2026-04-30", owned_by=me, project_id=project
        ),
    )
    client.cycles.add_work_items(SLUG, project, cycle.id, [item])
    assert [one.id for one in client.cycles.list_work_items(SLUG, project, cycle.id).results] == [item]
    assert client.cycles.retrieve(SLUG, project, cycle.id).total_issues == 1
    assert client.cycles.update(SLUG, project, cycle.id, cycles.UpdateCycle(name="Spring")).name == "Spring"
    assert [one.name for one in client.cycles.list(SLUG, project, {"status": "current"})] == ["March"]
    client.cycles.remove_work_item(SLUG, project, cycle.id, item)
    client.cycles.delete(SLUG, project, cycle.id)
    module = client.modules.create(SLUG, project, modules.CreateModule(name="Audit", status="planned"))
    client.modules.add_work_items(SLUG, project, module.id, [item])
    assert [one.id for one in client.modules.list_work_items(SLUG, project, module.id).results] == [item]
    assert client.modules.update(SLUG, project, module.id, modules.UpdateModule(status="paused")).status == "paused"
    client.modules.remove_work_item(SLUG, project, module.id, item)
    client.modules.delete(SLUG, project, module.id)
    assert [one.name for one in client.modules.list(SLUG, project).results] == ["Reporting"]


def test_refusals(office: Office) -> None:
    refused = []
    for user, data in (
        ("nobody", work.CreateWorkItem(name="x")),
        ("gus", work.CreateWorkItem(name="x")),
        ("ada", work.CreateWorkItem(name="")),
    ):
        with pytest.raises(plane.errors.HttpError) as error:
            office.client(user).work_items.create(SLUG, office.project, data)
        refused.append((error.value.status_code, error.value.response))
    assert refused == [
        (403, {"detail": "Given API token is not valid"}),
        (403, {"detail": "You do not have permission to perform this action."}),
        (400, {"name": ["This field may not be blank."]}),
    ]
