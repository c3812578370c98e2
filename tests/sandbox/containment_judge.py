"""Run one attack and judge from outside whether it was contained.

The judge does not trust reports of the runner. It checks output, listeners, files, processes, memory and time. It
believes an attack only if the attack reports success, because lying about that gains nothing.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.sandbox.containment_corpus import Attack, fill
from tests.sandbox.containment_machine import User
from tests.sandbox.containment_stage import Stage
from tests.sandbox.containment_subject import Outcome, Subject
from tests.sandbox.containment_watch import Peaks

WALL_SLACK = 3.0  # seconds beyond the time limit that a runner may take
# Time limit, and seconds that the judge waits for an answer. A plain subprocess imports numpy within its limit.
TIMES = {"sandbox": (1.5, 6.5), "plain": (4.0, 5.5), "exec": (4.0, 3.0)}
MEMORY_MB = 128
HOST_GROWTH_MB, SHARED_MB, DISK_MB, REPLY_MB, FILES, THREADS = 24, 128, 96, 4, 2000, 80
HEALTHY = """import json, math
print("he" + "llo")
[6 * 7, math.sqrt(4.0), json.dumps({"a": 1}), sorted([3, 1, 2]), len("abc")]"""
HEALTHY_VALUE = "[42, 2.0, '{\"a\": 1}', [1, 2, 3], 3]"


class Judge:
    """Runs attacks on one runner of one user, and replaces the runner's process if it was damaged."""

    def __init__(self, runner: str, user: User) -> None:
        self.runner, self.user = runner, user
        self.timeout, self.patience = TIMES[runner.partition(":")[0]]
        self.stage = Stage(user.number)
        self._subject: Subject | None = None
        self._calm: tuple[Peaks, int] | None = None
        self._logged = 0

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.stage.close()

    def judge(self, attack: Attack) -> list[str]:
        """Run the attack once, then a healthy call; return how it escaped, or nothing if it was contained."""
        with _alone(attack):
            subject = self._subject = self._subject or Subject(
                self.runner, self.user, (self.timeout, MEMORY_MB), self.stage
            )
            calm, idle = self._calm = self._calm or subject.calm()
            self.stage.reset()
            self._logged = subject.log.stat().st_size
            reasons = list(dict.fromkeys(self._attempt(subject, attack, calm, idle)))
            if reasons or attack.ending:
                self.stop(0.5)
            self.stage.sweep()
        return reasons

    def stop(self, seconds: float = 5.0) -> list[str]:
        """End the runner; return the names of processes that stay alive."""
        subject, self._subject = self._subject, None
        return subject.close(seconds) if subject else []

    def _attempt(self, subject: Subject, attack: Attack, calm: Peaks, idle: int) -> Iterator[str]:
        before, values = subject.state(), self.stage.values() | subject.values()
        code = fill(attack.code, values)
        with subject.watch() as peaks:
            started = time.monotonic()
            if attack.ending:
                subject.kill_during(code)
                yield from subject.lived_on(0)
                return
            outcome = subject.ask(code, self.patience)
            wall = time.monotonic() - started
        yield from self._escapes_by_peaks(peaks, calm)
        if (
            attack.category == "resources" and peaks.shared_memory_mb > SHARED_MB
        ):  # of the machine: others fill it too
            yield f"{peaks.shared_memory_mb:.0f} MB of shared memory were filled"
        yield from self._escapes_by_stage(subject, outcome)
        if outcome is None:
            yield "the host died" if subject.is_gone() else f"no answer within {wall:.1f} s"
            return
        yield from self._escapes_by_outcome(attack, outcome, wall)
        if subject.is_orphan():
            yield "the host's parent died"
            return
        after = subject.state()
        yield from (f"the host's {name} changed" for name in before if after[name] != before[name])
        yield from self._escapes_by_next_call(subject, attack, values)
        yield from subject.lived_on(idle)

    def _escapes_by_outcome(self, attack: Attack, outcome: Outcome, wall: float) -> Iterator[str]:
        level, size = self.runner.partition(":")[2], outcome.get("length", 0) / 2**20
        if wall > self.timeout + WALL_SLACK:
            yield f"the call took {wall:.1f} s of {self.timeout:g} s"
        if size > REPLY_MB:
            yield f"{size:.0f} MB were handed over"
        if attack.verdict == "not ok" and outcome.get("status") == "ok":
            yield "a success was forged"
        if "raised" in outcome:
            yield f"the runner raised {outcome['raised']}"
        elif level and outcome["isolation"] != level:
            yield f"isolation was reported as {outcome['isolation']}"

    def _escapes_by_peaks(self, peaks: Peaks, calm: Peaks) -> Iterator[str]:
        memory, host = peaks.memory_mb - calm.memory_mb, peaks.host_mb - calm.host_mb
        if peaks.processes > calm.processes:
            yield f"{peaks.processes - calm.processes} more processes ran"
        if programs := peaks.names - calm.names:
            yield f"another program ran: {', '.join(sorted(programs))}"
        if peaks.threads > calm.threads + THREADS:
            yield f"{peaks.threads} threads ran"
        if memory > 1.25 * MEMORY_MB + 32:
            yield f"{memory:.0f} MB of memory were used"
        if host > HOST_GROWTH_MB:
            yield f"the host grew by {host:.0f} MB"
        if peaks.served:
            yield "a server answered from inside"

    def _escapes_by_stage(self, subject: Subject, outcome: Outcome | None) -> Iterator[str]:
        shown = self._shown(subject, outcome)
        yield from self.stage.leaks(shown)
        yield from self.stage.changes()
        yield from (f"the listener '{name}' was reached" for name in self.stage.listeners.hits)
        if self.stage.token[::-1] in shown:
            yield "the attack reports success"
        if (disk := self.stage.disk_mb()) > DISK_MB:
            yield f"{disk:.0f} MB of disk were filled"
        if (files := self.stage.files()) > FILES:
            yield f"{files} files were made"

    def _escapes_by_next_call(
        self, subject: Subject, attack: Attack, values: dict[str, str]
    ) -> Iterator[str]:
        if attack.next_call:
            outcome = subject.ask(fill(attack.next_call, values | {"SECRET": "none"}), self.patience)
            if values["SECRET"] in self._shown(subject, outcome):
                yield "the next call found what this one left"
            yield from self._escapes_by_stage(subject, outcome)
        healthy = subject.ask(HEALTHY, self.patience)
        if healthy is None:
            yield "the next call had no answer"
        elif (healthy.get("status"), healthy.get("value")) != ("ok", HEALTHY_VALUE) or "hello" not in healthy[
            "stdout"
        ]:
            yield f"the next call was not healthy: {_text(healthy)[:200]}"

    def _shown(self, subject: Subject, outcome: Outcome | None) -> str:
        return _text(outcome) + subject.log.read_bytes()[self._logged :].decode("utf-8", "replace")


def _text(outcome: Outcome | None) -> str:
    return "\n".join(str(value) for value in (outcome or {}).values())


@contextlib.contextmanager
def _alone(attack: Attack) -> Iterator[None]:
    """Run attacks on resources of the whole machine one at a time, also across test processes."""
    with Path(tempfile.gettempdir(), f"ansatz-attacks-{os.getuid()}.lock").open("w") as held:
        if attack.category == "resources":
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
