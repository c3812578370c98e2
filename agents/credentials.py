"""Credentials in settings: values that are never stored or shown, and come from the environment.

A credential is recognized by its position, by the name of its setting, or by its form. Positions are headers,
queries and passwords in addresses; forms are a provider's key and `Bearer …`. `${NAME}` in a setting is
stored unchanged. It is replaced by the environment variable NAME when a connection is opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretBytes, SecretStr

from ansatz.errors import UnsetVariable

KEY = re.compile(r"\b(sk|pk|gsk|xai)-[\w*.-]{6,}")
"""A possible key of a provider in a text that is only displayed, where a false match does no harm."""

NOT_STORED = (
    "a run folder does not store headers, queries and other credentials; resume with the study file and "
    "--out, or write them as ${NAME} there"
)
_HIDDEN = "[key]"
_ACCESS = frozenset(
    "default_headers extra_headers headers default_query extra_query organization openai_organization".split()  # noqa: SIM905
)
"""Settings for the access to a server. The names in them are part of the identity, their values are not."""
_NAME = re.compile(
    r"authorization|api[-_]?key|(subscription|access|functions?|private|master)[-_]key|secret|passw|cookie"
    r"|credential|(^|[-_])proxy$|^token$|(auth|access|api|bearer|refresh|session|security|gateway)[-_]?token$",
    re.IGNORECASE,
)
_KEY_IN_TEXT = re.compile(r"\b(?:sk|pk|gsk|xai)[-_](?:\w{1,40}-){0,6}?(?=[A-Za-z_]*\d)\w{10,}(?:[-_*]+\w+)*")
_KEY_BEGINNINGS = ("sk-", "sk_", "pk-", "pk_", "xai-", "xai_")
"""One of these is in every match of `_KEY_IN_TEXT`."""
_SCHEME = re.compile(r"^\s*(Bearer|Basic)\s+[^\s$]\S*\s*$", re.IGNORECASE)
_QUERY = re.compile(
    r"([?&](?:[\w-]*(?:key|token|secret|password)|sig|signature|code)=)[^&\s]+", re.IGNORECASE
)
_RANDOM = re.compile(r"(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{16,}")
_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_TOKEN_NAME = re.compile(r"token$", re.IGNORECASE)
_TOKEN = re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9._~+/=-]{8,}")
"""A bearer token (RFC 6750, section 2.1). Tokens of a model's text, such as `<|end|>`, do not match."""
_SHORTEST = 6  # characters: shorter values would hide ordinary words
_used: set[str] = set()  # credentials in settings of this process


def is_credential(name: str, value: Any) -> bool:
    """Whether a setting holds a credential, by its name and type."""
    if isinstance(value, SecretStr | SecretBytes):
        return True
    if is_credential_name(name):
        return isinstance(value, str | bytes | list | dict)
    is_token = _TOKEN_NAME.search(name) and isinstance(value, str) and _TOKEN.fullmatch(value)
    return bool(is_token)


def is_credential_name(name: str) -> bool:
    """Whether a setting holds a credential, by its name."""
    return _NAME.search(name) is not None


def is_access(name: str) -> bool:
    """Whether all values of a setting are credentials by position."""
    return name in _ACCESS


def hide_values(value: Any) -> Any:
    """Replace the values of access settings. A reference `${NAME}` stays."""
    if isinstance(value, Mapping):
        return {
            str(key): hide_values(item) for key, item in value.items() if not is_credential(str(key), item)
        }
    return _hide_value(value)


def mask_credentials(settings: Any, *, is_request: bool = False) -> Any:
    """Replace the values of credentials in the settings of a study by `[key]`. References `${NAME}` stay.

    In `extra`, which goes into requests, it also replaces values that have the form of a key.
    """
    if isinstance(settings, Mapping):
        return {
            name: _mask(item)
            if is_access(str(name)) or is_credential(str(name), item)
            else mask_credentials(item, is_request=is_request or name == "extra")
            for name, item in settings.items()
        }
    if isinstance(settings, list | tuple):
        return [mask_credentials(item, is_request=is_request) for item in settings]
    has_form = is_request and isinstance(settings, str) and hide_in_text(settings) != settings
    return _HIDDEN if has_form else settings


def has_masked(settings: Any) -> bool:
    """Whether `mask_credentials` has replaced a value in settings, apart from `extra`."""
    if isinstance(settings, Mapping):
        return any(has_masked(item) for name, item in settings.items() if name != "extra")
    if isinstance(settings, list | tuple):
        return any(map(has_masked, settings))
    return bool(settings == _HIDDEN)


def _mask(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _mask(item) for name, item in value.items()}
    return [*map(_mask, value)] if isinstance(value, list | tuple) else _hide_value(value)


def _hide_value(value: Any) -> Any:
    is_reference = isinstance(value, str) and _VARIABLE.search(value) and not _VARIABLE.sub("", value).strip()
    return value if value is None or is_reference else _HIDDEN


def hide_in_text(text: str) -> str:
    """Remove from a text what has the form of a key, and from an address its password."""
    if text.startswith(("http://", "https://")) and "@" in urlsplit(text).netloc:
        text = text.replace(f"{urlsplit(text).netloc.rpartition('@')[0]}@", "", 1)
    return _SCHEME.sub(rf"\1 {_HIDDEN}", _hide_keys(_QUERY.sub(rf"\1{_HIDDEN}", text)))


def hide_in_address(address: str) -> str:
    """Remove password and query of an address, and parts of its path that look like keys."""
    if not address.startswith(("http://", "https://")):
        return hide_in_text(address)
    host = urlsplit(address).netloc.rpartition("@")[2]
    scheme, _, rest = address.partition("://")
    path = rest.partition("?")[0].partition("/")[2] if "/" in rest else ""
    public = f"{scheme}://{host}" + ("/" if "/" in rest.partition("?")[0] else "")
    return public + _RANDOM.sub(_HIDDEN, hide_in_text(path))


def fill_in_environment(value: Any) -> Any:
    """Replace each `${NAME}` in a setting by the environment variable.

    Raises UnsetVariable, also for a value that `mask_credentials` has replaced.
    """
    if isinstance(value, str):
        if value == _HIDDEN:
            raise UnsetVariable(NOT_STORED)
        return _VARIABLE.sub(_read_variable, value)
    if isinstance(value, Mapping):
        return {key: fill_in_environment(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(fill_in_environment, value))
    return value


def hide_credentials(text: str, credentials: Sequence[str] | None = None) -> str:
    """Remove from a text all credentials of this process, and what has the form of a key.

    `credentials` are those of `list_credentials`, for callers with many texts.
    """
    for secret in list_credentials() if credentials is None else credentials:
        text = text.replace(secret, _HIDDEN)
    return _hide_keys(text)


def _hide_keys(text: str) -> str:
    """Remove what has the form of a key; a text without any beginning of a key needs no slow search."""
    return _KEY_IN_TEXT.sub(_HIDDEN, text) if any(each in text for each in _KEY_BEGINNINGS) else text


def register_credentials(settings: Mapping[str, Any]) -> None:
    """Hide the credentials in these settings in every later message of this process."""
    _used.update(text for text in _find_credentials(settings) if len(text) >= _SHORTEST)


def list_credentials() -> list[str]:
    """Return the credentials in the environment and in settings of this process, longest first."""
    found = {os.environ.get(name, "") for name in os.environ if _names_credential(name)}
    return sorted({each for each in found if len(each) >= _SHORTEST} | _used, key=len, reverse=True)


@cache
def _names_credential(variable: str) -> bool:
    return re.search(r"(KEY|TOKEN|SECRET|PASSWORD)$", variable, re.IGNORECASE) is not None


def _read_variable(variable: re.Match[str]) -> str:
    value = os.environ.get(variable[1])
    if not value:
        raise UnsetVariable(f"a setting names the environment variable {variable[1]}, which is not set")
    if len(value) >= _SHORTEST:
        _used.add(value)
    return value


def _find_credentials(settings: Mapping[str, Any]) -> Iterator[str]:
    for name, value in settings.items():
        if is_access(name) or is_credential(name, value):
            yield from _iterate_texts(value)
        elif isinstance(value, Mapping):
            yield from _find_credentials(value)


def _iterate_texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _iterate_texts(item)
    elif isinstance(value, str) and not _VARIABLE.search(value):
        yield value
