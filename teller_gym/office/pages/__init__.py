"""Plain pages for people and browser agents: each service's records as HTML below ``/web/``, without scripts.

    services = with_pages(office.services)

Pages list and show what the API would list and show to the same user, and their forms do what the API does, through
the same functions: same rights, same bounds, same tables. Users sign in at ``/web/login`` with the office's user name
and password, or, at the CRM and the tracker, with the API key instead of the password.

- `mounting.with_pages` puts the pages in front of the services; a browser that asks for ``/`` is redirected to them.
- `site` has what all pages share: routes, sign-in, refusals. `sessions` keeps track of who has signed in.
- `files`, `chat`, `crm` with `crm_forms`, and `tracker` have the pages; `templates` has their HTML.

A form is accepted only from the service's own origin, and browsers send the session's cookie with no form of another
site. All values in a page are escaped by the templates; a page loads nothing, runs nothing and cannot be framed. Equal
requests give equal bytes.
"""

from teller_gym.office.pages.mounting import with_pages

__all__ = ["with_pages"]
