"""Which arithmetic and which look-ups lead from what is given to what is asked, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ansatz.agents.slide_rule.arithmetic import names_in
from ansatz.agents.slide_rule.procedures.media import Medium

_PROPERTIES = ("T", "P", "h", "s", "v", "u", "x")
_FIXING = (("P", "x"), ("T", "x"), ("P", "T"), ("P", "h"), ("P", "s"), ("T", "s"))


@dataclass(frozen=True)
class Arithmetic:
    """`name = expression`; `numbers` are terms that are not quantities of the worksheet."""

    name: str
    expression: str
    numbers: tuple[tuple[str, float], ...] = ()

    @property
    def terms(self) -> frozenset[str]:
        return terms(self.expression) - {name for name, _ in self.numbers}


@dataclass(frozen=True)
class LookUp:
    """The state `label` is fixed by two properties; `wanted` of its other properties are looked up."""

    label: str
    medium: Medium
    by: tuple[str, str]
    wanted: tuple[str, ...]


Operation = Arithmetic | LookUp


@dataclass(frozen=True)
class Work:
    """Operations in a possible order, and the assumptions they rest on."""

    operations: tuple[Operation, ...]
    assumed: tuple[tuple[str, str], ...]
    known: frozenset[str]


@lru_cache(maxsize=4096)
def terms(expression: str) -> frozenset[str]:
    return frozenset(names_in(expression))


Ways = tuple[tuple[str, frozenset[str]], ...]  # expressions with their terms


@dataclass(frozen=True, eq=False)
class Worksheet:
    """All relations of a procedure for given media and habits; `assumptions` are expressions with reasons."""

    lines: Mapping[str, Ways]
    tabulated: Mapping[str, Medium]
    assumptions: Mapping[str, tuple[str, str]]

    def plan(self, given: Iterable[str], targets: Iterable[str]) -> Work:
        """What leads to the targets, as far as it can; assumptions come in only where needed."""
        return _Search(self, frozenset(given), tuple(targets)).work()


@dataclass
class _Search:
    """Forward from the givens, round by round, then back from the targets."""

    sheet: Worksheet
    given: frozenset[str]
    targets: tuple[str, ...]
    made: dict[str, Operation] = field(default_factory=dict)

    def work(self) -> Work:
        self.known = set(self.given)
        self.open_lines = {name: ways for name, ways in self.sheet.lines.items() if name not in self.given}
        self.open_states = dict(self.sheet.tabulated)
        self._spread()
        taken: list[str] = []
        while not self.known.issuperset(self.targets) and (name := self._possible_assumption()):
            self._make(name, Arithmetic(name, self.sheet.assumptions[name][0]))
            taken.append(name)
            self._spread()
        needed = self._needed()
        assumed = tuple((name, self.sheet.assumptions[name][1]) for name in taken if name in needed)
        return Work(self._ordered(needed), assumed, frozenset(self.known))

    def _possible_assumption(self) -> str:
        return next(
            (
                name
                for name, (expression, _) in self.sheet.assumptions.items()
                if name not in self.known and terms(expression) <= self.known
            ),
            "",
        )

    def _make(self, name: str, operation: Operation) -> None:
        self.made[name] = operation
        self.known.add(name)
        self.open_lines.pop(name, None)

    def _spread(self) -> None:
        """Everything that follows. A line goes before a look-up of the same quantity."""
        while True:
            before = frozenset(self.known)
            ready = [
                (name, way)
                for name, ways in self.open_lines.items()
                for way, needed in ways
                if needed <= before
            ]
            for name, way in ready:
                if name not in self.known:
                    self._make(name, Arithmetic(name, way))
            self._fix_states(before)
            if len(self.known) == len(before):
                return

    def _fix_states(self, before: frozenset[str]) -> None:
        for label, medium in list(self.open_states.items()):
            pair = next((pair for pair in _pairs(label) if pair[0] in before and pair[1] in before), None)
            if pair:
                del self.open_states[label]
                for name in (f"{prop}_{label}" for prop in _PROPERTIES):
                    if name not in self.known:
                        self._make(name, LookUp(label, medium, pair, ()))

    def _needed(self) -> set[str]:
        needed: set[str] = set()
        waiting = [target for target in self.targets if target in self.made]
        while waiting:
            name = waiting.pop()
            if name not in needed and name not in self.given:
                needed.add(name)
                made = self.made[name]
                waiting += made.terms if isinstance(made, Arithmetic) else made.by
        return needed

    def _ordered(self, needed: set[str]) -> tuple[Operation, ...]:
        """In the order in which things became known; all properties of a state in one look-up."""
        operations: dict[str, Operation] = {}
        for name, made in self.made.items():
            if name not in needed:
                continue
            if isinstance(made, LookUp):
                earlier = operations.get(f"@{made.label}")
                wanted = (*(earlier.wanted if isinstance(earlier, LookUp) else ()), name)
                operations[f"@{made.label}"] = LookUp(made.label, made.medium, made.by, wanted)
            else:
                operations[name] = made
        return tuple(operations.values())


@lru_cache(maxsize=256)
def _pairs(label: str) -> tuple[tuple[str, str], ...]:
    """The pairs of properties that fix a state, the likeliest first."""
    return tuple((f"{one}_{label}", f"{other}_{label}") for one, other in _FIXING)
