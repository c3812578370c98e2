"""Settings with bounds: types for fields, and a decorator for classes whose fields are checked."""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, TypeVar, dataclass_transform

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass

from ansatz.errors import AnsatzError, SettingError
from ansatz.quantities.did_you_mean import advise_on_unknown, nearest

Kind = TypeVar("Kind")
API_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
"""The environment variables of providers' keys."""
Count = Annotated[int, Field(ge=1, strict=True)]
PositiveNumber = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Share = Annotated[float, Field(gt=0, le=1, strict=True)]


def _check_path(path: Any) -> Any:
    if isinstance(path, str) and not (path.strip() and path.isprintable()):
        raise ValueError(f"must name a file or a folder, not {path!r}")
    return path


NamedPath = Annotated[Path, BeforeValidator(_check_path)]
"""A path that is not empty: the empty path would be the current folder."""


def setting_error(failure: ValidationError, kind: type) -> AnsatzError:
    """The first fault as one line: "top must be greater than or equal to 1, not 0"."""
    fault = failure.errors()[0]
    cause = fault.get("ctx", {}).get("error")
    if isinstance(cause, AnsatzError):
        return cause
    where = ".".join(map(str, fault["loc"]))
    if fault["type"] == "unexpected_keyword_argument":
        if present := getattr(kind, "renamed", {}).get(where):
            return SettingError(f"{where}: is now called {present!r}")
        names = [each.name for each in dataclasses.fields(kind) if each.init]
        advice = advise_on_unknown(kind, where)
        return SettingError(f"{kind.__name__} has no setting {where!r}{nearest(where, names)}{advice}")
    message = fault["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    if fault["type"] == "value_error":
        return SettingError(f"{where}: {message}" if where else message)
    given = fault["input"]  # an object may hold a secret
    shown = repr(given) if isinstance(given, str | int | float | None) else f"a {type(given).__name__}"
    return SettingError(f"{where} {message}, not {shown}" if where else message)


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field, Field))
def settings(
    *, kw_only: bool = False, refuse: Callable[[ValidationError, type], AnsatzError] = setting_error
) -> Callable[[type[Kind]], type[Kind]]:
    """Make a class a frozen Pydantic dataclass whose bad values are refused in one line.

    A string literal below a field describes it: editors and the reference show that text. `refuse` makes the
    error of the first fault.

    Example:
        @settings()
        class Handbook:
            top: Count = 5
            \"\"\"How many passages are shown.\"\"\"

        Handbook(top=0)  # SettingError: top must be greater than or equal to 1, not 0
    """
    config = ConfigDict(
        extra="forbid",
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
    )

    def decorate(kind: type[Kind]) -> type[Kind]:
        made: Any = dataclass(frozen=True, kw_only=kw_only, config=config)(kind)
        for base in kind.__mro__[1:]:  # Pydantic reads the descriptions of a class's own fields only
            for name, inherited in getattr(base, "__pydantic_fields__", {}).items():
                field = made.__pydantic_fields__[name]
                field.description = field.description or inherited.description
        positional = [each.name for each in dataclasses.fields(made) if each.init and not each.kw_only]
        build = made.__init__

        @functools.wraps(build)
        def __init__(self: Any, *values: Any, **named: Any) -> None:
            if len(values) > len(positional):
                raise TypeError(f"{kind.__name__} takes {len(positional)} positional arguments at most")
            by_position = dict(zip(positional, values, strict=False))
            if twice := by_position.keys() & named.keys():
                raise TypeError(f"{kind.__name__} got multiple values for {', '.join(sorted(twice))}")
            try:
                build(self, **by_position, **named)
            except ValidationError as failure:
                raise refuse(failure, made) from None

        made.__init__ = __init__
        return made  # type: ignore[no-any-return]

    return decorate


def describe_fields(kind: type) -> dict[str, str]:
    """Return the descriptions of a class's fields, by name.

    A description is the string literal below a field, or the `description` of a Pydantic field.
    """
    found = {name: text for base in reversed(kind.__mro__) for name, text in _read_descriptions(base)}
    fields = getattr(kind, "__pydantic_fields__", {})
    return found | {name: field.description for name, field in fields.items() if field.description}


@functools.cache  # reading the source of a class parses its whole module
def _read_descriptions(kind: type) -> tuple[tuple[str, str], ...]:
    """Return the fields of a class itself that a string literal describes."""
    if not inspect.get_annotations(kind):
        return ()
    try:
        [definition] = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    except (OSError, TypeError):  # a class without source
        return ()
    return tuple(_find_literals(definition))


def _find_literals(definition: ast.stmt) -> Iterator[tuple[str, str]]:
    for field, literal in pairwise(getattr(definition, "body", ())):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
            continue
        if isinstance(literal, ast.Expr) and isinstance(literal.value, ast.Constant):
            yield field.target.id, inspect.cleandoc(str(literal.value.value))
