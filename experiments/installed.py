"""What is installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ansatz.agents.models import providers
from ansatz.errors import AnsatzError
from ansatz.experiments import plugins
from ansatz.experiments.design import dimensions_of
from ansatz.experiments.plugins import PluginError
from ansatz.quantities.did_you_mean import nearest

_PLUGINS = ("interventions", "benchmarks", "scorers", "rankers")
KINDS = (*_PLUGINS, "models")


def catalogue(kind: str) -> list[dict[str, Any]]:
    """One row for each plug-in of a kind, or for each provider of models: its name, and what it does.

    A plug-in that cannot be used says so in its row, so that all others are listed. Raises PluginError.
    """
    if kind not in KINDS:
        raise PluginError(f"there is no list of {kind!r}{nearest(kind, KINDS)}")
    if kind == "models":
        return [{"name": name, "what it does": what} for name, what in providers().items()]
    return [dict(_row(kind, name)) for name in plugins.names(f"ansatz.{kind}")]


def _row(kind: str, name: str) -> Iterator[tuple[str, Any]]:
    yield "name", name
    further: tuple[str, ...] = ()
    try:
        plugin = plugins.factory_of(f"ansatz.{kind}", name)
        if kind == "interventions" and isinstance(plugin, type) and not hasattr(plugin, "apply"):
            raise PluginError(f"{plugin.__name__} has no apply")
        if kind == "scorers":
            further = tuple(each.name for each in dimensions_of(plugin()))
        yield "what it does", (plugin.__doc__ or "").strip().split("\n")[0]
    except Exception as failure:  # whatever a stranger's package may raise
        wrong = failure if isinstance(failure, AnsatzError) else f"{type(failure).__name__}: {failure}"
        yield "what it does", f"unusable: {wrong}"
    if kind == "scorers":
        yield "dimensions", further
