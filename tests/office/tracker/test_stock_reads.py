"""Requests of plane-sdk besides records: advanced search, features, lists across projects and short lists."""

from __future__ import annotations

import json

from tests.office.tracker.world import ask, id_of, store


def test_the_advanced_search_takes_a_text_and_conditions() -> None:
    office = store()
    project, where = id_of(office, "projects", "WM"), "work-items/advanced-search/"
    found = ask(office, "POST", where, {"query": "metrics"}).data()
    assert [one["name"] for one in found] == ["Quarterly metrics"]
    assert found[0]["project_identifier"] == "WM" and found[0]["state_id"] and "workspace_id" in found[0]
    ask(office, "PATCH", f"projects/{project}/work-items/{found[0]['id']}/", {"priority": "urgent"})
    urgent = {"filters": {"and": [{"priority": "urgent"}]}}
    assert found[0]["id"] in [one["id"] for one in ask(office, "POST", where, urgent).data()]
    both = ask(office, "POST", where, {**urgent, "query": "metrics"}).data()
    assert [one["id"] for one in both] == [found[0]["id"]]
    assert ask(office, "POST", where, {**urgent, "query": "tea"}).data() == []
    assert ask(office, "POST", where, {}).data() == []
    all_of = {"filters": {"priority__in": ["urgent", "none", "low", "medium", "high"]}}
    everywhere = ask(office, "POST", where, {**all_of, "project_id": project, "workspace_search": True}).data()
    inside = ask(office, "POST", where, {**all_of, "project_id": project}).data()
    assert {one["project_identifier"] for one in everywhere} == {"WM", "OPEN"}
    assert {one["project_identifier"] for one in inside} == {"WM"} and len(inside) < len(everywhere)
    assert len(ask(office, "POST", where, {**all_of, "limit": 1}).data()) == 1
    assert "Tea" not in [one["name"] for one in ask(office, "POST", where, all_of, user="ben").data()], "not a member"
    for wrong in ({"limit": 0}, {"project_id": "x"}, {"filters": {"colour": "red"}}, {"filters": "x"}):
        assert ask(office, "POST", where, {"query": "a", **wrong}).status == 400
    assert ask(office, "GET", where).status == 405 and ask(office, "POST", "issues/advanced-search/", {}).status == 200


def test_features() -> None:
    office = store()
    project = id_of(office, "projects", "WM")
    where = f"projects/{project}/features/"
    before = ask(office, "GET", where).data()
    assert before["pages"] is True and before["epics"] is False
    after = ask(office, "PATCH", where, {"cycles": not before["cycles"]}).data()
    assert after == {**before, "cycles": not before["cycles"]}
    assert ask(office, "GET", f"projects/{project}/").data()["cycle_view"] is after["cycles"]
    assert ask(office, "PATCH", where, {"epics": False}).status == 200
    assert "paid" in ask(office, "PATCH", where, {"epics": True}).data()["error"]
    assert ask(office, "PATCH", where, {"cycles": "x"}).status == 400
    assert ask(office, "PATCH", where, {"cycles": True}, user="gus").status == 403


def test_lists_across_projects_and_short_lists() -> None:
    office = store()
    project = id_of(office, "projects", "WM")
    items = ask(office, "GET", "work-items/", query="order_by=name&per_page=2").data()
    assert items["total_count"] > 2 and len(items["results"]) == 2
    names = [one["name"] for one in ask(office, "GET", "work-items/").data()["results"]]
    assert "Tea" in names and "Tea" not in [
        one["name"] for one in ask(office, "GET", "work-items/", user="ben").data()["results"]
    ]
    urgent = ask(office, "GET", "work-items/", query="filters=" + json.dumps({"priority": "urgent"})).data()
    assert urgent["total_count"] <= items["total_count"]
    for short, whole in (
        ("projects-lite", "projects"),
        (f"projects/{project}/cycles-lite", f"projects/{project}/cycles"),
    ):
        assert ask(office, "GET", f"{short}/").data() == ask(office, "GET", f"{whole}/").data()
    members = ask(office, "GET", f"projects/{project}/project-members-lite/").data()
    assert members["total_count"] == 3 and ask(office, "GET", "members-lite/").data()["total_count"] == 4
    item = id_of(office, "items", "Quarterly metrics")
    ask(office, "PATCH", f"projects/{project}/work-items/{item}/", {"archived_at": "2026-03-02"})
    archived = ask(office, "GET", f"projects/{project}/archived-work-items/").data()
    assert [one["id"] for one in archived["results"]] == [item]
