"""The outcome of one execution, read from what the sandbox returns."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ansatz.errors import InfrastructureError
from ansatz.sandbox import encoding
from ansatz.sandbox.encoding import EncodingError, clean

Status = Literal["ok", "error", "timeout", "killed", "crash", "bad_result"]
"""error: an exception of the code. killed: by the system, most often for lack of memory, or for too much
output. crash: of the interpreter. bad_result: no value, or one that cannot be encoded."""
_OK, _FAILED, _NO_RESULT = 0, 1, 3
_LONGEST_ERROR = 2000


class Execution(BaseModel):
    """The outcome of one execution."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    status: Status
    value: Any = None
    """The function's return value, or the value of a program's last expression."""
    stdout: str = ""
    stderr: str = ""
    """It ends with a traceback that has the lines of the code only."""
    error: str | None = None
    exception: str | None = None
    """Type of the code's exception."""
    truncated: bool = False
    """Whether output is missing."""
    wall: float = 0.0
    """Seconds from the start of the process to its end, without the wait for a worker."""
    cpu: float = 0.0
    """Seconds of processor time; 0 if no worker measured it."""
    max_rss: int = 0
    """Peak memory in bytes; 0 if no worker measured it."""
    isolation: str = "none"
    """full, landlock, filter, one of these in a container ("docker full"), seatbelt or none."""

    @property
    def verdict(self) -> Literal["ok", "exception", "timeout", "memory", "failed"]:
        """The outcome for a check of an answer; "memory" if the code ran out of memory."""
        # Too much output is the other reason to be killed.
        if self.exception == "MemoryError" or (self.status == "killed" and not self.truncated):
            return "memory"
        if self.status == "error":
            return "exception"
        return self.status if self.status in ("ok", "timeout") else "failed"


@dataclass
class Output:
    """The beginning of a stream, and its total length."""

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
    """The raw outcome of one execution: its output, its result, and its worker's report."""

    stdout: Output
    stderr: Output
    result: Output
    reply: dict[str, Any]
    isolation: str
    timeout: float

    def execution(self) -> Execution:
        """Build the outcome. The kernel reports status and usage; ok also needs exit 0 and a valid result."""
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
            return {"status": "killed", "error": "the code wrote too much output"}
        if code < 0:
            return self._outcome_of_signal(-code)
        return self._outcome_of_result(code)

    def _outcome_of_signal(self, number: int) -> dict[str, Any]:
        name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
        if number == signal.SIGXCPU or (number == signal.SIGKILL and self.reply["cpu"] > self.timeout):
            error = f"the code used more than {self.timeout:g} s of processor time"
            return {"status": "timeout", "error": error}
        if number == signal.SIGKILL:
            return {"status": "killed", "error": "the system killed the code, most likely for lack of memory"}
        return {"status": "crash", "error": f"the code was ended by {name}"}

    def _outcome_of_result(self, code: int) -> dict[str, Any]:
        try:
            document = encoding.parse(bytes(self.result.kept))
            if code == _OK and isinstance(document, dict) and document.keys() == {"value"}:
                return {"status": "ok", "value": encoding.decode(document["value"])}
        except EncodingError as failure:
            document = {"error": f"the result is malformed: {failure}"} if self.result.total else None
        report = document if isinstance(document, dict) else {}
        error, exception = _shorten(report.get("error")), _shorten(report.get("exception"))
        if code == _FAILED and error and exception:
            return {"status": "error", "error": error, "exception": exception}
        if code in (_OK, _NO_RESULT):
            return {"status": "bad_result", "error": error or "the code ended without a result"}
        return {"status": "crash", "error": f"the code ended with exit status {code} and no result"}


def _shorten(text: object) -> str | None:
    return clean(text)[:_LONGEST_ERROR] if isinstance(text, str) else None
