"""The derivation chain solver: from what is given to what is asked, through the equations of the base."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ansatz.knowledge_base.axes import WORDS, axis_name
from ansatz.knowledge_base.chain.evidence import Chain, Supplied, Wanted
from ansatz.knowledge_base.chain.implied import implied
from ansatz.knowledge_base.chain.index import Index
from ansatz.knowledge_base.chain.joint import Joint, Task, known
from ansatz.knowledge_base.chain.meaning import meaning
from ansatz.knowledge_base.chain.prices import Prices
from ansatz.knowledge_base.chain.stated import stated
from ansatz.knowledge_base.facts import Facts, Word
from ansatz.knowledge_base.givens import without_blanks
from ansatz.knowledge_base.library import Library
from ansatz.knowledge_base.ranking import Ranker
from ansatz.knowledge_base.regime import facts


class Solver:
    """Built once for a library. `relevance` judges which equations a question's words speak of."""

    def __init__(self, library: Library, relevance: Ranker | None = None):
        self._library = library
        self._index = Index(list(library))
        self._prices = Prices(library, relevance)

    def solve(
        self,
        givens: Sequence[Supplied],
        targets: Sequence[Wanted],
        question: str = "",
        words: Mapping[str, str] | None = None,
        only: Collection[str] | None = None,
    ) -> tuple[Chain, ...]:
        """A chain for each target, in their order; a target that is derived serves the others.

        `question` is read for the regime and for what it speaks of; `words` are facts on word axes, such
        as {"gas": "air"}. `only` bars all other entries of the base, for a diagnosis.
        """
        regime = _with_words(facts(without_blanks(question), self._library), words or {})
        every: list[Supplied | Wanted] = [*givens, *targets]
        means = {each.name: meaning(each.name, each.description, each.unit) for each in every}
        units = {each.name: each.unit for each in every}
        relations = [
            (equation, {name: means[name] for name in equation.symbols})
            for equation in stated(question, units)
        ]
        prices = self._index.with_sorts(self._prices.of(question, regime), question)
        if only is not None:
            prices = {id: price for id, price in prices.items() if id in only}
        words_say = (replace(known(each), uses=frozenset()) for each in implied(question, givens))
        every_known = (*map(known, givens), *words_say)
        task = Task(every_known, tuple(targets), prices, relations, regime)
        return Joint(self._index, task).chains()


def _with_words(known: Facts, words: Mapping[str, str]) -> Facts:
    """The facts with those of the words that conditions speak of; "flat plate" is their flat_plate."""
    spelled = {axis_name(axis): word.replace(" ", "_") for axis, word in words.items()}
    stated = {
        axis: (Word(word, "given", 1.0),)
        for axis, word in spelled.items()
        if axis in WORDS and word in WORDS[axis].values
    }
    return replace(known, stated={**known.stated, **stated})
