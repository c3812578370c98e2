"""Search of the base: by words and by meaning, on the condition that the regime allows the equation.

python -m ansatz.knowledge_base.search.searcher --rebuild      refreshes the stored vectors of the base
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from threading import Lock

from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.equation.library import library as shipped
from ansatz.knowledge_base.regime.condition_matrix import named_failures
from ansatz.knowledge_base.regime.evidence import Facts
from ansatz.knowledge_base.regime.inference import judge
from ansatz.knowledge_base.regime.three_valued import HOLDS
from ansatz.knowledge_base.search.embedding import FILE, store
from ansatz.knowledge_base.search.prerequisites import Situation, Suppliers
from ansatz.knowledge_base.search.ranking import Ranker, find_ranker
from ansatz.knowledge_base.search.regime_ranking import CANDIDATES, Ranked, RegimeAware, dimensions, yields
from ansatz.knowledge_base.search.retrieved import Excluded, Hit, Retrieved
from ansatz.knowledge_base.search.tokenizing import entry_parts, entry_phrases

REGIME_AWARE = "regime"
_EXCLUDED_SHOWN = 5
_COMPLETING = 2


class Searcher:
    """Built once for a library and then shared: a search changes nothing but caches.

    `ranker` is what judges relevance, or its name (`ansatz.knowledge_base.search.rankers()` lists them);
    conditions are put on top of it. "bm25" ranks by words alone and never loads the sentence model.
    Raises UnknownRanker.
    """

    def __init__(self, library: Library | None = None, ranker: str | Ranker = REGIME_AWARE):
        self._library = library if library is not None else shipped()
        self._equations: Sequence[Equation] = list(self._library)
        found = find_ranker(ranker)(self._library) if isinstance(ranker, str) else ranker
        self._ranker = found if isinstance(found, RegimeAware) else RegimeAware(self._library, found)
        self._places = {equation.id: place for place, equation in enumerate(self._equations)}
        self._suppliers = Suppliers(self._equations)

    def search(self, question: str, k: int = 5) -> Retrieved:
        """The `k` best equations that the question's regime does not exclude, with the tempting excluded."""
        ranked = self._ranker.rank(question)
        order = ranked.leading(max(k, CANDIDATES))
        hits = [self._hit(place, ranked) for place in order[:k]]
        others = [self._equations[place] for place in order[k:]]
        completing = _completing([hit.equation for hit in hits], others, ranked.asked)
        excluded = tuple(self._excluded(hits, ranked, 3 * k))
        leading = [hit.equation for hit in hits]
        situation = Situation(ranked.supplied, ranked.deviation)
        return Retrieved(
            tuple(hits), excluded, tuple(self._suppliers.supporting(leading, completing, situation))
        )

    def _hit(self, place: int, ranked: Ranked) -> Hit:
        """The entry with what the question leaves open of its conditions, and what speaks against it."""
        equation, regime = self._equations[place], self._equations[place].regime
        support = ranked.support[self._ranker.conditions.of(place)].tolist()
        split = len(regime.require)
        required = list(zip(regime.require, support, strict=False))
        preferred = zip(regime.prefer, support[split:], strict=False)
        modes = zip(named_failures(equation), support[split + len(regime.prefer) :], strict=True)
        against = [judge(one, ranked.known, equation).reason for one, sure in required if sure < 0]
        against += [
            judge(one, ranked.known, equation).reason.replace("needs", "best for", 1)
            for one, sure in preferred
            if sure < 0
        ]
        against += [f"{mode.when}: {mode.effect}" for mode, sure in modes if sure >= HOLDS]
        unsettled = [one.words() for one, sure in required if 0 <= sure < HOLDS]
        return Hit(equation, float(ranked.scores[place]), tuple(unsettled), tuple(against))

    def _excluded(self, hits: Sequence[Hit], ranked: Ranked, tempting: int) -> Iterator[Excluded]:
        """First what the leading hits are confused with, then what else would have ranked high."""
        confusable = [self._places.get(id, -1) for hit in hits[:3] for id in hit.equation.confusable_with]
        excluded = [place for place in confusable if place >= 0 and ranked.scores[place] == -math.inf]
        for place in list(dict.fromkeys([*excluded, *ranked.tempting(tempting)]))[:_EXCLUDED_SHOWN]:
            if reason := refusal(self._equations[place], ranked.known):
                yield Excluded(self._equations[place], reason)


_building = Lock()  # loading the sentence model takes seconds; threads that ask first at once wait for it


def searcher() -> Searcher:
    """The searcher of the shipped base, built on first use and shared."""
    with _building:
        return _shipped_searcher()


@cache
def _shipped_searcher() -> Searcher:
    return Searcher()


def refusal(equation: Equation, known: Facts) -> str | None:
    """The condition that the question contradicts, if there is one."""
    for predicate in equation.regime.require:
        judgement = judge(predicate, known, equation)
        if judgement.holds is False:
            return judgement.reason
    return None


def _completing(hits: Sequence[Equation], others: Sequence[Equation], asked: Sequence[str]) -> list[Equation]:
    """For each unit that is asked for and that no hit yields, the best of the others that does."""
    found: list[Equation] = []
    for wanted in dict.fromkeys(dimensions([unit]) for unit in asked):
        if not any(yields(equation, wanted) for equation in [*hits, *found]):
            found += [equation for equation in others if yields(equation, wanted)][:1]
    return found[:_COMPLETING]


def main(arguments: Sequence[str]) -> int:
    if list(arguments) != ["--rebuild"]:
        print("usage: python -m ansatz.knowledge_base.search.searcher --rebuild")
        return 2
    equations = list(Library.load())
    phrases = [{phrase: 1.0} for equation in equations for phrase in entry_phrases(equation)]
    texts = [*(entry_parts(equation) for equation in equations), *phrases]
    print(f"{FILE.name}: {len(equations)} entries, {len(phrases)} phrases, {store(texts)} embedded anew")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
