"""An issue tracker likened to Plane: the public API of its community edition, as of May 2026, and what plane-sdk needs.

**Served** below ``/api/v1/`` with the header ``X-Api-Key``: ``users/me/``; ``workspaces/{slug}/members/``; projects
(list, get, create, update) and their members (list), states, labels, cycles with ``cycle-issues/``, modules with
``module-issues/``, and work items (``work-items/``, or by the old name ``issues/``) with comments, links and
activities, and attachments; ``work-items/`` of all projects, ``work-items/search/``, ``work-items/advanced-search/``
and ``work-items/{IDENTIFIER}-{number}/``; project features, archived work items and the lists whose names end in
``-lite``. A file is announced, uploaded to a signed address below ``/uploads/``, and confirmed. Lists are paged with
cursors; they take ``fields`` and ``expand``, those of work items ``order_by``, ``external_id`` with
``external_source``, and ``filters``, the JSON of Plane's own app and of plane-sdk. An office has one workspace.

**Like Plane**, and surprising: a wrong key is answered with 403, a missing one with 401; a project that does not exist
with 403, for nobody is a member of it; a path without its last slash with 301; unknown parameters and fields are passed
over; assignees who cannot be given items and labels of other projects are left out of an item without a word; creating
a state, and putting items into a cycle or module, is answered with 200; deleting an item deletes the items below it.
Every path outside of ``/api/`` and ``/auth/`` is the web app: a page of HTML, with 200.

**Unlike Plane**: HTML is kept as it was sent, up to 100,000 characters, and ``description_stripped`` and
``comment_stripped`` are sent too; dates are compared with those that an item has already, not only with those that are
sent; an item cannot be put below itself; each change of a description is an activity of its own, and a comment or link
does not touch its item; lists of labels and members need a role in the project itself, and say the members' roles;
``per_page=0`` and an unknown ``order_by`` are answered with 400 where Plane fails with 500; an update without
``owned_by`` keeps a cycle's owner; ``created_at``, ``created_by``, ``sequence_id`` and ``completed_at`` are the
tracker's own and passed over where they are sent; below an item that does not exist there is 404, not an empty list;
a file cannot be confirmed before its bytes are uploaded, and all files together have at most 64 MiB; ``-lite`` lists
have whole records.

**Left out**: deleting and archiving projects; archiving cycles and modules, and transfer between cycles; adding and
changing members; relations, intake, estimates, types of work items, pages, stickies, webhooks and
everything of paid plans (PQL, work logs); bodies other than JSON; time zones other than UTC; icons,
covers and rich text as JSON; the cloud's ``/api/v2/``.

The functions that an env calls as tools are `projects.list_projects`, `members.list_project_members`,
`states.list_states`, `item_list.list_items`, `items.get_item`, `items.create_item`, `items.update_item`,
`comments.comment` and `search.search`; all take the store and a user name, return what the API sends, and raise
`errors.TrackerError`. `api.Tracker` is the service, and `seeding.tables` makes its tables from a
`description.Workspace`.
"""
