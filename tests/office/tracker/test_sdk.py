"""The official Python client, plane-sdk, does office work at a served tracker."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from examples.small_office import TRACKER_KEY, open_office
from teller_gym.office.serving import Serving

plane = pytest.importorskip("plane", reason="needs plane-sdk: pip install plane-sdk")
work, query = plane.models.work_items, plane.models.query_params
SLUG = "office"


@pytest.fixture
def client() -> Iterator[Any]:
    with Serving(open_office()) as serving:
        yield plane.PlaneClient(base_url=serving.addresses["tracker"], api_key=TRACKER_KEY)


def test_people_projects_and_closing_an_item(client: Any) -> None:
    assert client.users.get_me().email == "ada@bank.example"
    assert [one.display_name for one in client.workspaces.get_members(SLUG)] == ["ada", "ben"]
    (project,) = client.projects.list(SLUG).results
    assert client.projects.retrieve(SLUG, project.id).identifier == "CL"
    assert [one.role for one in client.projects.get_members(SLUG, project.id)] == [15, 15]
    item = client.work_items.retrieve_by_identifier(SLUG, "CL", 1)
    assert item.completed_at is None
    done = next(one for one in client.states.list(SLUG, project.id).results if one.group == "completed")
    after = client.work_items.update(SLUG, project.id, item.id, work.UpdateWorkItem(state=done.id))
    assert after.state == done.id and after.completed_at is not None
    last = client.work_items.activities.list(SLUG, project.id, item.id).results[-1]
    assert (last.field, last.old_value, last.new_value) == ("state", "Todo", "Done")


def test_items_comments_and_files(client: Any) -> None:
    project = client.projects.list(SLUG).results[0].id
    made = client.work_items.create(
        SLUG, project, work.CreateWorkItem(name="Report", priority="low", target_date="2026-03-09")
    )
    assert made.sequence_id == 2 and made.target_date == "2026-03-09"
    page = client.work_items.list(SLUG, project, query.WorkItemQueryParams(per_page=1, order_by="sequence_id"))
    assert [one.sequence_id for one in page.results] == [1] and page.next_page_results and page.total_count == 2
    rest = query.WorkItemQueryParams(per_page=1, order_by="sequence_id", cursor=page.next_cursor)
    assert [one.id for one in client.work_items.list(SLUG, project, rest).results] == [made.id]
    first = page.results[0].id
    wanted = query.RetrieveQueryParams(expand="assignees,state,project")
    detail = client.work_items.retrieve(SLUG, project, first, wanted)
    assert detail.state.group == "unstarted" and detail.assignees[0].display_name == "ada"
    assert detail.project["identifier"] == "CL"
    assert [one.name for one in client.work_items.search(SLUG, "report").issues] == ["Report"]
    notes = client.work_items.comments
    notes.create(SLUG, project, first, work.CreateWorkItemComment(comment_html="<p>Done <i>today</i></p>"))
    assert [one.comment_stripped for one in notes.list(SLUG, project, first).results] == ["Done today"]
    files = client.work_items.attachments
    sent = files.upload_from_bytes(SLUG, project, first, b"a,b\n", 'fig"ures.csv', "text/csv")
    listed = files.list(SLUG, project, first)
    assert [(one.id, one.is_uploaded, one.attributes["name"]) for one in listed] == [(sent.id, True, 'fig"ures.csv')]
    with urllib.request.urlopen(files.get_download_url(SLUG, project, first, sent.id), timeout=60) as found:
        assert found.read() == b"a,b\n"
    with pytest.raises(plane.errors.HttpError) as error:
        client.work_items.create(SLUG, project, work.CreateWorkItem(name=""))
    assert (error.value.status_code, error.value.response) == (400, {"name": ["This field may not be blank."]})
