"""Plain pages for people and browser agents: each service's records as HTML below ``/web/``, without any script.

    services = with_pages(office.services)

A page lists and shows what the API would list and show to the same user, and its forms do what the API does, through
the same functions: same rights, same bounds, same tables. One signs in at ``/web/login`` with the office's user name
and password, or, at the CRM and the tracker, with the API key in the place of the password.

- `mounting.with_pages` puts the pages before the services; a browser that asks for ``/`` is led to them.
- `site` has what all pages share: routes, sign-in, refusals. `sessions` keeps who has signed in.
- `files`, `chat`, `crm` with `crm_forms`, and `tracker` have the pages; `templates` has their HTML.

A form is taken only with the token of its session and from the service's own origin. A page holds what the templates
escape and nothing else: it loads nothing, runs nothing and cannot be framed. Equal requests give equal bytes.
"""

from teller_gym.office.pages.mounting import with_pages

__all__ = ["with_pages"]
