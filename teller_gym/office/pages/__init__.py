"""Plain web pages for people and browser agents: each service's records as HTML below ``/web/``, without scripts.

    services = with_pages(office.services)

Pages and forms use the same functions as the API: the same content, rights, limits and tables. Users sign in at
``/web/login`` with the office's user name and password or, in the CRM and the tracker, with the API key.

- `mounting.with_pages` adds pages to the services; a browser that asks for ``/`` is redirected to them.
- `site` has the common parts of all pages: routes, sign-in, errors. `sessions` stores the users' sessions.
- `files`, `chat`, `crm` with `crm_forms`, and `tracker` have the pages; `templates` has their HTML.

A form is accepted only from the service's own origin, and browsers do not send the session cookie with forms of other
sites. The templates escape all values; a page loads nothing, runs no script and cannot be framed. Equal requests give
equal bytes.
"""

from teller_gym.office.pages.mounting import with_pages

__all__ = ["with_pages"]
