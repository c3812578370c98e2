"""What can change an answer, as plain JSON: two things with equal identity are the same treatment or model.

A setting counts by its value, a function by its source (and by what it holds from outside: closures,
defaults, the object a method is bound to), a tool by its schema and its function, an object by its class,
the `version` that the class states, and its fields. What is not part of it: fields marked `compare=False`,
secrets, connections, retries, time-outs, callbacks and caches; and what a function calls in turn.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import sys
import types
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any

from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, SecretBytes, SecretStr

from ansatz.errors import AnsatzError

_PLAIN = (str, int, float, bool, type(None))
_NO_PART_OF_IT = frozenset(
    [
        "name",
        "cache",
        "callbacks",
        "verbose",
        "tags",
        "metadata",
        "rate_limiter",
        "custom_get_token_ids",
        "max_retries",
        "request_timeout",
        "default_request_timeout",
        "timeout",
        "client",
        "async_client",
        "root_client",
        "root_async_client",
        "http_client",
        "http_async_client",
        "callback_manager",
        "disable_streaming",
        "streaming",
        "stream_usage",
        "profile",
        "output_version",
    ]
)
"""Fields of LangChain's chat models and tools that change how one is reached, not what it answers."""


class NoIdentity(AnsatzError, ValueError):
    """Something has no usable identity: nobody could tell it from another one of its kind."""


def identity(thing: Any) -> Any:
    """The identity of a setting, function, tool, switch, step, scorer or model, as plain JSON data.

    A chat model's `name` stands for whatever of it cannot be seen. Raises NoIdentity, in one line.

    Example: `identity(Calculator(timeout_seconds=5))` differs from `identity(Calculator())`.
    """
    if isinstance(thing, _PLAIN):
        return thing
    own = inspect.getattr_static(thing, "identity", None)
    if own is not None and not isinstance(thing, type):
        return thing.identity
    if isinstance(thing, Enum | PurePath):
        return str(thing)
    if isinstance(thing, Mapping):
        return {str(key): identity(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [identity(each) for each in thing]
    if isinstance(thing, Set):
        return sorted((identity(each) for each in thing), key=canonical)
    if isinstance(thing, BaseTool):
        return _of_tool(thing)
    if callable(thing) and not _is_object(thing) and not isinstance(thing, Runnable):
        return _of_function(thing)
    return _of_object(thing)


def canonical(content: Any) -> str:
    """Equal content, equal text, whatever the order of keys."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False)


def qualified_name(kind: type) -> str:
    """`module:Class` of an installed package; of a script, the name and the digest of the source."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    if kind.__module__.startswith("ansatz.") or "site-packages" in file or kind.__module__ == "builtins":
        return f"{kind.__module__}:{kind.__qualname__}"
    return f"{kind.__qualname__}:{_source(kind)}"


def _is_object(thing: Any) -> bool:
    return (is_dataclass(thing) and not isinstance(thing, type)) or isinstance(thing, BaseModel)


def _of_object(thing: Any) -> dict[str, Any]:
    """Its class and its fields. A plain object has those of its `__dict__`."""
    if isinstance(thing, BaseModel):
        held = {name: getattr(thing, name) for name in type(thing).model_fields}
    elif is_dataclass(thing):
        held = {each.name: getattr(thing, each.name) for each in fields(thing) if each.compare}
    elif hasattr(thing, "__dict__"):
        held = dict(vars(thing))
    else:
        raise NoIdentity(f"{_shown(thing)} has no usable identity: give it as a dataclass, or by name")
    is_langchain = isinstance(thing, Runnable)
    name = getattr(thing, "name", None) if is_langchain else None
    found: dict[str, Any] = {"class": qualified_name(type(thing))}
    if version := getattr(type(thing), "version", None):
        found["version"] = identity(version)
    if isinstance(name, str):
        found["name"] = name
    for field, value in held.items():
        if (is_langchain and field in _NO_PART_OF_IT) or isinstance(value, SecretStr | SecretBytes):
            continue
        try:
            found[field] = identity(value)
        except (NoIdentity, RecursionError) as fault:
            if name is None:
                what = 'give it a name, as in name="my model v2"' if is_langchain else "make it a dataclass"
                reason = f"its {field} is {_shown(value)}, which nobody can tell from another"
                raise NoIdentity(
                    f"{type(thing).__name__} has no usable identity: {what} ({reason})"
                ) from fault
    return found


def _of_tool(tool: BaseTool) -> dict[str, Any]:
    function = getattr(tool, "coroutine", None) or getattr(tool, "func", None)
    found = {"tool": convert_to_openai_tool(tool)}
    if function is not None:
        return {**found, "function": _of_function(function)}
    shown = {"name", "description", "args_schema", "response_format", "return_direct", "extras"}
    held = {
        each: getattr(tool, each) for each in type(tool).model_fields if each not in shown | _NO_PART_OF_IT
    }
    plain = {name: identity(value) for name, value in held.items() if not callable(value)}
    return {**found, "class": qualified_name(type(tool)), "source": _source(type(tool)), "settings": plain}


def _of_function(function: Any) -> dict[str, Any]:
    if isinstance(function, functools.partial):
        return {"partial": [identity(each) for each in (function.func, function.args, function.keywords)]}
    if isinstance(function, type):
        return {"class": qualified_name(function), "source": _source(function)}
    if isinstance(function, types.BuiltinFunctionType):
        return {"function": f"{function.__module__}:{function.__qualname__}"}
    found: dict[str, Any] = {"function": getattr(function, "__qualname__", repr(type(function)))}
    bound = getattr(function, "__self__", None)
    if bound is not None and not isinstance(bound, types.ModuleType):
        found["of"] = identity(bound)
    plain = inspect.unwrap(getattr(function, "__func__", function))
    if not isinstance(plain, types.FunctionType):
        return {**found, **_of_object(plain)}
    found["source"] = _source(plain)
    cells = [_content(cell) for cell in plain.__closure__ or ()]
    if cells or plain.__defaults__ or plain.__kwdefaults__:
        found["holds"] = [cells, identity(plain.__defaults__), identity(plain.__kwdefaults__)]
    return found


def _content(cell: types.CellType) -> Any:
    try:
        held = cell.cell_contents
    except ValueError:  # not assigned yet: a function that refers to itself
        return None
    return qualified_name(held) if isinstance(held, type) else identity(held)


def _source(what: Any) -> str:
    """SHA-256 of the source; of the compiled code where no source can be had."""
    try:
        text = inspect.getsource(what)
    except (OSError, TypeError):
        code = getattr(what, "__code__", None)
        if code is None:
            raise NoIdentity(f"{_shown(what)} has no source that could be told from another") from None
        text = repr(
            (code.co_code, code.co_names, [each for each in code.co_consts if isinstance(each, _PLAIN)])
        )
    return hashlib.sha256(inspect.cleandoc(text).encode()).hexdigest()


def _shown(thing: Any) -> str:
    return f"a {type(thing).__module__}.{type(thing).__qualname__}"
