"""The outcome of one run of model-written code, and how it is read from what the sandbox handed over."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ansatz.errors import InfrastructureError
from ansatz.sandbox import encoding
from ansatz.sandbox.encoding import EncodingError, clean

Status = Literal["ok", "error", "timeout", "killed", "crash", "bad_result"]
_OK, _FAILED, _NO_RESULT = 0, 1, 3
_LONGEST_ERROR = 2000


class Execution(BaseModel):
    """What came of one run.

    `status`: ok; error, an exception of the code, named by `exception`; timeout; killed, by the system, most
    often for memory, or for a flood of output; crash, of the interpreter; bad_result, a value that cannot be
    handed over, or an end without one. `value` is what was returned, or a program's last expression.
    `stderr` ends with a traceback of the code's own lines. `wall` is seconds from the start of its process to
    its end: waiting for a worker, or for one to start, is no part of it. `cpu` is seconds, `max_rss` bytes;
    both are 0 where there was no worker to measure them. `isolation` is the level it ran at: full,
    landlock, filter, one of them in a container, seatbelt, or none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    status: Status
    value: Any = None
    stdout: str = ""
    stderr: str = ""
    error: str | None = None
    exception: str | None = None
    truncated: bool = False
    wall: float = 0.0
    cpu: float = 0.0
    max_rss: int = 0
    isolation: str = "none"

    @property
    def verdict(self) -> Literal["ok", "exception", "timeout", "memory", "failed"]:
        """How a check of an answer counts it: memory is told apart wherever it can be."""
        was_flooding = self.truncated  # the other reason to be killed
        if self.exception == "MemoryError" or (self.status == "killed" and not was_flooding):
            return "memory"
        if self.status == "error":
            return "exception"
        return self.status if self.status in ("ok", "timeout") else "failed"


@dataclass
class Output:
    """The beginning of a stream, and how much it was in all."""

    limit: int
    kept: bytearray = field(default_factory=bytearray)
    total: int = 0

    def add(self, chunk: bytes) -> None:
        self.total += len(chunk)
        self.kept += chunk[: max(self.limit - len(self.kept), 0)]

    @property
    def cut(self) -> bool:
        return self.total > self.limit

    def text(self) -> str:
        text = self.kept.decode("utf-8", "replace")
        return f"{text}\n[cut: the first {self.limit} of {self.total} bytes]" if self.cut else text


@dataclass
class Finished:
    """What one execution left: its output, its result, and the word of its worker on how it ended."""

    stdout: Output
    stderr: Output
    result: Output
    reply: dict[str, Any]
    isolation: str
    timeout: float

    def execution(self) -> Execution:
        """Status and usage are the kernel's word; ok needs exit 0 and a well-formed result as well."""
        if self.reply["fault"]:
            raise InfrastructureError(f"the sandbox could not be locked down: {self.reply['fault']}")
        return Execution(
            **self._outcome(),
            stdout=self.stdout.text(),
            stderr=self.stderr.text(),
            truncated=self.stdout.cut or self.stderr.cut,
            wall=self.reply["wall"],
            cpu=self.reply["cpu"],
            max_rss=self.reply["max_rss"],
            isolation=self.isolation,
        )

    def _outcome(self) -> dict[str, Any]:
        code: int = self.reply["code"]
        if self.reply["ended_by"] == "deadline":
            return {"status": "timeout", "error": f"the code ran longer than {self.timeout:g} s"}
        if self.reply["ended_by"] == "parent":
            return {"status": "killed", "error": "the code wrote more output than is read"}
        if code < 0:
            return self._signalled(-code)
        return self._handed_over(code)

    def _signalled(self, number: int) -> dict[str, Any]:
        name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
        if number == signal.SIGXCPU or (number == signal.SIGKILL and self.reply["cpu"] > self.timeout):
            error = f"the code used more than {self.timeout:g} s of processor time"
            return {"status": "timeout", "error": error}
        if number == signal.SIGKILL:
            return {"status": "killed", "error": "the system killed the code, most likely for want of memory"}
        return {"status": "crash", "error": f"the code was ended by {name}"}

    def _handed_over(self, code: int) -> dict[str, Any]:
        try:
            document = encoding.parse(bytes(self.result.kept))
            if code == _OK and isinstance(document, dict) and document.keys() == {"value"}:
                return {"status": "ok", "value": encoding.decode(document["value"])}
        except EncodingError as failure:
            document = {"error": f"the result is malformed: {failure}"} if self.result.total else None
        told = document if isinstance(document, dict) else {}
        error, exception = _short(told.get("error")), _short(told.get("exception"))
        if code == _FAILED and error and exception:
            return {"status": "error", "error": error, "exception": exception}
        if code in (_OK, _NO_RESULT):
            return {"status": "bad_result", "error": error or "the code ended without handing over a result"}
        return {"status": "crash", "error": f"the code ended with exit status {code} and no result"}


def _short(text: object) -> str | None:
    return clean(text)[:_LONGEST_ERROR] if isinstance(text, str) else None
