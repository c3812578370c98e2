"""Identities: everything that can change an answer, as plain JSON.

Two objects with equal identities are the same treatment or model. The identity consists of

- for a setting: its value;
- for a function: its source, closures, defaults, the object that a method is bound to, and what it uses of
  its script: functions, tools, and constants in capitals;
- for a tool: its schema and its function;
- for an object: its class, the attribute `version` of the class, and its fields.

Fields with `compare=False`, credentials, connections, retries, timeouts, callbacks and caches are not part of
it. What a function uses of other modules or of classes is not part of it either. `credentials` defines which
settings are credentials. Of headers and queries, only the names are part of it.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import sys
import types
from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from ansatz.agents.credentials import (
    hide_in_address,
    hide_in_text,
    hide_values,
    is_access,
    is_credential,
    is_credential_name,
)
from ansatz.agents.langchain_types import is_runnable, is_tool
from ansatz.errors import NoIdentity

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_PLAIN = (str, int, float, bool, type(None))
_AS_TEXT = (Enum, PurePath, bytes, complex, Decimal, date)
_COMPILED = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)
_CONSTANTS = (*_PLAIN, list, tuple, dict, set, frozenset)
_EXCLUDED = frozenset(
    """
    name cache callbacks verbose tags metadata rate_limiter custom_get_token_ids max_retries
    request_timeout default_request_timeout timeout client async_client root_client
    root_async_client http_client http_async_client callback_manager disable_streaming streaming
    stream_usage profile output_version stream_chunk_timeout http_socket_options
    include_response_headers
    """.split()  # noqa: SIM905
)
"""Fields of LangChain's chat models and tools that change the way of a request, but no answer."""


def identity(thing: Any) -> Any:
    """Return the identity of a setting, function, tool, intervention, step, scorer or model as plain JSON.

    Of fields that have no identity, such as a connection, the `name` of the object takes the place. Raises
    NoIdentity if such an object has no name.

    Example: `identity(Calculator(timeout_seconds=5))` differs from `identity(Calculator())`.
    """
    if isinstance(thing, str):
        return hide_in_text(thing)
    if isinstance(thing, _PLAIN):
        return thing
    if inspect.getattr_static(thing, "identity", None) is not None and not isinstance(thing, type):
        return thing.identity
    if isinstance(thing, _AS_TEXT):
        return str(thing)
    if hasattr(thing, "tobytes") and hasattr(thing, "dtype"):
        return {"array": hashlib.sha256(thing.tobytes()).hexdigest(), "shape": list(thing.shape)}
    if isinstance(thing, Mapping):
        return {
            str(key): _identify_setting(str(key), value)
            for key, value in thing.items()
            if not is_credential(str(key), value)
        }
    if isinstance(thing, list | tuple):
        return [identity(item) for item in thing]
    if isinstance(thing, Set):
        return sorted((identity(item) for item in thing), key=canonical_text)
    if is_tool(thing):
        return _identify_tool(thing)
    is_object = (is_dataclass(thing) and not isinstance(thing, type)) or isinstance(thing, BaseModel)
    is_function = callable(thing) and not is_object and not is_runnable(thing)
    return _identify_function(thing) if is_function else _identify_object(thing)


def _identify_setting(name: str, value: Any) -> Any:
    """Identify a setting by its name and value, without credentials."""
    if is_access(name):
        return hide_values(value)
    is_address = name.endswith("base_url") or name.endswith("api_base")
    return hide_in_address(value) if is_address and isinstance(value, str) else identity(value)


def canonical_text(content: Any) -> str:
    """Return JSON text that does not depend on the order of keys."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False)


def qualified_name(kind: type) -> str:
    """Return `module:Class` for an installed package, and name and source digest for a script."""
    if _is_installed(kind.__module__):
        return f"{kind.__module__}:{kind.__qualname__}"
    return f"{kind.__qualname__}:{_hash_source(kind)}"


@functools.cache
def _is_installed(module: str) -> bool:
    """Whether a module belongs to an installed package, whose releases have versions.

    An installed package has a `*.dist-info` folder next to it; a script or an editable checkout has none.
    """
    top = sys.modules.get(module.partition(".")[0])
    if module.startswith("ansatz.") or module.partition(".")[0] in sys.stdlib_module_names - {"__main__"}:
        return True
    paths = [*map(Path, getattr(top, "__path__", ()))] or [Path(getattr(top, "__file__", "") or ".")]
    return any(paths[0].parent.glob("*.dist-info"))


def _identify_object(thing: Any) -> dict[str, Any]:
    """Identify an object by its class and fields; a plain object has those of its `__dict__`."""
    module = type(thing).__module__
    if isinstance(thing, BaseModel):
        values = {name: getattr(thing, name) for name in type(thing).model_fields}
    elif is_dataclass(thing):
        values = {each.name: getattr(thing, each.name) for each in fields(thing) if each.compare}
    elif hasattr(thing, "__dict__") and (module.startswith("ansatz.") or not _is_installed(module)):
        values = dict(vars(thing))
    else:  # the object of a package may have any attributes, such as random ids or a connection
        raise NoIdentity(_describe_type(thing), _describe_type(thing))
    is_langchain = is_runnable(thing)
    name = getattr(thing, "name", None)
    found: dict[str, Any] = {"class": qualified_name(type(thing))}
    if version := getattr(type(thing), "version", None):
        found["version"] = identity(version)
    if isinstance(name, str) and name:
        found["name"] = name
    for field, value in values.items():
        if (is_langchain and (field in _EXCLUDED or value is None)) or is_credential(field, value):
            continue
        try:
            found[field] = _identify_setting(field, value)
        except (NoIdentity, RecursionError) as fault:
            if "name" not in found:
                part = fault.holding if isinstance(fault, NoIdentity) else f"its {field}"
                raise NoIdentity(type(thing).__name__, part) from fault
    return found


def _identify_tool(tool: BaseTool) -> dict[str, Any]:
    """Identify a tool by its schema and its function, or by its class and settings."""
    from langchain_core.utils.function_calling import convert_to_openai_tool

    function = getattr(tool, "coroutine", None) or getattr(tool, "func", None)
    found = {"tool": convert_to_openai_tool(tool)}
    if function is not None:
        return {**found, "function": _identify_function(function)}
    in_schema = {"name", "description", "args_schema", "response_format", "return_direct", "extras"}
    values = {
        name: getattr(tool, name) for name in type(tool).model_fields if name not in in_schema | _EXCLUDED
    }
    settings = {
        name: _identify_setting(name, value)
        for name, value in values.items()
        if not callable(value) and not is_credential(name, value)
    }
    return {
        **found,
        "class": qualified_name(type(tool)),
        "source": _hash_source(type(tool)),
        "settings": settings,
    }


def _identify_function(function: Any) -> dict[str, Any]:
    """Identify a function, class or other callable by its source and what it uses."""
    if isinstance(function, functools.partial):
        return {"partial": [identity(part) for part in (function.func, function.args, function.keywords)]}
    if isinstance(function, type):
        return {"class": qualified_name(function), "source": _hash_source(function)}
    found: dict[str, Any] = {"function": getattr(function, "__qualname__", type(function).__qualname__)}
    bound = getattr(function, "__self__", None)
    if bound is not None and not isinstance(bound, types.ModuleType):
        found["of"] = identity(bound)
    plain = inspect.unwrap(getattr(function, "__func__", function))
    if isinstance(plain, _COMPILED):
        return found
    if not isinstance(plain, types.FunctionType):
        return {**found, **_identify_object(plain)}
    found["source"] = _hash_source(plain)
    used = {**_find_bound_values(plain), **dict(_find_script_uses(plain))}
    if used:  # as a digest, because the values may be long or private
        found["holds"] = hashlib.sha256(canonical_text(used).encode()).hexdigest()
    return found


def _find_bound_values(function: types.FunctionType) -> dict[str, Any]:
    """Return the identities of a function's closure and defaults, by name."""
    closure: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            content = cell.cell_contents
        except ValueError:  # not assigned yet: a function that refers to itself
            content = None
        if not is_credential_name(name):
            closure[name] = qualified_name(content) if isinstance(content, type) else identity(content)
    defaults = {
        parameter.name: parameter.default
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is not inspect.Parameter.empty
    }
    return {**closure, **{f"{name}=": value for name, value in identity(defaults).items()}}


def _find_script_uses(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the functions, tools and constants of a script that a function uses, directly or indirectly."""
    seen, todo = {function.__name__}, [] if _is_installed(function.__module__) else [function]
    while todo:
        current = todo.pop()
        for name in sorted(_list_names(current.__code__) - seen):
            seen.add(name)
            value = current.__globals__.get(name)
            if isinstance(value, types.FunctionType) and value.__module__ == function.__module__:
                todo.append(value)
                yield name, [_hash_source(value), _find_bound_values(value)]
            elif is_tool(value) or (
                name.isupper() and isinstance(value, _CONSTANTS) and not is_credential(name, value)
            ):
                yield name, identity(value)


def _list_names(code: types.CodeType) -> set[str]:
    """Return the names that code uses, including those in its inner functions and comprehensions."""
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return set(code.co_names).union(*map(_list_names, inner))


def _hash_source(what: Any) -> str:
    """Return the SHA-256 of the source, or of the compiled code if there is no source."""
    code = getattr(what, "__code__", None)
    try:
        text = _read_lambda(code) if code and what.__name__ == "<lambda>" else inspect.getsource(what)
    except (OSError, TypeError):
        if code is None:
            raise NoIdentity(_describe_type(what), "its source") from None
        text = _format_code(code)
    return hashlib.sha256(inspect.cleandoc(text).encode()).hexdigest()


def _read_lambda(code: types.CodeType) -> str:
    """Return the source of a lambda's body: its line may have other lambdas, or names of arms."""
    spots = [spot for spot in code.co_positions() if spot[3]]  # the others are not in the text
    first = min((line or 1, column or 0) for line, _, column, _ in spots)
    last = max((line or 1, column or 0) for _, line, _, column in spots)
    lines = [line.encode() for line in inspect.findsource(code)[0][first[0] - 1 : last[0]]]
    lines[-1] = lines[-1][: last[1]]
    lines[0] = lines[0][first[1] :]
    return f"{code.co_varnames}: {b''.join(lines).decode()}"


def _format_code(code: types.CodeType) -> str:
    """Return compiled code as text, without line numbers and addresses."""
    constants = [
        _format_code(each) if isinstance(each, types.CodeType) else sorted(map(repr, each))
        if isinstance(each, frozenset) else repr(each)
        for each in code.co_consts
    ]  # fmt: skip
    return repr((code.co_code, code.co_names, code.co_varnames, constants))


def _describe_type(thing: Any) -> str:
    return f"a {type(thing).__module__}.{type(thing).__qualname__}"
