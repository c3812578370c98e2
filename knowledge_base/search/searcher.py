"""Search of the base: by words and by meaning, on the condition that the regime allows the equation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from threading import Lock

from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.equation.library import library as shipped
from ansatz.knowledge_base.regime.judgement import find_contradicted, judge_condition
from ansatz.knowledge_base.search.abstention import find_refusal_reason
from ansatz.knowledge_base.search.chinese_query import translate_question
from ansatz.knowledge_base.search.prerequisites import PrerequisiteIndex
from ansatz.knowledge_base.search.ranking import Ranker, RankerFactory, find_ranker, load_word_index
from ansatz.knowledge_base.search.regime_ranking import CANDIDATES, Ranked, RegimeAware
from ansatz.knowledge_base.search.retrieved import Excluded, Hit, Retrieved
from ansatz.knowledge_base.search.supplied_inputs import load_dimensions

REGIME_AWARE = "regime"
_EXCLUDED_SHOWN = 5


class Searcher:
    """Built once for a library and then shared: a search changes nothing but caches.

    `ranker` judges relevance: a name (`ansatz.knowledge_base.search.rankers()` lists them), such as "bm25",
    which ranks by words alone and never loads the sentence model; "package.module:object"; what builds a
    ranker for a library; or a ranker. With `conditions` the regime of the question excludes and orders
    entries on top of it. Raises SettingError, and WeightsError where the sentence model is missing.
    """

    def __init__(
        self,
        library: Library | None = None,
        ranker: str | RankerFactory | Ranker = REGIME_AWARE,
        conditions: bool = True,
    ):
        self._library = library if library is not None else shipped()
        relevance = None if ranker == REGIME_AWARE else _build_ranker(ranker, self._library)
        self._ranker = (
            relevance
            if isinstance(relevance, RegimeAware)
            else RegimeAware(self._library, relevance, conditions)
        )
        self._words = load_word_index(self._library)
        load_dimensions(self._library)
        self._prerequisites = PrerequisiteIndex(self._library)

    def search(self, question: str, k: int = 5, traps: bool = True, prerequisites: bool = True) -> Retrieved:
        """The `k` best equations that the question's regime does not exclude, or none and the reason.

        `traps` adds tempting entries that are excluded, `prerequisites` equations that yield open inputs.
        A Chinese question is searched by what the glossary of the field knows of it.
        """
        question = translate_question(question)
        if reason := self.refusal(question):
            return Retrieved((), reason=reason)
        ranked = self._ranker.rank(question)
        order = ranked.leading(max(k, CANDIDATES))
        hits = tuple(self._hit(place, ranked) for place in order[:k])
        excluded = tuple(self._excluded(hits, ranked, 3 * k)) if traps else ()
        needed = self._prerequisites.find_prerequisites(order[:k], order[k:], ranked) if prerequisites else ()
        return Retrieved(hits, excluded, tuple(needed))

    def refusal(self, question: str) -> str:
        """Why the base has nothing for a question; empty where it has something."""
        return find_refusal_reason(question, self._words)

    def _hit(self, place: int, ranked: Ranked) -> Hit:
        """The entry with what the question leaves open of its conditions, and what speaks against it."""
        equation, known = self._library.entries[place], ranked.known
        required = [judge_condition(one, known, equation) for one in equation.regime.require]
        preferred = [judge_condition(one, known, equation) for one in equation.regime.prefer]
        against = [one.reason for one in required if one.support < 0]
        against += [one.reason.replace("needs", "best for", 1) for one in preferred if one.support < 0]
        against += [
            f"{mode.when}: {mode.effect}"
            for mode in equation.failure_modes
            if mode.predicate and judge_condition(mode.predicate, known, equation).holds
        ]
        pairs = zip(equation.regime.require, required, strict=True)
        unsettled = tuple(one.words() for one, found in pairs if found.support >= 0 and not found.holds)
        return Hit(equation, float(ranked.scores[place]), unsettled, tuple(against))

    def _excluded(self, hits: Sequence[Hit], ranked: Ranked, tempting: int) -> Iterator[Excluded]:
        """First what the leading hits are confused with, then what else would have ranked high."""
        places = self._library.places
        confusable = [id for hit in hits[:3] for id in hit.equation.confusable_with if id in places]
        excluded = [places[id] for id in confusable if ranked.scores[places[id]] == -math.inf]
        for place in list(dict.fromkeys([*excluded, *ranked.tempting(tempting)]))[:_EXCLUDED_SHOWN]:
            equation = self._library.entries[place]
            for found in islice(find_contradicted(equation, ranked.known), 1):
                yield Excluded(equation, found.reason)


_building = Lock()  # loading the sentence model takes seconds; threads that ask first at once wait for it


def get_searcher(ranker: str | RankerFactory = REGIME_AWARE, conditions: bool = True) -> Searcher:
    """The searcher of the shipped base with such settings, built on first use and shared."""
    with _building:
        return _build_searcher(ranker, conditions)


@cache
def _build_searcher(ranker: str | RankerFactory, conditions: bool) -> Searcher:
    return Searcher(ranker=ranker, conditions=conditions)


def _build_ranker(ranker: str | RankerFactory | Ranker, library: Library) -> Ranker:
    if isinstance(ranker, str):
        return find_ranker(ranker)(library)
    return ranker if isinstance(ranker, Ranker) and not isinstance(ranker, type) else ranker(library)
