"""People in the office, and their passwords and keys."""

from __future__ import annotations

from typing import Final

from teller_gym.office.store import Record, Store

PEOPLE: Final = "people"
"""Table of people by user name: ``username``, ``name``, ``email``, ``title``, ``password``, ``admin`` (bool)."""

KEYS: Final = "keys"
"""Table of keys and tokens by ``service:key``: ``username``, ``expired`` (bool). Services may add tokens on login."""


def person(store: Store, username: str) -> Record | None:
    """Return the person with a user name, or None if there is no such person."""
    return store.get(PEOPLE, username)


def with_password(store: Store, username: str, password: str) -> Record | None:
    """Return the person with a user name (or e-mail address) and a password, or None if either is empty or wrong."""
    if not username or not password:
        return None
    found = store.get(PEOPLE, username)
    if found is None:
        found = next((one for _, one in store.rows(PEOPLE) if one["email"] == username), None)
    return found if found is not None and found["password"] == password else None


def with_key(store: Store, service: str, key: str) -> Record | None:
    """Return the person to whom a service issued a key, or None if the key is unknown or has expired."""
    found = store.get(KEYS, f"{service}:{key}")
    return None if found is None or found["expired"] else store.get(PEOPLE, found["username"])
