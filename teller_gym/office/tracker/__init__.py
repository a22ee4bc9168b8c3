"""Issue tracker modelled on the API of Plane's community edition (May 2026), as far as office work needs it.

**Supported** below ``/api/v1/`` with the header ``X-Api-Key``: ``users/me/``; ``workspaces/{slug}/members/``; projects
(list, get) and their members and states (list); work items (``work-items/``, or by the old name ``issues/``: list, get,
create, update) and ``work-items/{IDENTIFIER}-{number}/``; comments on work items (list, create) and their activities
(list). Lists are paged with cursors. An office has one workspace.

**Like Plane**, and surprising: a wrong key is answered with 403, a missing one with 401; a project that does not
exist with 403, since nobody is a member of it; a path without its last slash with 301; unknown parameters and fields
are ignored; assignees who are not members of the project are silently left out. Every path outside
``/api/`` and ``/auth/`` is the web app: an HTML page, with 200.

**Unlike Plane**: HTML is stored as it was sent, up to 100,000 characters, and ``description_stripped`` and
``comment_stripped`` are sent too; dates are compared with the item's stored dates, not only with each other; each
change of a description is an activity, and a comment does not change its item; ``per_page=0`` is answered with 400
where Plane fails with 500; comments and activities of a missing item are answered with 404, not with an empty list.

**Not supported**: everything else, such as ``fields``, ``expand`` and ``order_by``, search, files, creating and
changing projects, states, labels, cycles and modules, deleting anything, links, parents, filters and Plane's paid
plans. Every member of a project may read and write its items.

The functions that an env calls as tools are in `projects`, `items` and `comments`; all take the store and a user name,
return what the API sends, and raise `errors.TrackerError`: 403 for a user who is not in the tracker or not a
member of the project (or if there is no such project), 404 for another missing record, 400 for an invalid field.
`api.Tracker` is the service, and `seeding.tables` creates its tables from a `seeding.Workspace`.
"""
