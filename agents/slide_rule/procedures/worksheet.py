"""From a procedure and what is stated to a plan: which arithmetic and which look-ups, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ansatz.agents.slide_rule.arithmetic import names_in
from ansatz.agents.slide_rule.procedures.media import Medium
from ansatz.agents.slide_rule.procedures.procedure import Procedure, Way

_PROPERTIES = ("T", "P", "h", "s", "v", "u", "x")
_FIXING = (("P", "x"), ("T", "x"), ("P", "T"), ("P", "h"), ("P", "s"), ("T", "s"))
_TAKEN_OF_AIR = {
    "k": ("1.4", "k = 1.4 as for air at room temperature"),
    "cp": ("1.005", "cp = 1.005 kJ/(kg K) as for air at room temperature"),
}
_TAKEN_OF_SURROUNDINGS = {
    "T_0": ("298.15", "the environment is taken at 25 °C"),
    "P_0": ("100", "the environment is taken at 100 kPa"),
}
_PER_KILOGRAM = ("w", "q", "s_gen", "ex_dest", "psi")


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


@dataclass
class Worksheet:
    """All relations of a procedure for the given media and habits."""

    lines: dict[str, tuple[str, ...]]
    tabulated: dict[str, Medium]
    assumptions: dict[str, tuple[str, str]]
    _made: dict[str, Operation] = field(default_factory=dict)
    _fixed: dict[str, tuple[str, str]] = field(default_factory=dict)

    def plan(self, given: Iterable[str], targets: Iterable[str]) -> Work:
        """What leads to the targets, as far as it can; assumptions come in only where needed."""
        given, targets = frozenset(given), tuple(targets)
        self._made, self._fixed = {}, {}
        known = self._spread(set(given))
        open_assumptions = dict(self.assumptions)
        taken: list[str] = []
        while open_assumptions and not known.issuperset(targets):
            name, (expression, _) = next(iter(open_assumptions.items()))
            if name in known:
                del open_assumptions[name]
                continue
            possible = next(
                (n for n, (e, _) in open_assumptions.items() if n not in known and terms(e) <= known), None
            )
            if possible is None:
                break
            expression, _ = open_assumptions.pop(possible)
            self._made[possible] = Arithmetic(possible, expression)
            taken.append(possible)
            known = self._spread(known | {possible})
        needed = self._needed(targets, given)
        operations = self._ordered(needed)
        assumed = tuple((name, self.assumptions[name][1]) for name in taken if name in needed)
        return Work(operations, assumed, frozenset(known))

    def _spread(self, known: set[str]) -> set[str]:
        """Everything that follows, round by round; a line goes before a look-up of the same quantity."""
        while True:
            before = frozenset(known)
            for name, ways in self.lines.items():
                if name in known:
                    continue
                way = next((way for way in ways if terms(way) <= before), None)
                if way is not None:
                    self._made[name] = Arithmetic(name, way)
                    known.add(name)
            for label, medium in self.tabulated.items():
                pair = next(
                    (
                        (f"{a}_{label}", f"{b}_{label}")
                        for a, b in _FIXING
                        if {f"{a}_{label}", f"{b}_{label}"} <= before
                    ),
                    None,
                )
                if label not in self._fixed and pair:
                    self._fixed[label] = pair
                    for name in (f"{prop}_{label}" for prop in _PROPERTIES):
                        if name not in known:
                            self._made[name] = LookUp(label, medium, pair, ())
                            known.add(name)
            if len(known) == len(before):
                return known

    def _needed(self, targets: Iterable[str], given: frozenset[str]) -> set[str]:
        needed: set[str] = set()
        waiting = [target for target in targets if target in self._made]
        while waiting:
            name = waiting.pop()
            if name in needed or name in given:
                continue
            needed.add(name)
            made = self._made[name]
            waiting += made.terms if isinstance(made, Arithmetic) else made.by
        return needed

    def _ordered(self, needed: set[str]) -> tuple[Operation, ...]:
        """In the order in which things became known; all properties of a state in one look-up."""
        operations: dict[str, Operation] = {}
        for name, made in self._made.items():
            if name not in needed:
                continue
            if isinstance(made, LookUp):
                earlier = operations.get(f"@{made.label}")
                wanted = (*(earlier.wanted if isinstance(earlier, LookUp) else ()), name)
                operations[f"@{made.label}"] = LookUp(made.label, made.medium, made.by, wanted)
            else:
                operations[name] = made
        return tuple(operations.values())


def worksheet(procedure: Procedure, media: Mapping[str, Medium], habits: frozenset[str]) -> Worksheet:
    """The relations open to someone with these habits."""
    own = {name: _open(ways, habits) for name, ways in procedure.quantities.items()}
    lines = {name: ways for name, ways in own.items() if ways}
    tabulated: dict[str, Medium] = {}
    for stream, labels in procedure.streams.items():
        dead = "0" if len(procedure.streams) == 1 else f"0_{stream}"
        if dead != "0":
            lines |= {f"{name}_{dead}": (f"{name}_0",) for name in ("T", "P")}
        for label in (*labels, dead):
            if not media[stream].perfect:
                tabulated[label] = media[stream]
            else:
                for name, way in media[stream].lines(label).items():
                    lines[name] = (*lines.get(name, ()), way)
            lines[f"psi_{label}"] = (f"h_{label} - h_{dead} - T_0*(s_{label} - s_{dead})",)
    for end, start in procedure.isentropes.items():
        lines |= _isentrope(end, start, media[procedure.stream_of(end)], habits)
    lines |= {"k": ("cp/(cp - R)",), "R": ("cp*(k - 1)/k",)}
    _derive(procedure, lines)
    return Worksheet(lines, tabulated, {**procedure.assumptions, **_TAKEN_OF_AIR, **_TAKEN_OF_SURROUNDINGS})


def _open(ways: Iterable[Way], habits: frozenset[str]) -> tuple[str, ...]:
    """The ways someone with these habits would take: a habit's own way, where there is one, and no other."""
    habitual = tuple(way.expression for way in ways if way.when and way.open_to(habits))
    return habitual or tuple(way.expression for way in ways if way.open_to(habits))


def _isentrope(end: str, start: str, medium: Medium, habits: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """The ideal end state has the entropy of the beginning.

    For air the constant-k relation comes to mind first, also where specific heats vary.
    """
    by_ratio = f"T_{start}*(P_{end}/P_{start})**((k - 1)/k)"
    if medium.family != "air" or (not medium.perfect and "isentropes" in habits):
        return {f"s_{end}": (f"s_{start}",)}
    if medium.perfect:
        return {f"T_{end}": (by_ratio,), f"s_{end}": (f"s_{start}",)}
    return {f"T_{end}": (by_ratio,)}


def _derive(procedure: Procedure, lines: dict[str, tuple[str, ...]]) -> None:
    """Exergy destroyed is T_0 times entropy generated; rates are flow times what holds per kilogram."""
    for name in [name for name in lines if name.startswith("s_gen")]:
        lines.setdefault(name.replace("s_gen", "ex_dest"), (f"T_0*{name}",))
    for name in list(lines):
        if name.startswith(tuple(f"{kind}_" for kind in _PER_KILOGRAM)) or name in _PER_KILOGRAM:
            rate = name[0].upper() + name[1:]
            if rate not in lines:
                lines[rate] = (f"{procedure.flow}*{name}",)
