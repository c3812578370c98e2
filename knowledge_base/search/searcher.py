"""Search the base by words and meaning for equations that the regime allows."""

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
from ansatz.knowledge_base.search.encoders import DEFAULT
from ansatz.knowledge_base.search.prerequisites import PrerequisiteIndex
from ansatz.knowledge_base.search.ranking import (
    Ranker,
    RankerFactory,
    find_ranker,
    load_phrase_index,
    load_word_index,
    make_ranker,
)
from ansatz.knowledge_base.search.regime_ranking import CANDIDATES, Ranked, RegimeAware
from ansatz.knowledge_base.search.retrieved import Excluded, Hit, Retrieved
from ansatz.knowledge_base.search.supplied_inputs import load_dimensions

REGIME_AWARE = "regime"
_EXCLUDED_SHOWN = 5


class Searcher:
    """The search of one library. It can be shared, since a search changes only caches.

    Parameters:
        library: The base; by default the shipped one.
        ranker: A ranker, a factory for one, or a name: one of `list_rankers()` or "package.module:object".
            "bm25" ranks by words only and never loads the sentence model.
        conditions: Whether the regime of the question excludes and orders entries.
        encoder: The name of the encoder, if the ranker reads meaning; see `search.encoders`.
        reranker: The name of a reranker that orders the best entries; by default none does.

    Raises:
        SettingError: There is no such ranker, encoder or reranker.
        WeightsError: The ranker needs the sentence model, which is not installed.
    """

    def __init__(
        self,
        library: Library | None = None,
        ranker: str | RankerFactory | Ranker = REGIME_AWARE,
        conditions: bool = True,
        encoder: str = DEFAULT,
        reranker: str | None = None,
    ):
        self._library = library if library is not None else shipped()
        relevance = None if ranker == REGIME_AWARE else _build_ranker(ranker, self._library, encoder)
        self._ranker = (
            relevance
            if isinstance(relevance, RegimeAware)
            else RegimeAware(self._library, relevance, conditions, encoder, reranker)
        )
        self._words = load_word_index(self._library)
        reads_meaning = ranker == REGIME_AWARE or getattr(relevance, "reads_meaning", False)
        with_default = reads_meaning and encoder == DEFAULT
        self._meaning = load_phrase_index(self._library, DEFAULT) if with_default else None
        load_dimensions(self._library)
        self._prerequisites = PrerequisiteIndex(self._library)

    def search(self, question: str, k: int = 5, traps: bool = True, prerequisites: bool = True) -> Retrieved:
        """Find the `k` best equations that the question's regime does not exclude.

        If the base does not fit the question, there are no hits, and the result has the reason.

        Parameters:
            question: In English or Chinese; a glossary translates the terms of Chinese questions.
            k: The largest number of hits.
            traps: Add similar equations that the regime excludes.
            prerequisites: Add equations that yield open inputs.
        """
        question = translate_question(question)
        if reason := self.find_refusal(question):
            return Retrieved((), reason=reason)
        ranked = self._ranker.rank(question)
        order = ranked.select_best(max(k, CANDIDATES))
        hits = tuple(self._make_hit(place, ranked) for place in order[:k])
        excluded = tuple(self._find_excluded(hits, ranked, 3 * k)) if traps else ()
        needed = self._prerequisites.find_prerequisites(order[:k], order[k:], ranked) if prerequisites else ()
        return Retrieved(hits, excluded, tuple(needed))

    def rank_ids(self, question: str) -> list[str]:
        """Return the ids of all entries that the regime does not exclude, best first, without refusals."""
        ranked = self._ranker.rank(translate_question(question))
        entries = self._library.entries
        return [entries[place].id for place in ranked.select_best(len(entries))]

    def find_refusal(self, question: str) -> str:
        """Return why the base has nothing for a question; "" if it has something."""
        return find_refusal_reason(question, self._library, self._words, self._meaning)

    def _make_hit(self, place: int, ranked: Ranked) -> Hit:
        """Return an entry with its open conditions and the reasons for doubt."""
        equation, known = self._library.entries[place], ranked.known
        required = [judge_condition(predicate, known, equation) for predicate in equation.regime.require]
        preferred = [judge_condition(predicate, known, equation) for predicate in equation.regime.prefer]
        against = [judged.reason for judged in required if judged.support < 0]
        against += [
            judged.reason.replace("needs", "best for", 1) for judged in preferred if judged.support < 0
        ]
        against += [
            f"{mode.when}: {mode.effect}"
            for mode in equation.failure_modes
            if mode.predicate and judge_condition(mode.predicate, known, equation).holds
        ]
        pairs = zip(equation.regime.require, required, strict=True)
        unsettled = tuple(
            f"{one.describe()} ({judged.conflict})" if judged.conflict else one.describe()
            for one, judged in pairs
            if judged.support >= 0 and not judged.holds
        )
        return Hit(equation, float(ranked.scores[place]), unsettled, tuple(against))

    def _find_excluded(self, hits: Sequence[Hit], ranked: Ranked, count: int) -> Iterator[Excluded]:
        """Yield excluded entries: those easily confused with the first hits, then others that rank high."""
        places = self._library.places
        confusable = [id for hit in hits[:3] for id in hit.equation.confusable_with if id in places]
        excluded = [places[id] for id in confusable if ranked.scores[places[id]] == -math.inf]
        for place in list(dict.fromkeys([*excluded, *ranked.select_traps(count)]))[:_EXCLUDED_SHOWN]:
            equation = self._library.entries[place]
            for judgement in islice(find_contradicted(equation, ranked.known), 1):
                yield Excluded(equation, judgement.reason)


_build_lock = Lock()  # loading the sentence model takes seconds; concurrent first calls wait for it


def get_searcher(
    ranker: str | RankerFactory = REGIME_AWARE,
    conditions: bool = True,
    encoder: str = DEFAULT,
    reranker: str | None = None,
) -> Searcher:
    """Return the shared searcher of the shipped base with these settings, created on first use."""
    with _build_lock:
        return _build_searcher(ranker, conditions, encoder, reranker)


@cache
def _build_searcher(
    ranker: str | RankerFactory, conditions: bool, encoder: str, reranker: str | None
) -> Searcher:
    return Searcher(None, ranker, conditions, encoder, reranker)


def _build_ranker(ranker: str | RankerFactory | Ranker, library: Library, encoder: str) -> Ranker:
    if isinstance(ranker, str):
        ranker = find_ranker(ranker)
    if isinstance(ranker, Ranker) and not isinstance(ranker, type):
        return ranker
    return make_ranker(ranker, library, encoder)
