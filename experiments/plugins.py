"""Turn names in a study into objects; the only place where names are looked up."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import is_dataclass
from importlib.metadata import entry_points
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from ansatz.errors import AnsatzError
from ansatz.eval.benchmarks.validation import faulty_fields
from ansatz.quantities.did_you_mean import nearest


class PluginError(AnsatzError, ValueError):
    """A plugin cannot be had as asked; the message says why, `setting` names the setting at fault."""

    def __init__(self, message: str, setting: str | None = None) -> None:
        super().__init__(message)
        self.setting = setting


def load(group: str, name: str, settings: Mapping[str, Any]) -> Any:
    """The plugin `name` of an entry-point group (such as "ansatz.interventions"), built with settings.

    Settings are checked against the plugin's annotations. Raises PluginError.
    """
    factory = factory_of(group, name)
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


def factory_of(group: str, name: str) -> Any:
    """What builds the plugin: a class or a function. Raises PluginError, also where it cannot be imported."""
    found = [each for each in entry_points(group=group) if each.name == name]
    kind = group.removeprefix("ansatz.").removesuffix("s")
    if not found:
        raise PluginError(f"there is no {kind} {name!r}{nearest(name, names(group))}")
    sources = sorted({each.value for each in found})
    if len(sources) > 1:
        raise PluginError(f"several packages offer the {kind} {name!r}: {' and '.join(sources)}; remove one")
    try:
        return found[0].load()
    except (ImportError, AttributeError) as failure:
        raise PluginError(f"the {kind} {name!r} cannot be loaded from {sources[0]}: {failure}") from failure


def names(group: str) -> list[str]:
    return sorted({each.name for each in entry_points(group=group)})


def _check(name: str, setting: str, value: Any, hint: Any) -> Any:
    try:
        return TypeAdapter(hint).validate_python(value)
    except ValidationError as failure:
        fault = faulty_fields(failure, hint)[0]
        field = f"{setting}.{fault.field}".replace(".[", "[").removesuffix(".")
        raise PluginError(f"{name}: {field}: {fault.wrong}", setting) from None
