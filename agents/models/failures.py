"""What a failed request means: try again, give up, or accept that the model would not answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from langchain_core.exceptions import (
    ContextOverflowError,
    ModelConnectionError,
    ModelTimeoutError,
)
from langchain_core.messages import AIMessage

from ansatz.agents.credentials import KEY, known_credentials
from ansatz.agents.models.retry import Transient, retry_after
from ansatz.errors import InfrastructureError, ModelError, RequestRejected, ResponseTooLarge

if TYPE_CHECKING:
    from ansatz.agents.models.wire import WireTime

_PASSING = frozenset({408, 409, 425, 429})  # and every 5xx
_HOPELESS = frozenset({401, 402, 403, 404})  # the key or the name is wrong, or the money is spent
_OVERLOADED = frozenset({429, 503, 529})
_SPENT = re.compile(r"insufficient_quota|billing|credit balance|exceeded your current quota", re.IGNORECASE)
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
_LONGEST_SAID = 8_000  # characters of a text from outside that are searched for what it means
_MOST_VALUES = 60_000  # of a body of JSON: LangChain and the SDKs take up to half a second to read them
_SHOWN = 80  # characters of a body that is not the protocol


def demand_parsable(body: bytes) -> None:
    """Raises ResponseTooLarge for JSON of so many values that reading it would stop the event loop."""
    if body.count(b",") <= _MOST_VALUES:
        return
    bare = body.replace(rb"\\", b"").replace(rb"\"", b"")  # every quotation mark left begins or ends a text
    between_texts = bare.split(b'"', 4 * _MOST_VALUES)[::2]
    if sum(part.count(b",") for part in between_texts) > _MOST_VALUES:
        raise ResponseTooLarge(f"the answer has more than {_MOST_VALUES:,} values")


def declined(failure: Exception) -> AIMessage | None:
    """The empty answer that a rejected request amounts to, if the request itself was at fault.

    A prompt too long for the model, or refused by the provider's content policy, follows from the problem
    and the arm's treatment, as a wrong answer does. It is therefore an answer (truncated or refused, and
    empty), not a failure of infrastructure: dropping it would flatter the arms that cause it. A `max_tokens`
    beyond what the model allows is neither: the settings are at fault.
    """
    is_too_long = isinstance(failure, ContextOverflowError)
    if not is_too_long and getattr(failure, "status_code", None) not in (400, 413):
        return None
    said = _all_said(failure)
    if _limit_too_high(said):
        return None
    if is_too_long or _TOO_LONG.search(said):
        return AIMessage("", response_metadata={"finish_reason": "length"})
    if _FORBIDDEN.search(said):
        return AIMessage("", response_metadata={"finish_reason": "content_filter"})
    return None


def understood(
    failure: Exception, name: str, timeout: float, wire: WireTime | None = None
) -> Transient | InfrastructureError:
    """The failure of one request, as one line without secrets: worth another try, or not.

    `wire` has the response, where there was one.
    """
    status, root = getattr(failure, "status_code", None), _root(failure)
    if isinstance(root, InfrastructureError):
        return type(root)(f"{name}: {cleaned(str(root))}")
    if 407 in (status, getattr(root, "status", None)):
        return ModelError(f"{name}: the proxy wants another user or password than its address in *_PROXY has")
    # Some transports take a connection that breaks, or cannot be made, for one that took too long.
    is_broken = _module(root) == "aiohttp" or isinstance(root, OSError)
    is_broken = is_broken and not isinstance(root, TimeoutError)
    if isinstance(failure, TimeoutError | ModelTimeoutError) and not is_broken:
        return Transient(f"no answer within {timeout:g} s", may_be_billed=wire is None or wire.was_sent)
    if (
        is_broken
        or isinstance(failure, ConnectionError | ModelConnectionError)
        or _module(failure) in _TRANSPORT
    ):
        return Transient(f"connection failed: {cleaned(f'{type(root).__name__}: {root}')}")
    if isinstance(status, int):
        reason, is_spent = f"{status}: {cleaned(_said(failure))}", _SPENT.search(_all_said(failure))
        if (status in _PASSING or status >= 500) and not is_spent:
            headers = getattr(getattr(failure, "response", failure), "headers", {})
            return Transient(reason, retry_after(headers), status in _OVERLOADED)
        permanent = ModelError if status in _HOPELESS or is_spent else RequestRejected
        provider, _, model = name.partition(":")
        advice = {
            401: f"; check {provider.upper()}_API_KEY",
            403: f"; this key may not use {model}",
            404: f"; check that {provider} serves a model {model!r}, and base_url if one is set",
        }.get(status, "; set a lower max_tokens" if _limit_too_high(reason) else "")
        return permanent(f"{name} rejected the request ({reason}){advice}")
    if isinstance(failure, _UNREADABLE):
        return Transient(f"the answer could not be read: {_unreadable(failure, wire)}")
    return RequestRejected(f"{name} failed: {cleaned(f'{type(failure).__name__}: {failure}')}")


def _unreadable(failure: Exception, wire: WireTime | None) -> str:
    """The content type and the start of a body, and for JSON also what was wrong with it."""
    reason = cleaned(f"{type(failure).__name__}: {failure}")
    if wire is None or wire.seconds is None:
        return reason
    kind = cleaned(wire.headers.get("content-type", "")) or "a body without content type"
    start = cleaned(wire.start.decode("utf-8", "replace"))
    if not start:
        return f"the server sent {kind} with an empty body"
    shown = start if len(start) <= _SHOWN else f"{start[:_SHOWN]}…"
    return f"the server sent {kind}: {shown}" + (f" ({reason})" if "json" in kind else "")


def cleaned(text: str, secrets: Iterable[str] | None = None) -> str:
    """One line of a readable length, with all that looks like a key or a password blotted out.

    Nothing is left in it that would steer a terminal.
    """
    line = "".join(filter(str.isprintable, " ".join(text[:_LONGEST_SAID].split())))
    if len(text) > _LONGEST_SAID:
        line = line[:-_LONGEST_REASON]  # half a key, which would not be recognized
    for secret in known_credentials() if secrets is None else secrets:
        line = line.replace(secret, "[key]")
    line = KEY.sub("[key]", _PASSWORD.sub("://", line))
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"


def _limit_too_high(said: str) -> bool:
    """Whether the prompt would have had room, but for the tokens that were asked for beside it."""
    if room := _ROOM.search(said):
        return int(room[2]) < int(room[1])
    return _LIMIT_TOO_HIGH.search(said) is not None


def _said(failure: Exception) -> str:
    """The provider's own words, out of its error body, which some wrap in a list, or call `detail`."""
    body: Any = getattr(failure, "body", None)
    for _ in range(3):
        if isinstance(body, list):
            body = body[0] if body else None
        if isinstance(body, dict):
            body = body.get("error") or body.get("message") or body.get("detail") or body.get("msg") or body
    found = body if body and isinstance(body, str) else str(getattr(failure, "message", failure))
    return found[: 2 * _LONGEST_SAID]


def _all_said(failure: Exception) -> str:
    """All in which a provider may say what is wrong: its code, the SDK's message, its own words."""
    code = str(getattr(failure, "code", ""))[:_LONGEST_REASON]
    return f"{code} {str(failure)[:_LONGEST_SAID]} {_said(failure)}"


def _root(failure: BaseException) -> BaseException:
    """The SDKs say only "Connection error."; what happened is further down."""
    while failure.__cause__ is not None:
        failure = failure.__cause__
    return failure


def _module(failure: BaseException) -> str:
    return type(failure).__module__.partition(".")[0]
