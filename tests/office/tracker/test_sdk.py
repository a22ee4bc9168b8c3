"""The official Python client, plane-sdk, works with a served tracker."""

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


def test_people_projects_comments_and_closing_an_item(client: Any) -> None:
    assert client.users.get_me().email == "ada@bank.example"
    (project,) = client.projects.list(SLUG).results
    assert [one.role for one in client.projects.get_members(SLUG, project.id)] == [15, 15]
    item = client.work_items.retrieve_by_identifier(SLUG, "CL", 1)
    assert item.completed_at is None
    notes = client.work_items.comments
    notes.create(SLUG, project.id, item.id, work.CreateWorkItemComment(comment_html="<p>Done <i>today</i></p>"))
    assert [one.comment_stripped for one in notes.list(SLUG, project.id, item.id).results] == ["Done today"]
    done = next(one for one in client.states.list(SLUG, project.id).results if one.group == "completed")
    after = client.work_items.update(SLUG, project.id, item.id, work.UpdateWorkItem(state=done.id))
    assert after.state == done.id and after.completed_at is not None
    last = client.work_items.activities.list(SLUG, project.id, item.id).results[-1]
    assert (last.field, last.old_value, last.new_value) == ("state", "Todo", "Done")


def test_items_and_pages(client: Any) -> None:
    project = client.projects.list(SLUG).results[0].id
    made = client.work_items.create(
        SLUG, project, work.CreateWorkItem(name="Report", priority="low", target_date="2026-03-09")
    )
    assert made.sequence_id == 2 and made.target_date == "2026-03-09"
    page = client.work_items.list(SLUG, project, query.WorkItemQueryParams(per_page=1))
    assert [one.id for one in page.results] == [made.id] and page.next_page_results and page.total_count == 2
    rest = query.WorkItemQueryParams(per_page=1, cursor=page.next_cursor)
    assert [one.sequence_id for one in client.work_items.list(SLUG, project, rest).results] == [1]
    with pytest.raises(plane.errors.HttpError) as error:
        client.work_items.create(SLUG, project, work.CreateWorkItem(name=""))
    assert (error.value.status_code, error.value.response) == (400, {"name": ["This field may not be blank."]})
