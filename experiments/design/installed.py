"""What is installed. Our modules are read, not imported: they bring libraries that a list does not need."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import ansatz
from ansatz.errors import AnsatzError, PluginError
from ansatz.experiments.design import plugins
from ansatz.quantities.did_you_mean import nearest
from ansatz.settings import API_KEYS

KINDS = ("interventions", "benchmarks", "scorers", "rankers", "models")
_MODELS = {
    "offline:slide-rule": "simulated: a rule-based solver, no language model",
    **{
        f"{each}:MODEL": f"a key in {key}, or settings.base_url of a local server"
        for each, key in API_KEYS.items()
    },
    "PROVIDER:MODEL": "any other of LangChain's init_chat_model whose package is installed",
}
"""Whose models can be asked, and what that takes."""


def overview(kind: str | None = None) -> list[dict[str, Any]]:
    """One row for everything there is to name in a study: its kind, its name, and what it does.

    Those of one `kind` stand without it, scorers then with the dimensions that they report. A plug-in of
    another package that cannot be used says so in its row, so that all others are listed. Raises PluginError.
    """
    if kind is not None and kind not in KINDS:
        raise PluginError(f"there is no list of {kind!r}{nearest(kind, KINDS)}")
    rows = []
    for each in KINDS if kind is None else [kind]:
        known = _MODELS if each == "models" else {n: _what(each, n) for n in plugins.names(f"ansatz.{each}")}
        label = {"kind": each} if kind is None else {}
        rows += [label | {"name": name, "what it does": what} for name, what in known.items()]
    return [row | {"dimensions": _dimensions(row["name"])} for row in rows] if kind == "scorers" else rows


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

    plugin = plugins.find_factory(f"ansatz.{kind}", name)
    if kind == "interventions" and isinstance(plugin, type) and not hasattr(plugin, "apply"):
        raise PluginError(f"{plugin.__name__} has no apply")
    if kind == "scorers":
        dimensions_of(plugin())
    return plugin.__doc__ or ""


def _docstring(module: str, name: str) -> str:
    """Of a class or function of ours, from the source of the module that defines it."""
    place = Path(*module.split(".")[1:])
    files = [Path(root, file) for root in ansatz.__path__ for file in (place / "__init__.py", f"{place}.py")]
    source = next(file for file in files if file.is_file()).read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or ""
        if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
            return _docstring(str(node.module), name)
    raise PluginError(f"{module} has no {name}")


def _dimensions(name: str) -> tuple[str, ...]:
    from ansatz.experiments.design.scorers import dimensions_of

    try:
        return tuple(each.name for each in dimensions_of(plugins.find_factory("ansatz.scorers", name)()))
    except Exception:  # its row says why
        return ()
