"""Build, save, load and query an index of synthetic passages; docs/index-scale.md shows the table.

    .venv/bin/python benchmarks/index_scale.py [--passages 1000000]

A passage has 100 words, drawn by Zipf's law from 50,000. A vector is one of 500 topics and noise of the same size
(so that two passages of a topic have a cosine of about 0.5); it takes the place of an encoder, whose time depends on
the model. A question is a noisy copy of a passage: eight of its rarest words and its vector with noise.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import faiss
import numpy as np

from ansatz.knowledge_base.search.index import Document, Index

WORDS, LENGTH, DIMENSIONS, TOPICS, NOISES, QUESTIONS = 50_000, 100, 384, 500, 5000, 100
BATCH = 50_000


class NumberedTexts:
    """An encoder for texts that begin with their number: a topic's centre and noise, unit size."""

    def __init__(self) -> None:
        random = np.random.default_rng(1)
        self._centres = random.standard_normal((TOPICS, DIMENSIONS), dtype=np.float32)
        self._noise = random.standard_normal((NOISES, DIMENSIONS), dtype=np.float32) / np.float32(np.sqrt(2))

    def encode(self, texts: Sequence[str]) -> Any:
        numbers = np.array(
            [int("0" + "".join(filter(str.isdigit, text.split(maxsplit=1)[0]))) for text in texts]
        )
        rows = (
            self._centres[numbers % TOPICS]
            + self._noise[numbers % (NOISES - 1)]
            + self._noise[numbers // NOISES]
        )
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def encode_query(self, texts: Sequence[str]) -> Any:
        noise = np.random.default_rng(0).standard_normal((len(texts), DIMENSIONS), dtype=np.float32)
        return self.encode(texts) + 0.5 * noise / np.linalg.norm(noise, axis=1, keepdims=True)


def draw_passages(count: int) -> Iterator[list[Document]]:
    """Yield batches of passages."""
    random = np.random.default_rng(0)
    share = 1 / np.arange(1, WORDS + 1)
    bounds = np.cumsum(share / share.sum())
    names = np.array([f"w{number}x" for number in range(WORDS)])
    for start in range(0, count, BATCH):
        numbers = np.searchsorted(bounds, random.random((min(BATCH, count - start), LENGTH)))
        yield [
            Document(f"{start + row}", f"p{start + row} {' '.join(words)}")
            for row, words in enumerate(names[np.minimum(numbers, WORDS - 1)])
        ]


def measure(action: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of an action and its seconds of processor time, which other processes do not lengthen."""
    start = time.process_time()
    return action(), time.process_time() - start


def ask(index: Index, passages: Sequence[Document]) -> tuple[float, list[float], float]:
    """Return the share of questions whose passage is first, the seconds of each, and those of the first one."""
    first, seconds = 0, []
    for passage in passages:
        words = sorted(passage.text.split()[1:], key=lambda word: -int(word[1:-1]))[:8]
        question = f"p{passage.id} {' '.join(words)}"
        weights = dict.fromkeys(words, 1.0)
        matches, spent = measure(
            lambda question=question, weights=weights: index.search(question, 10, weights)
        )
        first += matches[0].id == passage.id
        seconds.append(spent)
    return first / len(passages), sorted(seconds[1:]), seconds[0]


def show(name: str, value: str) -> None:
    """Print one row of the table as soon as it is measured."""
    print(f"| {name} | {value} |", flush=True)


def main(count: int) -> None:
    index, spent, chosen = Index(NumberedTexts()), 0.0, []
    for batch in draw_passages(count):
        chosen += batch[:: max(count // QUESTIONS, 1)]
        spent += measure(partial(index.add, batch))[1]
        print(f"{len(index):,} passages in {spent:.0f} s", flush=True)
    show("passages", f"{count:,}")
    show("build, with the encoder above (s of processor time, as all below)", f"{spent:.0f}")
    with tempfile.TemporaryDirectory() as folder:
        show("save (s)", f"{measure(partial(index.save, Path(folder)))[1]:.1f}")
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
        show("size on disk (GB)", f"{size / 1e9:.2f}")
        del index
        loaded, loading = measure(partial(Index.load, Path(folder), NumberedTexts()))
        show("load, with its hashes checked (s)", f"{loading:.1f}")
    faiss.omp_set_num_threads(1)  # other threads would only wait, and count
    share, seconds, first = ask(loaded, chosen)
    show("first query (s)", f"{first:.2f}")
    median, late = (1000 * seconds[int(part * len(seconds))] for part in (0.5, 0.95))
    show("query, median and 95th percentile (ms)", f"{median:.0f}, {late:.0f}")
    show("its passage is first", f"{share:.2f}")
    show(
        "replace one passage (s)",
        f"{measure(partial(loaded.add, [Document('0', 'p0 an edited passage')]))[1]:.1f}",
    )
    show("first query after it (s)", f"{measure(partial(loaded.search, 'p0 edited passage'))[1]:.1f}")
    show("greatest memory (GB)", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f}")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--passages", type=int, default=1_000_000)
    main(options.parse_args().passages)
