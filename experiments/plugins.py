"""Turn names in a study into objects; the only place where names are looked up."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import is_dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from ansatz.knowledge_base.nearest import nearest


class PluginError(ValueError):
    """A plugin cannot be had as asked; the message says why, `setting` names the setting at fault."""

    def __init__(self, message: str, setting: str | None = None) -> None:
        super().__init__(message)
        self.setting = setting


def load(group: str, name: str, settings: Mapping[str, Any]) -> Any:
    """The plugin `name` of an entry-point group (such as "ansatz.interventions"), built with settings.

    Settings are checked against the plugin's annotations. Raises PluginError.
    """
    factory = find(group, name).load()
    accepted = list(inspect.signature(factory).parameters)
    hints = _annotations(factory)
    checked = {}
    for setting, value in settings.items():
        if setting not in accepted:
            raise PluginError(f"{name} has no setting {setting!r}{nearest(setting, accepted)}", setting)
        checked[setting] = _check(name, setting, value, hints.get(setting, Any))
    try:
        return factory(**checked)
    except (ValueError, LookupError, TypeError, OSError) as failure:
        raise PluginError(f"{name}: {failure}") from failure


def _annotations(factory: Any) -> dict[str, Any]:
    """Types of settings by name; those of a dataclass's fields are read where each was written."""
    if inspect.isclass(factory) and not is_dataclass(factory):
        return get_type_hints(factory.__init__)
    return get_type_hints(factory)


def find(group: str, name: str) -> EntryPoint:
    found = entry_points(group=group)
    if name not in found.names:
        kind = group.removeprefix("ansatz.").removesuffix("s")
        raise PluginError(f"there is no {kind} {name!r}{nearest(name, sorted(found.names))}")
    return found[name]


def names(group: str) -> list[str]:
    return sorted(entry_points(group=group).names)


def _check(name: str, setting: str, value: Any, hint: Any) -> Any:
    try:
        return TypeAdapter(hint).validate_python(value)
    except ValidationError as failure:
        raise PluginError(f"{name}: {setting}: {failure.errors()[0]['msg']}", setting) from None
