"""Plug-ins of a study: find and list them by name, and build them with their settings."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.util
import inspect
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import MISSING, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError

import ansatz
from ansatz.agents.credentials import NOT_STORED, has_masked
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.errors import AnsatzError, PluginError
from ansatz.eval.validation import find_faulty_fields
from ansatz.quantities.did_you_mean import advise_on_unknown, nearest
from ansatz.settings import API_KEYS, describe_fields

RENAMED = {
    ("ansatz.benchmarks", "items"): "file",
    ("ansatz.benchmarks", "properties"): "thermoqa_generated",
    ("ansatz.interventions", "model"): "model_settings",
    ("ansatz.scorers", "rubric"): "verifier",
}
"""Renamed plug-ins: the group and the earlier name, and the present name."""
KINDS = ("interventions", "benchmarks", "scorers", "rankers", "models")
_MODELS = {
    "offline:slide-rule": "simulated: a rule-based solver, no language model",
    **{
        f"{each}:MODEL": f"a key in {key}, or settings.base_url of a local server"
        for each, key in API_KEYS.items()
    },
    "PROVIDER:MODEL": "any other of LangChain's init_chat_model whose package is installed",
}
"""The models that a study can name, and what each needs."""
_REFERENCE = re.compile(r"([\w./-]+\.py|[A-Za-z_]\w*(\.\w+)*):[A-Za-z_]\w*(\.\w+)*")


def load(group: str, name: str, settings: Mapping[str, Any], folder: Path | None = None) -> Any:
    """Build what `name` refers to: a plug-in of an entry-point group, or an object in a module or file.

    Args:
        group: The entry-point group, such as "ansatz.interventions".
        name: A registered name, or a reference: "package.module:object" or "file.py:object".
        settings: Checked against the annotations of the plug-in. Settings in its `references`, and judges,
            may be references; those in its `paths` are files.
        folder: Where relative paths and references start.

    Returns:
        The plug-in. A class, or a function whose parameters the settings cover, is called with the settings.
        Any other object that a reference names is returned as it is: a function with parameters is a tool.

    Raises:
        PluginError: It cannot be found or built, or a setting is wrong.
    """
    factory = load_reference(name, folder) if is_reference(name) else find_factory(group, name)
    if is_reference(name) and not _can_build(factory, settings):
        if settings:
            raise PluginError(f"{name} is an object and takes no settings", next(iter(settings)))
        return factory
    references = getattr(factory, "references", ())
    for key in getattr(factory, "paths", ()):
        file = (folder or Path()) / value if isinstance(value := settings.get(key), str) else None
        if file is not None and (file.suffix or file.exists()):
            settings = {**settings, key: str(file)}
    factory = getattr(factory, "of_settings", factory)
    accepted = list(inspect.signature(factory).parameters)
    hints = read_setting_types(factory)
    checked = {}
    for setting, value in settings.items():
        if has_masked({setting: value}):
            raise PluginError(f"{name}: {setting}: {NOT_STORED}", setting)
        if setting not in accepted:
            advice = advise_on_unknown(factory, setting)
            raise PluginError(
                f"{name} has no setting {setting!r}{nearest(setting, accepted)}{advice}", setting
            )
        hint = hints.get(setting, Any)
        if setting in references:
            checked[setting] = _resolve_references(value, folder)
            continue
        kinds = {getattr(kind, "__name__", "") for kind in (hint, *get_args(hint))}
        value = resolve_judge(value, folder) if kinds & {"JudgeModel", "JudgeModels"} else value
        try:
            checked[setting] = TypeAdapter(hint).validate_python(value)
        except ValidationError as failure:
            fault = find_faulty_fields(failure, hint)[0]
            field = f"{setting}.{fault.field}".replace(".[", "[").removesuffix(".")
            raise PluginError(f"{name}: {field}: {fault.wrong}", setting) from None
    try:
        return factory(**checked)
    except (ValueError, LookupError, OSError) as failure:
        raise PluginError(f"{name}: {failure}") from failure
    except Exception as failure:
        raise PluginError(f"{name}: {type(failure).__name__}: {failure}") from failure


def resolve_judge(value: Any, folder: Path | None = None) -> Any:
    """Replace each "file.py:object" in a setting that names models by the chat model it refers to.

    A reference differs from "provider:model" by a dot, which providers do not have. Raises PluginError.
    """
    if isinstance(value, list):
        return [resolve_judge(each, folder) for each in value]
    if isinstance(value, Mapping):
        found = resolve_judge(value.get("name"), folder)
        return value if found is value.get("name") else {**value, "chat": found}
    if not isinstance(value, str) or not is_reference(value) or "." not in value.partition(":")[0]:
        return value
    found = load_reference(value, folder)
    return found() if inspect.isfunction(found) else found


def _can_build(found: Any, settings: Mapping[str, Any]) -> bool:
    """Return whether an object that a reference names is called with the settings."""
    if not inspect.isfunction(found) or settings:
        return inspect.isclass(found) or inspect.isfunction(found)
    parameters = inspect.signature(found).parameters.values()
    return all(each.default is not each.empty or each.kind >= each.VAR_POSITIONAL for each in parameters)


def is_reference(name: str) -> bool:
    """Return whether a name refers to an object in a module or a file, not to a registered plug-in."""
    return _REFERENCE.fullmatch(name) is not None


def load_reference(name: str, folder: Path | None = None) -> Any:
    """Return the object that "package.module:object" or "file.py:object" names. Raises PluginError."""
    where, _, path = name.partition(":")
    load_module = _import_file if where.endswith(".py") else _import_module
    try:
        module = load_module(where, folder or Path())
    except FileNotFoundError as failure:
        raise PluginError(f"{failure.filename}: no such file") from None
    except Exception as failure:
        raise PluginError(f"{where} cannot be imported: {type(failure).__name__}: {failure}") from failure
    try:
        return functools.reduce(getattr, path.split("."), module)
    except AttributeError:
        names = [each for each in vars(module) if not each.startswith("_")]
        raise PluginError(f"{where} has no {path!r}{nearest(path, names)}") from None


def _import_file(where: str, folder: Path) -> Any:
    """Import a Python file as a module, once."""
    path = (folder / where).resolve()
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise FileNotFoundError(2, "no such file", str(path))
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _import_module(where: str, folder: Path) -> Any:
    """Import a module, which may be in the folder of the study."""
    sys.path.insert(0, str(folder.resolve()))
    try:
        return importlib.import_module(where)
    finally:
        sys.path.remove(str(folder.resolve()))


def _resolve_references(value: Any, folder: Path | None) -> Any:
    if isinstance(value, list):
        return [_resolve_references(each, folder) for each in value]
    return load_reference(value, folder) if isinstance(value, str) and is_reference(value) else value


def read_setting_types(factory: Any) -> dict[str, Any]:
    """Return the types of settings by name. Names in annotations are resolved where each was written."""
    if inspect.isclass(factory) and not is_dataclass(factory):
        return get_type_hints(factory.__init__, include_extras=True)
    return get_type_hints(factory, include_extras=True)


class Setting(NamedTuple):
    """A setting of a plug-in."""

    name: str
    annotation: Any
    default: Any
    """Equal to `inspect.Parameter.empty` if the setting is required."""
    description: str


def read_settings(factory: Any) -> list[Setting]:
    """Return the settings of a plug-in's class or function, with the descriptions at a class's fields."""
    build = getattr(factory, "of_settings", factory)
    types = read_setting_types(build)
    descriptions = describe_fields(factory) if isinstance(factory, type) else {}
    settings = []
    for name, parameter in inspect.signature(build).parameters.items():
        description = descriptions.get(name, "")
        settings.append(Setting(name, types.get(name, Any), _find_default(factory, parameter), description))
    return settings


def _find_default(factory: Any, parameter: inspect.Parameter) -> Any:
    """Return the default of a setting; a signature does not contain the value of a default factory."""
    field = getattr(factory, "__dataclass_fields__", {}).get(parameter.name)
    if field is None or field.default_factory is MISSING:
        return parameter.default
    return field.default_factory()


def find_factory(group: str, name: str) -> Any:
    """Return the class or function that builds the plug-in. Raises PluginError."""
    found = find_entry_point(group, name)
    try:
        return found.load()
    except Exception as failure:
        kind = group.removeprefix("ansatz.").removesuffix("s")
        raise PluginError(f"the {kind} {name!r} cannot be loaded from {found.value}: {failure}") from failure


def find_entry_point(group: str, name: str) -> EntryPoint:
    """Return the entry point of a name. Raises PluginError if there is none, or if packages differ."""
    found = {each.value: each for each in _read_entry_points(group, tuple(sys.path)) if each.name == name}
    kind = group.removeprefix("ansatz.").removesuffix("s")
    if present := RENAMED.get((group, name)):
        raise PluginError(f"the {kind} {name!r} is now called {present!r}")
    if not found:
        raise PluginError(f"there is no {kind} {name!r}{nearest(name, list_names(group), shown=50)}")
    if len(found) > 1:
        sources = " and ".join(sorted(found))
        raise PluginError(f"several packages offer the {kind} {name!r}: {sources}; remove one")
    return next(iter(found.values()))


def list_names(group: str) -> list[str]:
    """Return the names of a group, sorted, without earlier names, which an old installation may list."""
    found = {each.name for each in _read_entry_points(group, tuple(sys.path))}
    return sorted(name for name in found if (group, name) not in RENAMED)


@functools.lru_cache(maxsize=32)  # reading the metadata of all packages takes 15 ms
def _read_entry_points(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def list_plugins(kind: str | None = None) -> list[dict[str, Any]]:
    """Return a row for everything that a study can name: its kind, its name, and what it does.

    Rows of a single `kind` have no column `kind`; those of scorers have a column of dimensions. The row of a
    plug-in that cannot be used has the reason. Raises PluginError for an unknown kind.
    """
    if kind is not None and kind not in KINDS:
        raise PluginError(f"there is no list of {kind!r}{nearest(kind, KINDS)}")
    rows = []
    for each in KINDS if kind is None else [kind]:
        is_model = each == "models"
        names = [] if is_model else list_names(f"ansatz.{each}")
        summaries = _MODELS if is_model else {name: _summarize(each, name) for name in names}
        label = {"kind": each} if kind is None else {}
        rows += [label | {"name": name, "what it does": summary} for name, summary in summaries.items()]
    return (
        [row | {"dimensions": _list_dimensions(row["name"])} for row in rows] if kind == "scorers" else rows
    )


def describe_plugin(kind: str, name: str) -> dict[str, Any]:
    """Return the name of a plug-in, its docstring, and a row for each of its settings.

    All models have the same settings, and rankers have none. Raises PluginError.
    """
    if kind not in KINDS:
        raise PluginError(f"there is no list of {kind!r}{nearest(kind, KINDS)}")
    factory = ModelSettings if kind == "models" else find_factory(f"ansatz.{kind}", name)
    rows = [
        {
            "setting": setting.name,
            "default": _format_default(setting.default),
            "what it is": " ".join(setting.description.split()),
        }
        for setting in ([] if kind == "rankers" else read_settings(factory))
    ]
    return {"name": name, "what it does": inspect.getdoc(factory) or "", "settings": rows}


def _format_default(default: Any) -> str:
    if default is inspect.Parameter.empty:
        return "required"
    if default in (None, "", (), {}):
        return ""
    return default if isinstance(default, str) else json.dumps(default, ensure_ascii=False, default=str)


def _summarize(kind: str, name: str) -> str:
    """Return the first line of a plug-in's docstring.

    Ansatz's modules are read instead of imported: a list needs none of the libraries that they import.
    """
    try:
        [module, _, attribute] = find_entry_point(f"ansatz.{kind}", name).value.partition(":")
        is_shipped = module.startswith("ansatz.")
        text = _read_docstring(module, attribute) if is_shipped else _check_plugin(kind, name)
    except Exception as failure:  # code of other packages may raise anything
        wrong = failure if isinstance(failure, AnsatzError) else f"{type(failure).__name__}: {failure}"
        return f"unusable: {wrong}"
    return text.strip().split("\n")[0]


def _check_plugin(kind: str, name: str) -> str:
    """Check that a plug-in of another package can be used, and return its docstring."""
    from ansatz.experiments.design.scorers import read_dimensions

    plugin = find_factory(f"ansatz.{kind}", name)
    if kind == "interventions" and isinstance(plugin, type) and not hasattr(plugin, "apply"):
        raise PluginError(f"{plugin.__name__} has no apply")
    if kind == "scorers":
        read_dimensions(plugin())
    return plugin.__doc__ or ""


def _read_docstring(module: str, name: str) -> str:
    """Return the docstring of a class or function from the source of the module that defines it."""
    place = Path(*module.split(".")[1:])
    files = [Path(root, file) for root in ansatz.__path__ for file in (place / "__init__.py", f"{place}.py")]
    source = next(file for file in files if file.is_file()).read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or ""
        if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
            return _read_docstring(str(node.module), name)
    raise PluginError(f"{module} has no {name}")


def _list_dimensions(name: str) -> tuple[str, ...]:
    from ansatz.experiments.design.scorers import read_dimensions

    try:
        return tuple(each.name for each in read_dimensions(find_factory("ansatz.scorers", name)()))
    except Exception:  # the row has the reason
        return ()
