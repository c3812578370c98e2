"""Turn names in a study into objects; the only place where names are looked up."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import is_dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError

from ansatz.errors import PluginError
from ansatz.eval.validation import find_faulty_fields
from ansatz.quantities.did_you_mean import nearest

RENAMED = {
    ("ansatz.benchmarks", "items"): "file",
    ("ansatz.benchmarks", "properties"): "thermoqa_generated",
    ("ansatz.interventions", "model"): "model_settings",
    ("ansatz.scorers", "rubric"): "verifier",
}
"""Earlier names of plug-ins, by group, and the present ones, which the refusal of an earlier name states."""
_REFERENCE = re.compile(r"([\w./-]+\.py|[A-Za-z_]\w*(\.\w+)*):[A-Za-z_]\w*(\.\w+)*")


def load(group: str, name: str, settings: Mapping[str, Any], folder: Path | None = None) -> Any:
    """What `name` stands for, built with settings: a plugin of an entry-point group, or a reference.

    Groups are such as "ansatz.interventions"; a reference is "package.module:object" or "file.py:object",
    from `folder`. What it names is built if it is a class, or a function that the settings are enough for;
    otherwise it is taken as it is, so that a function with other parameters is a tool. Settings are checked
    against annotations; those that the plugin lists in `references` may be references, as may judges, and
    those in `paths` are files, from `folder` too. Raises PluginError.
    """
    factory = load_reference(name, folder) if is_reference(name) else find_factory(group, name)
    if is_reference(name) and not _is_built(factory, settings):
        if settings:
            raise PluginError(f"{name} is an object and takes no settings", next(iter(settings)))
        return factory
    references = getattr(factory, "references", ())
    for key in getattr(factory, "paths", ()):
        if isinstance(value := settings.get(key), str) and Path(value).suffix:
            settings = {**settings, key: str((folder or Path()) / value)}
    factory = getattr(factory, "of_settings", factory)
    accepted = list(inspect.signature(factory).parameters)
    hints = types_of_settings(factory)
    checked = {}
    for setting, value in settings.items():
        if setting not in accepted:
            raise PluginError(f"{name} has no setting {setting!r}{nearest(setting, accepted)}", setting)
        hint = hints.get(setting, Any)
        if setting in references:
            checked[setting] = _resolved(value, folder)
            continue
        kinds = {getattr(kind, "__name__", "") for kind in (hint, *get_args(hint))}
        value = judge(value, folder) if kinds & {"JudgeModel", "JudgeModels"} else value
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


def judge(value: Any, folder: Path | None = None) -> Any:
    """A setting that names models, with the chat model in place of each "file.py:object" that is one.

    A reference is told from provider:model by a dot: a provider has none. Raises PluginError.
    """
    if isinstance(value, list):
        return [judge(each, folder) for each in value]
    if isinstance(value, Mapping):
        found = judge(value.get("name"), folder)
        return value if found is value.get("name") else {**value, "chat": found}
    if not isinstance(value, str) or not is_reference(value) or "." not in value.partition(":")[0]:
        return value
    found = load_reference(value, folder)
    return found() if inspect.isfunction(found) else found


def _is_built(found: Any, settings: Mapping[str, Any]) -> bool:
    """Whether a thing that a reference names is called with the settings, rather than taken as it is."""
    if not inspect.isfunction(found) or settings:
        return inspect.isclass(found) or inspect.isfunction(found)
    parameters = inspect.signature(found).parameters.values()
    return all(each.default is not each.empty or each.kind >= each.VAR_POSITIONAL for each in parameters)


def is_reference(name: str) -> bool:
    """Whether a name is one of an object in a module or a file rather than a registered one."""
    return _REFERENCE.fullmatch(name) is not None


def load_reference(name: str, folder: Path | None = None) -> Any:
    """The object that "package.module:object" or "file.py:object" names. Raises PluginError."""
    where, _, path = name.partition(":")
    try:
        module = _file(where, folder or Path()) if where.endswith(".py") else _module(where, folder or Path())
        return functools.reduce(getattr, path.split("."), module)
    except AttributeError:
        names = [each for each in vars(module) if not each.startswith("_")]
        raise PluginError(f"{where} has no {path!r}{nearest(path, names)}") from None
    except FileNotFoundError as failure:
        raise PluginError(f"{failure.filename}: no such file") from None
    except Exception as failure:
        raise PluginError(f"{where} cannot be imported: {type(failure).__name__}: {failure}") from failure


def _file(where: str, folder: Path) -> Any:
    """A Python file as a module, executed once."""
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


def _module(where: str, folder: Path) -> Any:
    """A module, which may lie in the folder of the study."""
    sys.path.insert(0, str(folder.resolve()))
    try:
        return importlib.import_module(where)
    finally:
        sys.path.remove(str(folder.resolve()))


def _resolved(value: Any, folder: Path | None) -> Any:
    if isinstance(value, list):
        return [_resolved(each, folder) for each in value]
    return load_reference(value, folder) if isinstance(value, str) and is_reference(value) else value


def types_of_settings(factory: Any) -> dict[str, Any]:
    """Types of settings by name; those of a dataclass's fields are read where each was written."""
    if inspect.isclass(factory) and not is_dataclass(factory):
        return get_type_hints(factory.__init__, include_extras=True)
    return get_type_hints(factory, include_extras=True)


def find_factory(group: str, name: str) -> Any:
    """What builds the plugin: a class or a function. Raises PluginError, also where it cannot be imported."""
    found = entry(group, name)
    try:
        return found.load()
    except Exception as failure:
        kind = group.removeprefix("ansatz.").removesuffix("s")
        raise PluginError(f"the {kind} {name!r} cannot be loaded from {found.value}: {failure}") from failure


def entry(group: str, name: str) -> EntryPoint:
    """The one entry point of a name. Raises PluginError where there is none, or where packages differ."""
    found = {each.value: each for each in _installed(group, tuple(sys.path)) if each.name == name}
    kind = group.removeprefix("ansatz.").removesuffix("s")
    if present := RENAMED.get((group, name)):
        raise PluginError(f"the {kind} {name!r} is now called {present!r}")
    if not found:
        raise PluginError(f"there is no {kind} {name!r}{nearest(name, names(group))}")
    if len(found) > 1:
        sources = " and ".join(sorted(found))
        raise PluginError(f"several packages offer the {kind} {name!r}: {sources}; remove one")
    return next(iter(found.values()))


def names(group: str) -> list[str]:
    """The names of a group, sorted. An installation that is not renewed may still list earlier ones."""
    found = {each.name for each in _installed(group, tuple(sys.path))}
    return sorted(name for name in found if (group, name) not in RENAMED)


@functools.lru_cache(maxsize=32)  # to look through all packages takes 15 ms
def _installed(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))
