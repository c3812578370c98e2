"""What is installed. Our modules are read, not imported: they bring libraries that a list does not need."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import ansatz
from ansatz.errors import AnsatzError
from ansatz.experiments.design import plugins
from ansatz.experiments.design.plugins import PluginError
from ansatz.quantities.did_you_mean import nearest
from ansatz.settings import API_KEYS

_PLUGINS = ("interventions", "benchmarks", "scorers", "rankers")
KINDS = (*_PLUGINS, "models")


def overview() -> list[dict[str, Any]]:
    """One row for everything there is to name in a study: its kind, its name, and what it does.

    A plug-in of another package that cannot be used says so in its row, so that all others are listed.
    """
    found = {kind: {name: _what(kind, name) for name in plugins.names(f"ansatz.{kind}")} for kind in _PLUGINS}
    found["models"] = _providers()
    return [
        {"kind": kind, "name": name, "what it does": what}
        for kind, rows in found.items()
        for name, what in rows.items()
    ]


def catalogue(kind: str) -> list[dict[str, Any]]:
    """The rows of one kind; those of scorers with the dimensions that they report. Raises PluginError."""
    if kind not in KINDS:
        raise PluginError(f"there is no list of {kind!r}{nearest(kind, KINDS)}")
    rows = [{key: row[key] for key in ("name", "what it does")} for row in overview() if row["kind"] == kind]
    if kind == "scorers":
        rows = [row | {"dimensions": _dimensions(row["name"])} for row in rows]
    return rows


def _what(kind: str, name: str) -> str:
    """The first line that a plug-in says of itself."""
    try:
        [module, _, attribute] = plugins.entry(f"ansatz.{kind}", name).value.partition(":")
        said = _docstring(module, attribute) if module.startswith("ansatz.") else _checked(kind, name)
    except Exception as failure:  # whatever a stranger's package may raise
        wrong = failure if isinstance(failure, AnsatzError) else f"{type(failure).__name__}: {failure}"
        return f"unusable: {wrong}"
    return said.strip().split("\n")[0]


def _checked(kind: str, name: str) -> str:
    """Of a plug-in of another package, once it is known to be usable."""
    from ansatz.experiments.design.scorers import dimensions_of

    plugin = plugins.factory_of(f"ansatz.{kind}", name)
    if kind == "interventions" and isinstance(plugin, type) and not hasattr(plugin, "apply"):
        raise PluginError(f"{plugin.__name__} has no apply")
    if kind == "scorers":
        dimensions_of(plugin())
    return plugin.__doc__ or ""


def _docstring(module: str, name: str) -> str:
    """Of a class or function of ours, from the source of the module that defines it."""
    for node in _parsed(Path(*module.split(".")[1:])).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or ""
        if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
            return _docstring(str(node.module), name)
    raise PluginError(f"{module} has no {name}")


def _parsed(place: Path) -> ast.Module:
    files = [Path(root, place, "__init__.py") for root in ansatz.__path__]
    files += [Path(root, place).with_suffix(".py") for root in ansatz.__path__]
    return ast.parse(next(file for file in files if file.is_file()).read_text(encoding="utf-8"))


def _dimensions(name: str) -> tuple[str, ...]:
    from ansatz.experiments.design.scorers import dimensions_of

    try:
        return tuple(each.name for each in dimensions_of(plugins.factory_of("ansatz.scorers", name)()))
    except Exception:  # its row says why
        return ()


def _providers() -> dict[str, str]:
    """Whose models can be asked, and what that takes."""
    keyed = {
        f"{provider}:MODEL": f"a key in {key}, or settings.base_url of a local server"
        for provider, key in API_KEYS.items()
    }
    return {
        "offline:slide-rule": "simulated: a rule-based solver, no language model",
        **keyed,
        "PROVIDER:MODEL": "any other of LangChain's init_chat_model whose package is installed",
    }
