"""Settings with bounds: types for the fields of dataclasses, checked wherever an object is made."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from ansatz.errors import AnsatzError

API_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
"""The environment variables of providers' keys."""
Count = Annotated[int, Field(ge=1, strict=True)]
PositiveNumber = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Share = Annotated[float, Field(gt=0, le=1, strict=True)]


def _named(path: Any) -> Any:
    if isinstance(path, str) and not (path.strip() and path.isprintable()):
        raise ValueError(f"must name a file or a folder, not {path!r}")
    return path


NamedPath = Annotated[Path, BeforeValidator(_named)]
"""An empty text is no path: it would be the folder that one stands in."""


class SettingError(AnsatzError, ValueError):
    """A setting is out of its bounds; the message is one line."""


class Settings:
    """The base of a dataclass whose fields are checked when it is made.

    Example:
        @dataclass(frozen=True)
        class Handbook(Settings):
            top: Count = 5

        Handbook(top=0)  # SettingError: top must be greater than or equal to 1, not 0
    """

    def __post_init__(self) -> None:
        check_settings(self)


def check_settings(instance: Any) -> None:
    """Raise SettingError where a field is outside the bounds or choices that its annotation states.

    A whole number becomes a float where one is wanted, as in a study file: 20 s and 20.0 s are one treatment.
    """
    hints = get_type_hints(type(instance), include_extras=True)
    for field in fields(instance):
        value = getattr(instance, field.name)
        if not _is_bounded(hints[field.name]) and float not in (
            hints[field.name],
            *get_args(hints[field.name]),
        ):
            continue
        try:
            found = TypeAdapter(hints[field.name]).validate_python(value)
        except ValidationError as error:
            wrong = error.errors()[0]["msg"].replace("Input should be", "must be")
            raise SettingError(f"{field.name} {wrong}, not {value!r}") from None
        if isinstance(found, float):
            object.__setattr__(instance, field.name, found)


def _is_bounded(hint: Any) -> bool:
    """Whether an annotation states bounds or choices, in whatever depth, such as `Share | None`."""
    return (
        hasattr(hint, "__metadata__")
        or get_origin(hint) is Literal
        or any(map(_is_bounded, getattr(hint, "__args__", ())))
    )
