"""Search for the equations that a question needs, with rankers by words, by meaning and by regime.

A search returns hits, the equations that yield their inputs, and similar entries that the regime excludes.
"""

from ansatz.knowledge_base.search.minilm import embed_question
from ansatz.knowledge_base.search.ranking import (
    BM25,
    Dense,
    Hybrid,
    PhraseIndex,
    Ranker,
    RankerFactory,
    check_ranker,
    encode_base,
    find_ranker,
    list_rankers,
)
from ansatz.knowledge_base.search.regime_ranking import RegimeAware
from ansatz.knowledge_base.search.retrieved import Excluded, Hit, Prerequisite, Retrieved
from ansatz.knowledge_base.search.searcher import Searcher, get_searcher

__all__ = [
    "BM25",
    "Dense",
    "Excluded",
    "Hit",
    "Hybrid",
    "PhraseIndex",
    "Prerequisite",
    "Ranker",
    "RankerFactory",
    "RegimeAware",
    "Retrieved",
    "Searcher",
    "check_ranker",
    "embed_question",
    "encode_base",
    "find_ranker",
    "get_searcher",
    "list_rankers",
]
