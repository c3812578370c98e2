"""Turn names in a study into objects; the only place where names are looked up."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ansatz.knowledge_base.nearest import nearest


class UnknownName(LookupError):
    """No such plugin or setting; the message names the nearest valid one."""


def load(group: str, name: str, settings: Mapping[str, Any]) -> Any:
    """The plugin `name` of an entry-point group (such as "ansatz.interventions"), built with settings."""
    factory = find(group, name).load()
    accepted = list(inspect.signature(factory).parameters)
    for setting in settings:
        if setting not in accepted:
            raise UnknownName(f"{name} has no setting {setting!r}{nearest(setting, accepted)}")
    return factory(**settings)


def find(group: str, name: str) -> EntryPoint:
    found = entry_points(group=group)
    if name not in found.names:
        kind = group.removeprefix("ansatz.").removesuffix("s")
        raise UnknownName(f"there is no {kind} {name!r}{nearest(name, sorted(found.names))}")
    return found[name]


def names(group: str) -> list[str]:
    return sorted(entry_points(group=group).names)
