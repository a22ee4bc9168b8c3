"""Protocol of an office that can be served."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from typing import Any, Protocol

from teller_gym.base.errors import OptionError
from teller_gym.base.text import shown
from teller_gym.office.store import Store
from teller_gym.office.web import Service


class Office(Protocol):
    """An office that can be served."""

    @property
    def store(self) -> Store:
        """Store shared by all services."""

    @property
    def services(self) -> Mapping[str, Service]:
        """Services by name."""

    def credentials(self) -> Any:
        """Return the clients' credentials as JSON values, for printing."""


def load_office(name: str) -> Office:
    """Return the office created by a function, given by name as ``module:function``.

    Raises:
        OptionError: there is no such function, or it does not return an office.
    """
    if not re.fullmatch(r"\w+(\.\w+)*:\w+", name):
        raise OptionError(f"office: expected module:function, such as my.module:open_office, got {shown(name)}")
    module, _, function = name.partition(":")
    try:
        opening = getattr(importlib.import_module(module), function)
    except ModuleNotFoundError as error:
        raise OptionError(f"office: {name}: {error}; is its folder on PYTHONPATH?") from None
    except AttributeError:
        raise OptionError(f"office: there is no {function} in {module}") from None
    if not callable(opening):
        raise OptionError(f"office: expected a function, got {name}, a {type(opening).__name__}")
    office = opening()
    store, services = getattr(office, "store", None), getattr(office, "services", None)
    if not isinstance(store, Store) or not isinstance(services, Mapping) or not services:
        raise OptionError(
            f"office: expected {name} to return an object with a store, services by name and credentials(), "
            f"got {shown(office)}"
        )
    found: Office = office
    return found
