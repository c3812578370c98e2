"""Classifies failed requests: try again, give up, or count as an answer without text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from langchain_core.exceptions import (
    ContextOverflowError,
    ModelConnectionError,
    ModelTimeoutError,
)
from langchain_core.messages import AIMessage

from ansatz.agents.credentials import KEY, list_credentials
from ansatz.agents.models.retry import Transient, parse_retry_after
from ansatz.errors import InfrastructureError, ModelError, RequestRejected, ResponseTooLarge

if TYPE_CHECKING:
    from ansatz.agents.models.wire import WireRequest

_TEMPORARY = frozenset({408, 409, 425, 429})  # and every 5xx
_PERMANENT = frozenset({401, 402, 403, 404})  # the key or the name is wrong, or the account is empty
_OVERLOADED = frozenset({429, 503, 529})
_EMPTY_ACCOUNT = re.compile(
    r"insufficient_quota|billing|credit balance|exceeded your current quota", re.IGNORECASE
)
_TOO_LONG = re.compile(
    r"context[ _]?(length|window|size)|maximum context|prompt is too long"
    r"|request_too_large|input tokens exceed",
    re.IGNORECASE,
)
_LIMIT_TOO_HIGH = re.compile(
    r"max_(completion_|output_|new_)?tokens['`\"]?.{0,60}(too large|exceed|>)", re.IGNORECASE
)
_ROOM = re.compile(r"length is (\d{1,9}) tokens.{0,400}?(\d{1,9}) in the messages")
_FORBIDDEN = re.compile(
    r"content[ _]filter|content[ _]policy|content management policy|usage policy|invalid_prompt",
    re.IGNORECASE,
)
_TRANSPORT = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "h11", "aiohttp"})
_UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, RecursionError, AssertionError)
_PASSWORD = re.compile(r"://[^/\s@]+@")  # in an address, such as that of a proxy
_LONGEST_REASON = 240
_LONGEST_TEXT = 8_000  # characters of a text from outside that are searched
_MOST_VALUES = 60_000  # of a body of JSON: LangChain and the SDKs take up to half a second to read that many
_LONGEST_START = 80  # characters of an unreadable body in a message


def check_size(body: bytes) -> None:
    """Raise ResponseTooLarge for JSON with too many values: reading it would block the event loop."""
    if body.count(b",") <= _MOST_VALUES:
        return
    bare = body.replace(rb"\\", b"").replace(rb"\"", b"")  # every quotation mark left begins or ends a text
    between_texts = bare.split(b'"', 4 * _MOST_VALUES)[::2]
    if sum(part.count(b",") for part in between_texts) > _MOST_VALUES:
        raise ResponseTooLarge(f"the answer has more than {_MOST_VALUES:,} values")


def as_refusal(failure: Exception) -> AIMessage | None:
    """Return the empty answer that a rejected request counts as, if the request itself was at fault.

    A prompt can be too long for the model, or refused by the provider's content policy. Like a wrong answer,
    that follows from the problem and the arm. It is therefore an empty answer (truncated or refused) and not
    a failure of infrastructure: without it, the arms that cause it would score too high. If `max_tokens` is
    more than the model allows, the settings are at fault, and None is returned.
    """
    is_too_long = isinstance(failure, ContextOverflowError)
    if not is_too_long and getattr(failure, "status_code", None) not in (400, 413):
        return None
    text = _join_texts(failure)
    if _is_limit_too_high(text):
        return None
    if is_too_long or _TOO_LONG.search(text):
        return AIMessage("", response_metadata={"finish_reason": "length"})
    if _FORBIDDEN.search(text):
        return AIMessage("", response_metadata={"finish_reason": "content_filter"})
    return None


def classify_failure(
    failure: Exception, name: str, timeout: float, wire: WireRequest | None = None
) -> Transient | InfrastructureError:
    """Return the error that a failed request means, in one line without secrets.

    A Transient is worth another try. `wire` has the response, if there was one.
    """
    status, root = getattr(failure, "status_code", None), _find_root(failure)
    if isinstance(root, InfrastructureError):
        return type(root)(f"{name}: {clean_message(str(root))}")
    if 407 in (status, getattr(root, "status", None)):
        return ModelError(f"{name}: the proxy rejects the user or password in *_PROXY; correct its address")
    # Some transports report a connection that breaks, or cannot be made, as a timeout.
    is_broken = _library(root) == "aiohttp" or isinstance(root, OSError)
    is_broken = is_broken and not isinstance(root, TimeoutError)
    if isinstance(failure, TimeoutError | ModelTimeoutError) and not is_broken:
        return Transient(f"no answer within {timeout:g} s", may_be_billed=wire is None or wire.was_sent)
    if (
        is_broken
        or isinstance(failure, ConnectionError | ModelConnectionError)
        or _library(failure) in _TRANSPORT
    ):
        return Transient(f"connection failed: {clean_message(f'{type(root).__name__}: {root}')}")
    if isinstance(status, int):
        reason, is_empty = (
            f"{status}: {clean_message(_read_message(failure))}",
            _EMPTY_ACCOUNT.search(_join_texts(failure)),
        )
        if (status in _TEMPORARY or status >= 500) and not is_empty:
            headers = getattr(getattr(failure, "response", failure), "headers", {})
            return Transient(reason, parse_retry_after(headers), status in _OVERLOADED)
        permanent = ModelError if status in _PERMANENT or is_empty else RequestRejected
        provider, _, model = name.partition(":")
        advice = {
            401: f"; check {provider.upper()}_API_KEY",
            403: f"; this key may not use {model}",
            404: f"; check that {provider} serves a model {model!r}, and base_url if one is set",
        }.get(status, "; set a lower max_tokens" if _is_limit_too_high(reason) else "")
        return permanent(f"{name} rejected the request ({reason}){advice}")
    if isinstance(failure, _UNREADABLE):
        return Transient(f"the answer could not be read: {_describe_unreadable(failure, wire)}")
    return RequestRejected(f"{name} failed: {clean_message(f'{type(failure).__name__}: {failure}')}")


def _describe_unreadable(failure: Exception, wire: WireRequest | None) -> str:
    """Return the content type and the start of a body, and for JSON also the fault."""
    reason = clean_message(f"{type(failure).__name__}: {failure}")
    if wire is None or wire.seconds is None:
        return reason
    kind = clean_message(wire.headers.get("content-type", "")) or "a body without content type"
    start = clean_message(wire.start.decode("utf-8", "replace"))
    if not start:
        return f"the server sent {kind} with an empty body"
    excerpt = start if len(start) <= _LONGEST_START else f"{start[:_LONGEST_START]}…"
    return f"the server sent {kind}: {excerpt}" + (f" ({reason})" if "json" in kind else "")


def clean_message(text: str) -> str:
    """Return one line of a readable length, without control characters, keys and passwords."""
    line = "".join(filter(str.isprintable, " ".join(text[:_LONGEST_TEXT].split())))
    if len(text) > _LONGEST_TEXT:
        line = line[:-_LONGEST_REASON]  # it may end with half a key, which would not be recognized
    for secret in list_credentials():
        line = line.replace(secret, "[key]")
    line = KEY.sub("[key]", _PASSWORD.sub("://", line))
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"


def _is_limit_too_high(text: str) -> bool:
    """Whether the prompt fits, but not together with the requested length of the answer."""
    if room := _ROOM.search(text):
        return int(room[2]) < int(room[1])
    return _LIMIT_TOO_HIGH.search(text) is not None


def _read_message(failure: Exception) -> str:
    """Return the message in a provider's error body, which some wrap in a list or call `detail`."""
    body: Any = getattr(failure, "body", None)
    for _ in range(3):
        if isinstance(body, list):
            body = body[0] if body else None
        if isinstance(body, dict):
            body = body.get("error") or body.get("message") or body.get("detail") or body.get("msg") or body
    found = body if body and isinstance(body, str) else str(getattr(failure, "message", failure))
    return found[: 2 * _LONGEST_TEXT]


def _join_texts(failure: Exception) -> str:
    """Return every text that may name the fault: the code, the SDK's message and the provider's message."""
    code = str(getattr(failure, "code", ""))[:_LONGEST_REASON]
    return f"{code} {str(failure)[:_LONGEST_TEXT]} {_read_message(failure)}"


def _find_root(failure: BaseException) -> BaseException:
    """Return the first cause, because the SDKs report only "Connection error."."""
    while failure.__cause__ is not None:
        failure = failure.__cause__
    return failure


def _library(failure: BaseException) -> str:
    """Return the name of the library that defines an error."""
    return type(failure).__module__.partition(".")[0]
