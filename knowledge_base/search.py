"""Search of the base: by words and by meaning, on the condition that the regime allows the equation.

python -m ansatz.knowledge_base.search --rebuild      refreshes the stored vectors of the base
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock

from ansatz.knowledge_base.embedding import FILE, store
from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.library import Library
from ansatz.knowledge_base.library import library as shipped
from ansatz.knowledge_base.ranking import Dense, Lexical, Ranking, entry_text, fused
from ansatz.knowledge_base.regime import Facts, facts, judge
from ansatz.knowledge_base.retrieved import Excluded, Hit, Retrieved
from ansatz.knowledge_base.supply import coverage, supporting
from ansatz.knowledge_base.units import UnitError, parse_unit

_ASKED = re.compile(r"^[ \t]*[\w{}\\]+[ \t]*=[ \t]*_{2,}[ \t]*(\S.*?)?[ \t]*$", re.MULTILINE)
_CANDIDATES = 40
_EXCLUDED_SHOWN = 5
_COMPLETING = 2
# How far each sign moves a score; near the top the fused score falls by about 1.6 % a place.
_HOLDS, _OPPOSED, _COVERED, _ASKED_UNIT = 0.03, 0.10, 0.10, 0.10


@dataclass(frozen=True)
class _Query:
    """What a question is known to say, and the units it asks for."""

    known: Facts
    asked: tuple[str, ...]


class Searcher:
    """Built once for a library and then shared: a search changes nothing but a cache of query vectors.

    `lexical_only` ranks by BM25 alone and never loads the sentence model.
    """

    def __init__(self, library: Library | None = None, lexical_only: bool = False):
        self._library = library if library is not None else shipped()
        self._equations: Sequence[Equation] = list(self._library)
        rankings: list[Ranking] = [Lexical(self._equations)]
        self._rankings = rankings if lexical_only else [*rankings, Dense(self._equations)]

    def search(self, question: str, k: int = 5) -> Retrieved:
        """The `k` best equations that the question's regime does not exclude, with the tempting excluded."""
        query = _Query(facts(question, self._library), _asked(question))
        fusion = fused(_without_blanks(question), self._rankings)
        order = sorted(range(len(fusion)), key=lambda index: -fusion[index])
        refused = {index: reason for index in order if (reason := _refusal(self._equations[index], query))}
        candidates = [index for index in order if index not in refused][:_CANDIDATES]
        hits = [_hit(self._equations[index], float(fusion[index]), query) for index in candidates]
        hits.sort(key=lambda hit: -hit.score)
        best = tuple(hits[:k])
        completing = _completing(best, hits[k:], query.asked)
        reasons = {self._equations[index].id: reason for index, reason in refused.items()}
        allowed = [self._equations[index] for index in order if index not in refused]
        return Retrieved(
            best,
            tuple(self._excluded(best, [self._equations[index] for index in order[: 3 * k]], reasons)),
            tuple(supporting([hit.equation for hit in best], completing, allowed, query.known)),
        )

    def _excluded(
        self, hits: Sequence[Hit], leading: Sequence[Equation], reasons: dict[str, str]
    ) -> Iterator[Excluded]:
        """First what the leading hits are confused with, then what else would have ranked high."""
        confusable = [id for hit in hits[:3] for id in hit.equation.confusable_with]
        tempting = dict.fromkeys([*confusable, *(equation.id for equation in leading)])
        out = [id for id in tempting if id in reasons][:_EXCLUDED_SHOWN]
        return (Excluded(self._library.get(id), reasons[id]) for id in out)


_building = Lock()  # loading the sentence model takes seconds; threads that ask first at once wait for it


def searcher() -> Searcher:
    """The searcher of the shipped base, built on first use and shared."""
    with _building:
        return _shipped_searcher()


@cache
def _shipped_searcher() -> Searcher:
    return Searcher()


def _refusal(equation: Equation, query: _Query) -> str | None:
    """The condition that the question contradicts, if there is one."""
    for predicate in equation.regime.require:
        judgement = judge(predicate, query.known, equation)
        if judgement.holds is False:
            return judgement.reason
    return None


def _hit(equation: Equation, score: float, query: _Query) -> Hit:
    """The entry with its fused score, moved by what the question says of its conditions."""
    required = [(one, judge(one, query.known, equation)) for one in equation.regime.require]
    preferred = [judge(one, query.known, equation) for one in equation.regime.prefer]
    modes = [(mode, mode.predicate) for mode in equation.failure_modes]
    failing = [mode for mode, when in modes if when and judge(when, query.known, equation).holds]
    against = [
        verdict.reason.replace("needs", "best for", 1) for verdict in preferred if verdict.holds is False
    ]
    against += [f"{mode.when}: {mode.effect}" for mode in failing]
    holding = [verdict for verdict in [*(each for _, each in required), *preferred] if verdict.holds]
    change = _HOLDS * min(len(holding), 4) - _OPPOSED * len(against)
    change += _COVERED * coverage(equation, query.known.givens)
    if query.asked and _yields(equation, query.asked):
        change += _ASKED_UNIT
    unsettled = tuple(predicate.words() for predicate, verdict in required if verdict.holds is None)
    return Hit(equation, score * (1 + change), unsettled, tuple(against))


def _completing(hits: Sequence[Hit], others: Sequence[Hit], asked: Sequence[str]) -> list[Equation]:
    """For each unit that is asked for and that no hit yields, the best of the others that does."""
    found: list[Equation] = []
    for unit in dict.fromkeys(asked):
        if not any(_yields(equation, [unit]) for equation in [*(hit.equation for hit in hits), *found]):
            found += [hit.equation for hit in others if _yields(hit.equation, [unit])][:1]
    return found[:_COMPLETING]


def _asked(question: str) -> tuple[str, ...]:
    """The units of the blanks `name = ___ unit` at the end of a question."""
    return tuple(found[1] or "-" for found in _ASKED.finditer(question))


def _without_blanks(question: str) -> str:
    return re.split(r"\n\s*report your answers? as", question, flags=re.IGNORECASE)[0]


def _yields(equation: Equation, asked: Sequence[str]) -> bool:
    produced = parse_unit(equation.units[equation.output]).dimensionality
    for unit in asked:
        try:
            if parse_unit(unit).dimensionality == produced:
                return True
        except UnitError:
            continue
    return False


def main(arguments: Sequence[str]) -> int:
    if list(arguments) != ["--rebuild"]:
        print("usage: python -m ansatz.knowledge_base.search --rebuild")
        return 2
    texts = [entry_text(equation) for equation in Library.load()]
    print(f"{FILE.name}: {len(texts)} entries, {store(texts)} embedded anew")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
