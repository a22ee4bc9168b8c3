"""Office CRM: a deterministic subset of EspoCRM's REST API (version 1, as documented for EspoCRM 9).

Domain functions take the store, a user name and plain data, and enforce all rights and limits. An env calls them as
tools, and `api.Crm` serves them over HTTP. They raise `errors.CrmError`: 400 for a value or search that fails a check,
401 for an unknown user, 403 without access, 404 for a missing entity, record or link, 409 for a possible duplicate.

=======================  =============================================================================================
`search.search`          records that match where items and a text, sorted and in pages
`records.get`            one record; also `create`, `update`, `delete`, and `post_note` for a record's stream
`links.list_related`     records that a link points to
`stream.read_stream`     notes in a record's stream
`seeding.tables`         the initial tables of an office
=======================  =============================================================================================

**Supported.** Account, Contact, Lead, Opportunity, Case, Task, Meeting, Call, Email, Document, Note,
User and Team with EspoCRM's field names, options and lengths (`entities/*.yaml`), and custom fields and entities;
authentication by API key or by Basic with a password; lists with the where types that compare one attribute; duplicates
(409), validation (400), related records, streams with the notes Create, CreateRelated, Update, Assign and Post;
``App/user``. Status codes are EspoCRM's (200 for every success), and so are the reasons where EspoCRM gives one.

**Different from EspoCRM.**

- A value that cannot be compared with an attribute (a word with a number, ``isTrue`` on text) is an error (400);
  EspoCRM leaves it to the database. The name of a person without a first name passes ``notContains`` and similar types.
- The time zone is UTC. Amounts have no currency.
- Users are created from the office's people, and an API key acts for one of them; EspoCRM has special users for keys.
  There are no roles: users may do everything but change people, teams and other users' notes and files.
- A yes-or-no field rejects other values. A Contact's ``title`` is its own, not its role in the primary account.
- A meeting's ``isAllDay`` follows from ``dateStartDate``, even if ``isAllDay`` is given.
- A record has one e-mail address and one phone number, checked by EspoCRM's loose pattern and not by country.
- Deleted records are gone for administrators, too.

**Not supported.** Roles and team rights, signatures (HMAC) and tokens, named filters, ``select``, where types for dates
and links and groups of where items, relating and unrelating (set ``usersIds`` and such instead), attendees' answers,
values that EspoCRM computes for leads, opportunities and e-mails, settings and labels, the API description, document
files (so that a Document, which needs one, cannot be created), and everything beyond records and their streams.
"""
