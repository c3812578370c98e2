"""Pair two runs: their models, arms, dimensions and problems; list what has no partner, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ansatz.errors import BadInput
from ansatz.experiments.comparing.summary import RunSummary, SummarizedProblem
from ansatz.quantities import nearest

Names = tuple[str, str]
"""The name in run A, and that in run B."""
Map = Sequence[Names]


class Unpaired(NamedTuple):
    """A model, arm, dimension or problem that has no partner."""

    kind: str
    name: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "name": self.name, "reason": self.reason}


@dataclass(frozen=True)
class Pairing:
    """What is compared with what."""

    systems: tuple[tuple[Names, Names], ...]
    """Pairs of models with pairs of arms."""
    dimensions: tuple[str, ...]
    problems: tuple[str, ...]
    """Ids, in their alphabetical order: a comparison does not depend on the order of a run."""
    unpaired: tuple[Unpaired, ...]


def pair_runs(a: RunSummary, b: RunSummary, renamed: Map = (), arms: Collection[str] = ()) -> Pairing:
    """Pair what has the same name or is mapped, and problems with the same id, question and key.

    Parameters
    ----------
    renamed
        Arms or models with another name in B: (name in A, name in B).
    arms
        Only these arms of B. Default: all.

    Raises
    ------
    BadInput
        If a name is unknown, if a scorer or a dimension differs, or if nothing can be paired.
    """
    _check_names(a, b, renamed, arms)
    _check_scorers(a, b)
    within = bool(renamed) and is_same_run(a, b)  # arms or models of one run
    models = _pair_names(a.models, b.models, renamed)
    chosen = [pair for pair in _pair_names(a.arms, b.arms, renamed) if not arms or pair[1] in arms]
    systems = [
        (model, arm)
        for model in models
        for arm in chosen
        if not (within and model[0] == model[1] and arm[0] == arm[1])
    ]
    shared = [name for name in b.dimensions if name in a.dimensions]
    problems, changed = _pair_problems(a.problems, b.problems)
    unpaired = [] if within else [*_list_single("model", a.models, b.models, models)]
    unpaired += [] if within or arms else _list_single("arm", a.arms, b.arms, chosen)
    unpaired += _list_single("dimension", a.dimensions, b.dimensions, [(name, name) for name in shared])
    _check_pairs(a, b, systems, shared, problems, changed)
    return Pairing(tuple(systems), tuple(shared), tuple(problems), (*unpaired, *changed))


def is_same_run(a: RunSummary, b: RunSummary) -> bool:
    """Whether both were read from one run folder or file."""
    return a is b or (a.folder is not None and b.folder is not None and a.folder.samefile(b.folder))


def _check_names(a: RunSummary, b: RunSummary, renamed: Map, arms: Collection[str]) -> None:
    for old, new in renamed:
        for run, name, side in ((a, old, "A"), (b, new, "B")):
            known = [*run.arms, *run.models]
            if name not in known:
                raise BadInput(f"map {old}={new}: {side} has no arm or model {name!r}{nearest(name, known)}")
        if (old in a.arms) != (new in b.arms) and (old in a.models) != (new in b.models):
            raise BadInput(f"map {old}={new}: one is an arm, the other a model")
    for arm in arms:
        if arm not in b.arms:
            raise BadInput(f"arm: B has no arm {arm!r}{nearest(arm, list(b.arms))}")


def _check_scorers(a: RunSummary, b: RunSummary) -> None:
    """Raise BadInput if a scorer of both runs differs in version or settings, or a dimension in its scale."""
    for name, identity in a.scorers.items():
        if name in b.scorers and b.scorers[name] != identity:
            raise BadInput(
                f"scorer {name}: A ({a.name}, Ansatz {a.written_by}) and B ({b.name}, Ansatz {b.written_by}) "
                "were scored by different versions or settings of it; score the older run again with "
                "`ansatz score RUN`, and write its summary again"
            )
    for name, one in a.dimensions.items():
        other = b.dimensions.get(name)
        if other is not None and (one.better, one.scale) != (other.better, other.scale):
            raise BadInput(
                f"dimension {name}: A and B measure it on different scales ({one.scale.name}, {one.better} "
                f"is better; {other.scale.name}, {other.better} is better)"
            )


def _pair_names(a: Collection[str], b: Collection[str], renamed: Map) -> list[Names]:
    """Pair names that are mapped, then equal names that are not, in the order of B; or the only two names."""
    pairs = [(old, new) for old, new in renamed if old in a and new in b]
    taken_a, taken_b = {old for old, _ in pairs}, {new for _, new in pairs}
    pairs += [(name, name) for name in b if name in a and name not in taken_a and name not in taken_b]
    if not pairs and len(a) == len(b) == 1:  # the same study with another model, or one arm of each run
        return [(next(iter(a)), next(iter(b)))]
    order = list(b)
    return sorted(pairs, key=lambda pair: order.index(pair[1]))


def _list_single(kind: str, a: Collection[str], b: Collection[str], pairs: Sequence[Names]) -> list[Unpaired]:
    """List the names without a partner."""
    paired_a, paired_b = {old for old, _ in pairs}, {new for _, new in pairs}
    return [
        *(Unpaired(kind, name, "only in A") for name in a if name not in paired_a),
        *(Unpaired(kind, name, "only in B") for name in b if name not in paired_b),
    ]


def _pair_problems(
    a: Mapping[str, SummarizedProblem], b: Mapping[str, SummarizedProblem]
) -> tuple[list[str], list[Unpaired]]:
    """Pair problems with the same id, question and key."""
    paired, single = [], []
    for id in sorted({*a, *b}):
        one, other = a.get(id), b.get(id)
        if one is None or other is None:
            single.append(Unpaired("problem", id, "only in B" if one is None else "only in A"))
        elif one.question != other.question:
            single.append(Unpaired("problem", id, "its question changed"))
        elif one.key != other.key:
            single.append(Unpaired("problem", id, "its key or tolerance changed"))
        else:
            paired.append(id)
    return paired, single


def _check_pairs(
    a: RunSummary,
    b: RunSummary,
    systems: Sequence[object],
    dimensions: Sequence[str],
    problems: Sequence[str],
    changed: Sequence[Unpaired],
) -> None:
    """Raise BadInput, with the reason, if nothing can be compared."""
    if not problems:
        counted = Counter(each.reason for each in changed)
        reasons = ", ".join(f"{count} {reason}" for reason, count in counted.most_common())
        raise BadInput(f"A ({a.name}) and B ({b.name}) have no problem in common: {reasons or 'none at all'}")
    if not systems:
        raise BadInput(
            f"A ({a.name}) and B ({b.name}) have no arm of the same model in common: "
            f"A has {_name_all(a)}; B has {_name_all(b)}; pair them with --map OLD=NEW"
        )
    if not dimensions:
        raise BadInput(
            f"A ({a.name}) and B ({b.name}) have no dimension in common: A has {', '.join(a.dimensions)}; "
            f"B has {', '.join(b.dimensions)}; score one of them again with `ansatz score RUN`"
        )


def _name_all(run: RunSummary) -> str:
    return f"{', '.join(run.arms)} of {', '.join(run.models)}"
