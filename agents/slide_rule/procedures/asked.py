"""What a symbol in the list of answers stands for, among a procedure's quantities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ansatz.agents.slide_rule.procedures.kinds import kind_of_dimension
from ansatz.agents.slide_rule.procedures.notation import parts
from ansatz.agents.slide_rule.procedures.procedure import Procedure
from ansatz.agents.slide_rule.procedures.vocabulary import subscripts
from ansatz.agents.slide_rule.reading import Target
from ansatz.agents.slide_rule.units import ONE

_SILENT = frozenset(("dot", "spec", "specific", "value", "calc", "kJ", "cv", "CV"))
_DESTROYED = frozenset(
    ("dest", "d", "D", "destroyed", "destruction", "des", "dst", "loss", "lost", "irr", "Dest")
)
_SECOND_LAW = frozenset(
    ("II", "ii", "2", "2nd", "ex", "exergy", "exergetic", "ex,cycle", "second", "e", "b", "x")
)
_ERROR = re.compile(r"err|error|imbalance|residual|closure|balance|epsilon_?e|delta_?e", re.IGNORECASE)
_STREAM_END = re.compile(r"^[hcHC](?=\d$)|(?<=^[hcHC])\d$")
_RATES = ("power", "entropy rate")


def quantity_asked(
    target: Target, procedure: Procedure, custom: Mapping[str, str], known: Iterable[str]
) -> str:
    """The name of the procedure's quantity, or nothing where the symbol means none of them."""
    known = frozenset(known)
    unit_kind = kind_of_dimension(target.unit or ONE)
    kind, details = _kind(target, unit_kind, procedure)
    if kind in ("T", "P", "v", "h", "s", "u", "x", "V", "psi"):
        label = _label(details, procedure, custom)
        name = f"{kind}_{label}"
        if label and (name in known or kind == "psi"):
            return _rate(name) if unit_kind in _RATES else name
    if kind == "m" and (label := _label(details, procedure, custom)) and f"m_{label}" in known:
        return f"m_{label}"
    name = _matching(kind, frozenset(details), procedure, known)
    return _rate(name) if name and unit_kind in _RATES and _rate(name) in known else name


def _rate(name: str) -> str:
    return name[0].upper() + name[1:]


def _kind(target: Target, unit_kind: str, procedure: Procedure) -> tuple[str, list[str]]:
    """A symbol's kind (w, q, s_gen, ex_dest, psi, eta, ...) and its subscripts in full."""
    base, rest = parts(re.split(r"[\s(]", target.symbol)[0])
    low = base.lower().removesuffix("dot")
    if _ERROR.search(target.symbol) and unit_kind in ("number", "energy", "power"):
        return "error", []
    raw = [piece for part in rest if part not in _SILENT for piece in _STREAM_END.findall(part) or [part]]
    if low == "delta" and raw:
        return f"Delta {raw[0]}", _in_full(raw[1:], procedure)
    if unit_kind == "number" or target.unit is None:
        return _pure_number(low, base, raw, procedure)
    if unit_kind == "entropy" or unit_kind == "entropy rate":
        generated = low in ("sigma", "sgen") or any(part.lower().startswith(("gen", "prod")) for part in raw)
        raw = [part for part in raw if not part.lower().startswith(("gen", "prod"))]
        return "s_gen" if generated else "s", _in_full(raw, procedure)
    if unit_kind in ("energy", "power"):
        return _energy(low, base, raw, procedure)
    letters = {"temperature": "T", "pressure": "P", "volume": "v", "speed": "V", "flow": "m"}
    return letters.get(unit_kind, low), _in_full(raw, procedure)


def _energy(low: str, base: str, raw: list[str], procedure: Procedure) -> tuple[str, list[str]]:
    exergy = low in ("ex", "e", "x", "psi", "ef", "b", "exergy", "a", "ed", "xd", "phi")
    if low in ("i", "xdest", "exdest", "irr", "ed", "xd") or (exergy and _DESTROYED & set(raw)):
        return "ex_dest", _in_full([part for part in raw if part not in _DESTROYED], procedure)
    if exergy:
        stream = [re.sub(r"^f(?=\d)", "", part) for part in raw if part not in ("f", "flow", "x")]
        return "psi", _in_full(["heat" if part in ("Q", "q") else part for part in stream], procedure)
    if low in ("h", "u", "w", "q"):
        return low, _in_full(raw, procedure)
    named = {"power": "w", "p": "w", "work": "w", "heat": "q", "ke": "ke"}
    return named.get(low, low), _in_full(raw, procedure)


def _pure_number(low: str, base: str, raw: list[str], procedure: Procedure) -> tuple[str, list[str]]:
    if low == "eta" or low.startswith("eff"):
        second = [part for part in raw if part in _SECOND_LAW or part.lower() in ("exergy", "exergetic")]
        if second:
            return "eta II", _in_full([part for part in raw if part not in (*second, "law")], procedure)
        return "eta", _in_full(raw, procedure)
    if low in ("bwr", "rbw") or (low == "r" and raw[:1] == ["bw"]):
        return "bwr", []
    if low in ("r", "rp", "pr", "pi"):
        return "r p", []
    return {"cop": "COP", "epsilon": "epsilon", "x": "x", "beta": "COP", "y": "y"}.get(low, low), _in_full(
        raw, procedure
    )


def _in_full(raw: Iterable[str], procedure: Procedure) -> list[str]:
    """Subscripts in full words: the procedure's own abbreviations go before general ones."""
    general = subscripts("subscripts")
    return [
        procedure.abbreviations.get(part) or general.get(part) or general.get(part.lower()) or _spelled(part)
        for part in raw
    ]


def _spelled(part: str) -> str:
    """Words in small letters; single letters keep their case, which tells them apart."""
    return part.lower() if len(part) > 2 else part


def _label(details: list[str], procedure: Procedure, custom: Mapping[str, str]) -> str:
    """The state that subscripts name, by its number or by a word."""
    joined = "".join(details)
    number = re.fullmatch(r"(\d)(a|s)?", joined)
    if number:
        plain, ideal = number.groups()
        own = custom.get(plain, plain)
        label = f"{own}s" if ideal == "s" else own
        return label if label in procedure.labels else own if own in procedure.labels else ""
    for named in (details, [part for part in details if part not in procedure.ignored]):
        ideal_end = "s" in named
        words = " ".join(sorted(part for part in named if part != "s"))
        if words in procedure.called:
            label = procedure.called[words]
            return f"{label}s" if ideal_end and f"{label}s" in procedure.labels else label
    return ""


def _matching(kind: str, details: frozenset[str], procedure: Procedure, known: frozenset[str]) -> str:
    """The quantity with this kind and these subscripts, as named or under another name."""
    head, *more = kind.split() or [""]
    for words in (details | set(more), (details | set(more)) - procedure.ignored):
        named = _index(known).get((head, words))
        if named:
            return named
        alias = _index(frozenset(procedure.aliases), " ").get((head, words))
        if alias and procedure.aliases[alias] in known:
            return procedure.aliases[alias]
    return ""


@lru_cache(maxsize=256)
def _index(names: frozenset[str], separator: str = "_") -> Mapping[tuple[str, frozenset[str]], str]:
    """Names by kind and subscripts; what holds per kilogram goes before rates."""
    if separator == " ":
        return {(alias.split()[0], frozenset(alias.split()[1:])): alias for alias in names}
    return {_key(name): name for name in sorted(names, key=str.swapcase, reverse=True)}


def _key(name: str) -> tuple[str, frozenset[str]]:
    """Kind and subscripts of a quantity's own name: s_gen_turbine is s_gen of turbine."""
    for kind in ("s_gen", "ex_dest"):
        if name.lower().startswith(kind):
            return kind, frozenset(filter(None, name[len(kind) :].split("_")))
    head, *subscripts = name.split("_")
    return (head if head in ("T", "P", "V", "COP", "R") else head[:1].lower() + head[1:]), frozenset(
        subscripts
    )
