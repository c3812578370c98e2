"""What can change an answer, as plain JSON: two things with equal identity are the same treatment or model.

A setting counts by its value; a function by its source and by what it rests on: closures, defaults, the
object a method is bound to, and what it uses of its own script (functions, tools, constants in capitals); a
tool by its schema and its function; an object by its class, the `version` that the class states, and its
fields. What is not part of it: fields marked `compare=False`, secrets, connections, retries, time-outs,
callbacks and caches; and what a function uses of other modules, or of classes. `credentials` defines which
settings are secrets. Of headers and queries, the names are kept.
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
_NO_PART_OF_IT = frozenset(
    """
    name cache callbacks verbose tags metadata rate_limiter custom_get_token_ids max_retries
    request_timeout default_request_timeout timeout client async_client root_client
    root_async_client http_client http_async_client callback_manager disable_streaming streaming
    stream_usage profile output_version stream_chunk_timeout http_socket_options
    include_response_headers
    """.split()  # noqa: SIM905
)
"""Fields of LangChain's chat models and tools that change how one is reached, not what it answers."""


def identity(thing: Any) -> Any:
    """The identity of a setting, function, tool, switch, step, scorer or model, as plain JSON data.

    The `name` of an object stands for whatever of it cannot be seen. Raises NoIdentity, in one line.

    Example: `identity(Calculator(timeout_seconds=5))` differs from `identity(Calculator())`.
    """
    if isinstance(thing, str):
        return hide_in_text(thing)
    if isinstance(thing, _PLAIN):
        return thing
    own = inspect.getattr_static(thing, "identity", None)
    if own is not None and not isinstance(thing, type):
        return thing.identity
    if isinstance(thing, _AS_TEXT):
        return str(thing)
    if hasattr(thing, "tobytes") and hasattr(thing, "dtype"):
        return {"array": hashlib.sha256(thing.tobytes()).hexdigest(), "shape": list(thing.shape)}
    if isinstance(thing, Mapping):
        return {
            str(key): _of_setting(str(key), each)
            for key, each in thing.items()
            if not is_credential(str(key), each)
        }
    if isinstance(thing, list | tuple):
        return [identity(each) for each in thing]
    if isinstance(thing, Set):
        return sorted((identity(each) for each in thing), key=canonical_text)
    if is_tool(thing):
        return _of_tool(thing)
    is_object = (is_dataclass(thing) and not isinstance(thing, type)) or isinstance(thing, BaseModel)
    is_function = callable(thing) and not is_object and not is_runnable(thing)
    return _of_function(thing) if is_function else _of_object(thing)


def _of_setting(name: str, value: Any) -> Any:
    """The identity of a named setting, without what it takes to reach a server."""
    if is_access(name):
        return hide_values(value)
    is_address = name.endswith("base_url") or name.endswith("api_base")
    return hide_in_address(value) if is_address and isinstance(value, str) else identity(value)


def canonical_text(content: Any) -> str:
    """Equal content, equal text, whatever the order of keys."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False)


def qualified_name(kind: type) -> str:
    """`module:Class` of an installed package; of a script, the name and the digest of the source."""
    if _is_installed(kind.__module__):
        return f"{kind.__module__}:{kind.__qualname__}"
    return f"{kind.__qualname__}:{_source(kind)}"


@functools.cache
def _is_installed(module: str) -> bool:
    """Whether a module is of an installed package, whose releases have versions, rather than one's own file.

    What is installed lies beside a record of it; a checkout that is installed to be edited does not.
    """
    top = sys.modules.get(module.partition(".")[0])
    if module.startswith("ansatz.") or module.partition(".")[0] in sys.stdlib_module_names - {"__main__"}:
        return True
    paths = [Path(each) for each in getattr(top, "__path__", ())] or [
        Path(getattr(top, "__file__", "") or ".")
    ]
    return any(paths[0].parent.glob("*.dist-info"))


def _of_object(thing: Any) -> dict[str, Any]:
    """Its class and its fields. A plain object has those of its `__dict__`."""
    module = type(thing).__module__
    if isinstance(thing, BaseModel):
        held = {name: getattr(thing, name) for name in type(thing).model_fields}
    elif is_dataclass(thing):
        held = {each.name: getattr(thing, each.name) for each in fields(thing) if each.compare}
    elif hasattr(thing, "__dict__") and (module.startswith("ansatz.") or not _is_installed(module)):
        held = dict(vars(thing))
    else:  # one of a package may hold anything, such as an index of random ids or a connection
        raise NoIdentity(_shown(thing), _shown(thing))
    is_langchain = is_runnable(thing)
    name = getattr(thing, "name", None)
    found: dict[str, Any] = {"class": qualified_name(type(thing))}
    if version := getattr(type(thing), "version", None):
        found["version"] = identity(version)
    if isinstance(name, str) and name:
        found["name"] = name
    for field, value in held.items():
        if (is_langchain and (field in _NO_PART_OF_IT or value is None)) or is_credential(field, value):
            continue
        try:
            found[field] = _of_setting(field, value)
        except (NoIdentity, RecursionError) as fault:
            if "name" not in found:
                holding = fault.holding if isinstance(fault, NoIdentity) else f"its {field}"
                raise NoIdentity(type(thing).__name__, holding) from fault
    return found


def _of_tool(tool: BaseTool) -> dict[str, Any]:
    from langchain_core.utils.function_calling import convert_to_openai_tool

    function = getattr(tool, "coroutine", None) or getattr(tool, "func", None)
    found = {"tool": convert_to_openai_tool(tool)}
    if function is not None:
        return {**found, "function": _of_function(function)}
    shown = {"name", "description", "args_schema", "response_format", "return_direct", "extras"}
    held = {
        each: getattr(tool, each) for each in type(tool).model_fields if each not in shown | _NO_PART_OF_IT
    }
    plain = {
        name: _of_setting(name, value)
        for name, value in held.items()
        if not callable(value) and not is_credential(name, value)
    }
    return {**found, "class": qualified_name(type(tool)), "source": _source(type(tool)), "settings": plain}


def _of_function(function: Any) -> dict[str, Any]:
    if isinstance(function, functools.partial):
        return {"partial": [identity(each) for each in (function.func, function.args, function.keywords)]}
    if isinstance(function, type):
        return {"class": qualified_name(function), "source": _source(function)}
    found: dict[str, Any] = {"function": getattr(function, "__qualname__", type(function).__qualname__)}
    bound = getattr(function, "__self__", None)
    if bound is not None and not isinstance(bound, types.ModuleType):
        found["of"] = identity(bound)
    plain = inspect.unwrap(getattr(function, "__func__", function))
    if isinstance(plain, _COMPILED):
        return found
    if not isinstance(plain, types.FunctionType):
        return {**found, **_of_object(plain)}
    found["source"] = _source(plain)
    holds = {**_held(plain), **dict(_of_own_script(plain))}
    if holds:  # as a digest: what a function holds may be long, or nobody's business
        found["holds"] = hashlib.sha256(canonical_text(holds).encode()).hexdigest()
    return found


def _held(function: types.FunctionType) -> dict[str, Any]:
    """What a function has closed over, and its defaults, by name."""
    held: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            content = cell.cell_contents
        except ValueError:  # not assigned yet: a function that refers to itself
            content = None
        if not is_credential_name(name):
            held[name] = qualified_name(content) if isinstance(content, type) else identity(content)
    defaults = {
        each.name: each.default
        for each in inspect.signature(function).parameters.values()
        if each.default is not inspect.Parameter.empty
    }
    return {**held, **{f"{name}=": each for name, each in identity(defaults).items()}}


def _of_own_script(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Functions, tools and constants of a script that a function in it uses, and what these use in turn."""
    seen, todo = {function.__name__}, [] if _is_installed(function.__module__) else [function]
    while todo:
        current = todo.pop()
        for name in sorted(_names(current.__code__) - seen):
            seen.add(name)
            value = current.__globals__.get(name)
            if isinstance(value, types.FunctionType) and value.__module__ == function.__module__:
                todo.append(value)
                yield name, [_source(value), _held(value)]
            elif is_tool(value) or (
                name.isupper() and isinstance(value, _CONSTANTS) and not is_credential(name, value)
            ):
                yield name, identity(value)


def _names(code: types.CodeType) -> set[str]:
    """The names that code uses, that of functions and comprehensions within it included."""
    inner = (each for each in code.co_consts if isinstance(each, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _source(what: Any) -> str:
    """SHA-256 of the source; of the compiled code where no source can be had."""
    code = getattr(what, "__code__", None)
    try:
        text = _lambda(code) if code and what.__name__ == "<lambda>" else inspect.getsource(what)
    except (OSError, TypeError):
        if code is None:
            raise NoIdentity(_shown(what), "its source") from None
        text = _compiled(code)
    return hashlib.sha256(inspect.cleandoc(text).encode()).hexdigest()


def _lambda(code: types.CodeType) -> str:
    """The body alone: other lambdas, or names of arms, may stand in the same line."""
    spots = [spot for spot in code.co_positions() if spot[3]]  # the others are no part of the text
    first = min((line or 1, column or 0) for line, _, column, _ in spots)
    last = max((line or 1, column or 0) for _, line, _, column in spots)
    lines = [line.encode() for line in inspect.findsource(code)[0][first[0] - 1 : last[0]]]
    lines[-1] = lines[-1][: last[1]]
    lines[0] = lines[0][first[1] :]
    return f"{code.co_varnames}: {b''.join(lines).decode()}"


def _compiled(code: types.CodeType) -> str:
    """Code as text, without places in files and memory."""
    constants = [
        _compiled(each) if isinstance(each, types.CodeType) else sorted(map(repr, each))
        if isinstance(each, frozenset) else repr(each)
        for each in code.co_consts
    ]  # fmt: skip
    return repr((code.co_code, code.co_names, code.co_varnames, constants))


def _shown(thing: Any) -> str:
    return f"a {type(thing).__module__}.{type(thing).__qualname__}"
