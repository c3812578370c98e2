"""What is installed."""

from __future__ import annotations

from typing import Any

from ansatz.experiments import plugins
from ansatz.experiments.plugins import PluginError
from ansatz.quantities.did_you_mean import nearest

_FURTHER = {"interventions": "", "benchmarks": "", "scorers": "dimensions", "rankers": ""}
"""What there is to list, and what else is told of each beside its name and what it does."""


def catalogue(kind: str) -> list[dict[str, Any]]:
    """One row per plugin of a kind: its name, what it does, and what it reports."""
    if kind not in _FURTHER:
        raise PluginError(f"there is no list of {kind!r}{nearest(kind, _FURTHER)}")
    return [_row(kind, name) for name in plugins.names(f"ansatz.{kind}")]


def _row(kind: str, name: str) -> dict[str, Any]:
    """A plugin that cannot be loaded is told in its row, so that all others are listed."""
    further: tuple[str, ...] = ()
    try:
        plugin = plugins.factory_of(f"ansatz.{kind}", name)
        told = (plugin.__doc__ or "").strip().split("\n")[0]
        if kind == "scorers":
            further = tuple(each.name for each in plugin().dimensions)
    except (PluginError, AttributeError, TypeError, ValueError) as failure:
        told = f"unusable: {failure}"
    return {"name": name, "what it does": told, **({_FURTHER[kind]: further} if _FURTHER[kind] else {})}
