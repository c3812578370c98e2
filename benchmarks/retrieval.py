"""How long a search takes, on the base and on synthetic ones, beside LangChain's ensemble in the same run.

.venv/bin/python benchmarks/retrieval.py [--json] [--sizes 10000 100000]

The questions are our own problem statements. Both sides run in one thread and return five results;
times are processor times of that thread, which other work on the machine hardly lengthens. The peer is
langchain-classic's EnsembleRetriever (reciprocal rank fusion) of rank-bm25 and an exact faiss index; it knows
no conditions. The question's sentence vector is the same work on both sides, so it is timed on its own and both are given it.
Synthetic entries are the base's own with words exchanged, limits moved and vectors turned a little.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from ansatz.eval.benchmarks import tps
from ansatz.knowledge_base.equation import WORDS, Equation, Library, Predicate, Regime
from ansatz.knowledge_base.regime.stated_quantities import without_givens
from ansatz.knowledge_base.search import PhraseIndex, Searcher, question_vector
from ansatz.knowledge_base.search.embedding import DIMENSIONS, embedder, vectors_for
from ansatz.knowledge_base.search.ranking import Blend
from ansatz.knowledge_base.search.tokenizing import (
    asked_sentence,
    entry_parts,
    entry_phrases,
    entry_text,
    terms,
)

SHOWN, SEED = 5, 20
_LIMITS = ("lt", "le", "gt", "ge")


def synthetic(base: Sequence[Equation], vectors: Any, count: int) -> tuple[Library, Any]:
    """`count` entries made from the base's, and their vectors in the order of the library."""
    chance, noise = random.Random(SEED), np.random.default_rng(SEED)
    words = sorted({word for equation in base for word in equation.name.lower().split()})
    made = []
    for number in range(count):
        source = base[number % len(base)]
        extra = " ".join(chance.sample(words, 3))
        change = {
            "id": f"{source.id}.v{number:06d}",
            "name": f"{source.name}, {extra}",
            "regime": Regime(
                require=tuple(_varied(one, source, chance) for one in source.regime.require),
                prefer=tuple(_varied(one, source, chance) for one in source.regime.prefer),
            ),
            "confusable_with": (),
        }
        made.append(Equation.model_construct(**{**dict(source), **change}))
    library = Library(made)
    place = {equation.id: row % len(base) for row, equation in enumerate(made)}
    turned = vectors[[place[equation.id] for equation in library]]
    turned = turned + 0.3 / DIMENSIONS**0.5 * noise.standard_normal(turned.shape, dtype=np.float32)
    return library, turned / np.linalg.norm(turned, axis=1, keepdims=True)


def _varied(predicate: Predicate, source: Equation, chance: random.Random) -> Predicate:
    """The predicate with its limits scaled, or with another word of its axis."""
    fields = predicate.model_dump(exclude_none=True, by_alias=False)
    for name in _LIMITS:
        if name in fields:
            fields[name] *= chance.uniform(0.5, 2.0)
    if predicate.between:
        fields["between"] = tuple(limit * chance.uniform(0.7, 1.4) for limit in predicate.between)
    is_word = predicate.axis in WORDS and predicate.var not in source.units
    if is_word and predicate.any_of and chance.random() < 0.5:
        fields["any_of"] = (chance.choice(WORDS[predicate.axis].values),)
    return Predicate.model_validate(fields)


def peer(library: Library, vectors: Any, questions: Sequence[str]) -> Callable[[str], object]:
    """LangChain's ensemble over the same texts, terms and vectors, also those of the questions."""
    import faiss
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from rank_bm25 import BM25Okapi

    faiss.omp_set_num_threads(1)
    embedded = {question: question_vector(without_givens(question))[None, :] for question in questions}
    documents = [Document(page_content=entry_text(one), metadata={"id": one.id}) for one in library]
    words = BM25Okapi([terms(document.page_content) for document in documents])
    index = faiss.IndexFlatIP(DIMENSIONS)
    index.add(vectors)

    class ByWords(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            return list(words.get_top_n(terms(query), documents, n=SHOWN))

    class ByVector(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            _, places = index.search(embedded[query], SHOWN)
            return [documents[place] for place in places[0]]

    return EnsembleRetriever(retrievers=[ByWords(), ByVector()], weights=[0.5, 0.5]).invoke


def milliseconds(
    work: Callable[[str], object], questions: Sequence[str], repeats: int = 5
) -> dict[str, float]:
    """Median and 95th percentile of processor time over questions and repeats, after one pass to warm up."""
    taken = []
    for repeat in range(repeats + 1):
        for question in questions:
            started = time.thread_time()
            work(question)
            if repeat:
                taken.append(1000 * (time.thread_time() - started))
    return {"p50": float(np.median(taken)), "p95": float(np.quantile(taken, 0.95))}


def measure(name: str, library: Library, vectors: Any, questions: Sequence[str]) -> dict[str, Any]:
    started = time.perf_counter()
    meaning = PhraseIndex(library, None if name == "shipped" else _with_phrases(library, vectors))
    searcher = Searcher(library, Blend(library, meaning=meaning))
    built = time.perf_counter() - started
    ours = milliseconds(lambda question: searcher.search(question, SHOWN), questions)
    theirs = milliseconds(peer(library, vectors, questions), questions)
    ratio = theirs["p50"] / ours["p50"]
    return {
        "entries": len(library),
        "base": name,
        "ours_ms": ours,
        "langchain_ms": theirs,
        "times_faster": ratio,
        "build_s": built,
    }


def _with_phrases(library: Library, vectors: Any) -> Any:
    """The entries' vectors, and below them one for each phrase: its entry's own."""
    counts = [len(entry_phrases(equation)) for equation in library]
    return np.concatenate([vectors, np.repeat(vectors, counts, axis=0)])


def _embed(question: str) -> None:
    """What a search embeds: the question, and the sentence that asks where it is another."""
    embedder()(list({without_givens(text): None for text in (question, asked_sentence(question))}))


def main(arguments: Sequence[str]) -> None:
    threadpool_limits(1)
    parser = argparse.ArgumentParser(description="Search times beside LangChain's ensemble.")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000])
    options = parser.parse_args(arguments)
    questions = [problem.question for problem in tps.load(instances=1)][::4]
    embedding = milliseconds(_embed, questions, repeats=3)
    shipped = Library.load()
    vectors = vectors_for([entry_parts(equation) for equation in shipped])
    rows = [measure("shipped", shipped, vectors, questions)]
    for size in options.sizes:
        print(f"building {size} entries", file=sys.stderr)
        rows.append(measure("synthetic", *synthetic(list(shipped), vectors, size), questions))
    if options.json:
        print(json.dumps({"embedding_ms": embedding, "searches": rows}, indent=2))
        return
    print(
        f"embedding of a question: {embedding['p50']:.1f} ms (p95 {embedding['p95']:.1f}), not included below"
    )
    for row in rows:
        ours, theirs = row["ours_ms"], row["langchain_ms"]
        print(
            f"{row['entries']:7} {row['base']:9}  ours {ours['p50']:7.2f} ms (p95 {ours['p95']:.2f})   "
            f"LangChain {theirs['p50']:8.2f} ms (p95 {theirs['p95']:.2f})   {row['times_faster']:5.1f} x"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
