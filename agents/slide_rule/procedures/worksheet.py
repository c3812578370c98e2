"""All relations that a procedure, its media and someone's habits make available."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from ansatz.agents.slide_rule.procedures.media import Medium
from ansatz.agents.slide_rule.procedures.planning import Worksheet, terms
from ansatz.agents.slide_rule.procedures.procedure import Procedure, Way

_TAKEN_OF_AIR = {
    "k": ("1.4", "k = 1.4 as for air at room temperature"),
    "cp": ("1.005", "cp = 1.005 kJ/(kg K) as for air at room temperature"),
}
_TAKEN_OF_SURROUNDINGS = {
    "T_0": ("298.15", "the environment is taken at 25 °C"),
    "P_0": ("100", "the environment is taken at 100 kPa"),
}
_PER_KILOGRAM = ("w", "q", "s_gen", "ex_dest", "psi")


def worksheet(procedure: Procedure, media: Mapping[str, Medium], habits: frozenset[str]) -> Worksheet:
    """The relations open to someone with these habits."""
    return _worksheet(procedure, tuple(media.items()), habits)


@lru_cache(maxsize=512)
def _worksheet(
    procedure: Procedure, stream_media: tuple[tuple[str, Medium], ...], habits: frozenset[str]
) -> Worksheet:
    media = dict(stream_media)
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
    with_terms = {name: tuple((way, terms(way)) for way in ways) for name, ways in lines.items()}
    return Worksheet(
        with_terms, tabulated, {**procedure.assumptions, **_TAKEN_OF_AIR, **_TAKEN_OF_SURROUNDINGS}
    )


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
