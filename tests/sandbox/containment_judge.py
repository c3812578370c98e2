"""Runs one attack and says from the outside whether it was contained.

Nothing here trusts what the runner says about itself: it looks at output, listeners, files, processes, memory and
time. The one thing taken on an attack's own word is success, since an attack gains nothing by lying about that.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.sandbox.containment_corpus import Attack, fill
from tests.sandbox.containment_machine import User
from tests.sandbox.containment_stage import Stage
from tests.sandbox.containment_subject import KEY_NAME, Outcome, Subject, excess
from tests.sandbox.containment_watch import Peaks

WALL_SLACK = 3.0  # seconds beyond the time limit that a runner may take
# Time limit, and seconds that the judge waits for an answer. A plain subprocess imports numpy within its limit.
TIMES = {"sandbox": (1.5, 6.5), "plain": (4.0, 5.5), "limited": (4.0, 7.5), "exec": (4.0, 3.0)}
HOST_GROWTH_MB, SHARED_MB, DISK_MB, REPLY_MB, FILES, THREADS = 24, 128, 96, 4, 2000, 80
HEALTHY = """import json, math
print("he" + "llo")
[6 * 7, math.sqrt(4.0), json.dumps({"a": 1}), sorted([3, 1, 2]), len("abc")]"""
HEALTHY_VALUE = "[42, 2.0, '{\"a\": 1}', [1, 2, 3], 3]"


@dataclass(frozen=True)
class Verdict:
    """`reasons` says how the attack got out; contained when there is none."""

    attack: Attack
    reasons: tuple[str, ...]
    seconds: float
    outcome: Outcome = field(repr=False)

    @property
    def contained(self) -> bool:
        return not self.reasons


class Judge:
    """Puts attacks to one runner of one user, and replaces the runner's process once it was harmed."""

    def __init__(self, runner: str, user: User, memory_mb: int = 128) -> None:
        timeout, self.patience = TIMES[runner.partition(":")[0]]
        self.runner, self.user, self.limits = runner, user, (timeout, memory_mb)
        self.stage = Stage(user.number)
        self._subject: Subject | None = None
        self._logged = 0

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.stage.close()

    def judge(self, attack: Attack) -> Verdict:
        """Run the attack once, with a healthy call after it."""
        with _alone(attack):
            subject = self._subject = self._subject or Subject(
                self.runner, self.user, self.limits, self.stage
            )
            self.stage.reset()
            self.stage.listeners.hits.clear()
            self._logged = subject.log.stat().st_size
            started = time.monotonic()
            reasons, outcome = self._attempt(subject, attack)
            verdict = Verdict(attack, tuple(dict.fromkeys(reasons)), time.monotonic() - started, outcome)
            if reasons or attack.host_is_killed:
                self.stop(0.5)
            self.stage.sweep()
        return verdict

    def stop(self, seconds: float = 5.0) -> list[str]:
        """End the runner; names the processes that stay alive."""
        subject, self._subject = self._subject, None
        return subject.close(seconds) if subject else []

    def _attempt(self, subject: Subject, attack: Attack) -> tuple[list[str], Outcome]:
        before, values = subject.state(), self._values(subject)
        with subject.watch() as peaks:
            started = time.monotonic()
            if attack.host_is_killed:
                subject.kill_during(fill(attack.code, values))
                return self._lived_on(subject, 0), {}
            outcome = subject.ask(fill(attack.code, values), self.patience)
            wall = time.monotonic() - started
        reasons = self._from_peaks(peaks, subject.calm) + self._from_stage(subject, outcome)
        if outcome is None:
            return [*reasons, "the host died" if subject.is_gone() else f"no answer within {wall:.1f} s"], {}
        reasons += self._from_outcome(attack, outcome, wall)
        if subject.is_orphan():
            return [*reasons, "the host's parent died"], outcome
        after = subject.state()
        reasons += [f"the host's {name} changed" for name in before if after[name] != before[name]]
        reasons += self._next_call(subject, attack, values)
        return reasons + self._lived_on(subject, subject.idle), outcome

    def _values(self, subject: Subject) -> dict[str, str]:
        return self.stage.values() | {
            "KEY_NAME": KEY_NAME,
            "HOST_PID": str(subject.host),
            "SUPERVISOR_PID": str(subject.supervisor),
            "SECRET": f"{self.stage.token}carried{time.monotonic_ns()}",
            "SHARED_MEMORY": subject.shared_memory,
            "SERVE_PORT": str(subject.serve_port),
        }

    def _from_outcome(self, attack: Attack, outcome: Outcome, wall: float) -> list[str]:
        said, level = outcome.get("isolation"), self.runner.partition(":")[2]
        size = outcome.get("length", 0) / 2**20
        checks = (
            ("raised" in outcome, f"the runner raised {outcome.get('raised')}"),
            (wall > self.limits[0] + WALL_SLACK, f"the call took {wall:.1f} s of {self.limits[0]:g} s"),
            (size > REPLY_MB, f"{size:.0f} MB were handed over"),
            (attack.must_not_be_ok and outcome.get("status") == "ok", "a success was forged"),
            (bool(level) and "raised" not in outcome and said != level, f"isolation was said to be {said}"),
        )
        return [reason for holds, reason in checks if holds]

    def _from_peaks(self, peaks: Peaks, calm: Peaks) -> list[str]:
        processes, programs = excess(peaks, calm)
        memory, host = peaks.memory_mb - calm.memory_mb, peaks.host_mb - calm.host_mb
        checks = (
            (processes > 0, f"{processes} more processes ran"),
            (bool(programs), f"another program ran: {', '.join(sorted(programs))}"),
            (peaks.threads > calm.threads + THREADS, f"{peaks.threads} threads ran"),
            (memory > 1.25 * self.limits[1] + 32, f"{memory:.0f} MB of memory were used"),
            (host > HOST_GROWTH_MB, f"the host grew by {host:.0f} MB"),
            (
                peaks.shared_memory_mb > SHARED_MB,
                f"{peaks.shared_memory_mb:.0f} MB of shared memory were filled",
            ),
            (peaks.served, "a server answered from inside"),
        )
        return [reason for holds, reason in checks if holds]

    def _from_stage(self, subject: Subject, outcome: Outcome | None) -> list[str]:
        shown = self._shown(subject, outcome)
        disk, files = self.stage.disk_mb(), self.stage.files()
        checks = (
            (self.stage.token[::-1] in shown, "the attack says that it got through"),
            (disk > DISK_MB, f"{disk:.0f} MB of disk were filled"),
            (files > FILES, f"{files} files were made"),
        )
        reached = [f"the listener '{name}' was reached" for name in self.stage.listeners.hits]
        said = [reason for holds, reason in checks if holds]
        return self.stage.leaks(shown) + self.stage.changes() + reached + said

    def _next_call(self, subject: Subject, attack: Attack, values: dict[str, str]) -> list[str]:
        reasons, seconds = [], self.patience
        if attack.following:
            outcome = subject.ask(fill(attack.following, values | {"SECRET": "none"}), seconds)
            shown = self._shown(subject, outcome)
            if values["SECRET"] in shown:
                reasons.append("the next call found what this one left")
            reasons += self._from_stage(subject, outcome)
        healthy = subject.ask(HEALTHY, seconds)
        if healthy is None:
            return [*reasons, "the next call had no answer"]
        value = healthy.get("value", HEALTHY_VALUE)
        if healthy.get("status") != "ok" or value != HEALTHY_VALUE or "hello" not in healthy["stdout"]:
            reasons.append(f"the next call was not healthy: {_text(healthy)[:200]}")
        return reasons

    def _lived_on(self, subject: Subject, allowed: int) -> list[str]:
        left = subject.survivors(allowed)
        return [f"{len(left)} processes live on: {', '.join(left)}"] if left else []

    def _shown(self, subject: Subject, outcome: Outcome | None) -> str:
        logged = subject.log.read_bytes()[self._logged :].decode("utf-8", "replace")
        return _text(outcome) + logged


def _text(outcome: Outcome | None) -> str:
    return "\n".join(str(value) for value in (outcome or {}).values())


@contextlib.contextmanager
def _alone(attack: Attack) -> Iterator[None]:
    """Attacks on what the whole machine shares run one at a time, also between test processes."""
    with (Path(tempfile.gettempdir()) / f"ansatz-attacks-{os.getuid()}.lock").open("w") as lock:
        if attack.category == "resources":
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
