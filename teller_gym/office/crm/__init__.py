"""The office's CRM, likened to EspoCRM's REST API (version 1, as EspoCRM 9 documents it): a deterministic subset.

Domain functions take the store, a user name and plain data, and enforce every right and bound; an env calls them as
tools. `api.Crm` puts them behind HTTP requests.

=======================  =============================================================================================
`search.search`          records that a search asks for: where items, named filters, text filter, order, pages
`records.get`            one record; also `records.create`, `records.update`, `records.delete`
`links.list_related`     records that a link leads to; also `links.relate`, `links.unrelate`
`stream.read_stream`     notes in a record's stream
`posting.post_note`      post to a record's stream
`attendance.attendees`   who comes to a meeting, with answers; also `attendance.set_acceptance_status`
`attachments.upload`     files of documents; also `attachments.download`
`frontend`               the global search, the public settings, and the words for entities and fields
`seeding.tables`         the tables that an office begins with
=======================  =============================================================================================

**Covered.** Account, Contact, Lead, Opportunity, Case, Task, Meeting, Call, Email, Document (with Attachment), Note,
User and Team with EspoCRM's field names, options and lengths (`entities/*.yaml`), and custom fields and entities;
authentication by API key, HMAC, Basic and ``Espo-Authorization`` with tokens; roles at the levels all, team, own and
no; lists with all where types of EspoCRM's documentation; duplicates (409), validation (400), links, streams with the
notes Create, CreateRelated, Update, Assign, Relate, Unrelate and Post; ``App/user``, ``OpenApi``, ``GlobalSearch`` over
the usual entities and an office's own, ``Settings`` and ``I18n`` (these two before signing in as well), attendees and
``setAcceptanceStatus``. Statuses are EspoCRM's (200 for every success), and so are the reasons where it gives one.

**Otherwise than in EspoCRM.**

- ``not`` works in where items; EspoCRM refuses it from the API as a sub-query, as it does ``subQueryIn``.
- A value that cannot be compared with an attribute (a word with a number, ``isTrue`` on text) is refused with 400;
  there, the database decides. The name of somebody without a first name passes ``notContains`` and its like.
- The time zone is UTC; ``timeZone`` may say nothing else. There is one currency, without rates.
- Users follow from the office's people, and anybody's API key acts for them; EspoCRM has users of a kind of their own.
- A yes-or-no field refuses what is neither. A Contact's ``title`` is its own, not its role in the primary account.
- A meeting's ``isAllDay`` follows from ``dateStartDate``, whether or not it is given.
- Phone numbers are checked by EspoCRM's loose pattern, not by country. A filter by ``emailAddress`` or ``phoneNumber``
  looks at the primary one.
- Deleted records are gone for administrators, too.

**Left out.** Following, subscriptions, a user's own stream, a stream's ``after`` and ``filter``, reactions, pins,
mentions, notifications, internal notes, notes to users or teams, attachments of notes; campaigns, target lists,
knowledge base, pipelines, reminders, lead conversion, activities, calendar and busy ranges, invitations by e-mail;
sending of e-mails beyond their status, folders and read marks; mass actions, export, import, layouts, metadata,
formula, portals, locks, versions of records (``versionNumber``), field-level rights, assignment rights, creating and
deleting users, changing one's password, ``link.attribute`` through links to many, full-text indexes, ``inCategory``
and ``column*`` where types.
"""
