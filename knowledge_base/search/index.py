"""An index of documents by words and by meaning, in memory and in a folder.

    index = Index()                                        # or Index("sentence-transformers:BAAI/bge-m3")
    index.update([Document("a", "The recovery factor of air is 0.89."), ...])
    for match in index.search("Which recovery factor has air?", 5):
        print(match.id, match.score, match.nearness, match.data)
    index.save(folder)
    Index.load(folder).update(documents)                   # encodes only texts that the index does not have

Words are ranked by rank-bm25 (`WordIndex`), vectors by FAISS (`DocumentVectors`). The scores of words are
square roots: few passages have the words of a question, and their scores would exceed any nearness. The 50
best documents are also compared by the tokens of their parts (`TokenVectors`), with the default encoder.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ansatz.errors import InvalidData
from ansatz.knowledge_base.search.document_vectors import DocumentVectors, EncodedKeys, EncodedTexts
from ansatz.knowledge_base.search.encoders import (
    DEFAULT,
    Encoder,
    OnProgress,
    encode_question,
    encode_unit,
    find_encoder,
    tokenize_question,
)
from ansatz.knowledge_base.search.index_folder import FORMAT, check_files, read_manifest, write_state
from ansatz.knowledge_base.search.tokenizing import split_terms, weigh_question_terms
from ansatz.knowledge_base.search.vector_index import VECTORS
from ansatz.knowledge_base.search.word_index import WordIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Vectors = NDArray[np.float32]

_WORDS, _DOCUMENTS = "words.npz", "documents.jsonl"
_PROBE = "The speed of sound in air depends on its temperature."
_COMPARED = 50  # best documents, of which the tokens are compared
_LEAST_CANDIDATES = 1000  # of an index that compares a question with some vectors only


@dataclass(frozen=True)
class Document:
    """One passage of an index."""

    id: str
    """Its name, unique in the index."""
    text: str
    """What is searched: it is split into words and encoded."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What a match returns, as JSON: its source, section, page."""
    parts: Sequence[str] = ()
    """Short pieces of the text that are also encoded; a question is often near to one of them only."""
    context: str = ""
    """What the parts lack, such as the headings above them."""


@dataclass(frozen=True)
class Match:
    """One document that a search found."""

    id: str
    score: float
    """The sum of `words` and `meaning`, and for the 50 best documents that of their tokens, standardized."""
    words: float
    """The square root of its BM25 score, in standard deviations above the mean of all documents."""
    meaning: float
    """Its nearness, in standard deviations above the mean of all documents; 0 without an encoder."""
    nearness: float
    """The mean cosine of the question with its text and its nearest part, -1 to 1; 0 without an encoder."""
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Changes:
    """The numbers of documents that an update added, replaced, removed and left."""

    added: int
    replaced: int
    removed: int
    unchanged: int
    encoded: int
    """The number of documents whose text was encoded."""


class Index:
    """Documents that are found by words and by meaning. A failed change leaves it as it was.

    Parameters:
        encoder: The name of an encoder, an `Encoder`, or None to search by words only. The name is stored; an
            object has to be passed to `load` again.

    Raises:
        SettingError: There is no such encoder.
    """

    def __init__(self, encoder: str | Encoder | None = DEFAULT):
        self._encoder = find_encoder(encoder) if isinstance(encoder, str) else encoder
        self.encoder_name = encoder if isinstance(encoder, str) else _name_encoder(encoder)
        self._words = WordIndex()
        self._vectors = DocumentVectors()
        self._ids: list[str] = []
        self._data: list[str] = []

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all documents."""
        return tuple(self._ids)

    def items(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the id and the data of each document."""
        yield from zip(self._ids, map(json.loads, self._data), strict=True)

    @property
    def digest(self) -> str:
        """The hash of all documents and settings, independent of the order of changes."""
        hashed = hashlib.sha256(f"{FORMAT}\n{self.encoder_name}\n".encode())
        for row in sorted(zip(self._ids, self._vectors.list_keys(), self._data, strict=True)):
            hashed.update(json.dumps(row).encode())
        return hashed.hexdigest()

    def update(self, documents: Iterable[Document], on_progress: OnProgress | None = None) -> Changes:
        """Make these the documents of the index: add, replace and remove as necessary.

        Raises:
            InvalidData: Two documents have the same id.
        """
        wanted = list(documents)
        return self._change(wanted, set(self._ids).difference(each.id for each in wanted), on_progress)

    def add(self, documents: Iterable[Document], on_progress: OnProgress | None = None) -> Changes:
        """Add documents, and replace those with the same ids. Raises InvalidData as `update` does."""
        return self._change(list(documents), set(), on_progress)

    def remove(self, ids: Iterable[str]) -> Changes:
        """Remove the documents with these ids; unknown ids are ignored."""
        return self._change([], set(self._ids).intersection(ids), None)

    def search(
        self,
        question: str,
        count: int = 10,
        weights: Mapping[str, float] | None = None,
        compare_tokens: bool = True,
    ) -> list[Match]:
        """Return the best documents for a question, best first.

        Parameters:
            question: In plain language.
            count: The largest number of matches.
            weights: The terms of the question with their weights; by default its words, and synonyms.
            compare_tokens: Whether to compare the tokens of the best documents, if the index has them.
        """
        if not len(self):
            return []
        rated = self._words.scores(weigh_question_terms(question) if weights is None else weights)
        matched = np.flatnonzero(rated > 0)  # words that most documents have can have a rarity below 0
        rows: NDArray[np.intp]
        near: NDArray[np.floating[Any]]
        meaning: NDArray[np.floating[Any]]
        if self._encoder is None or not self._vectors.has_vectors:
            rows, near, meaning = np.arange(len(self)), np.zeros(len(self)), np.zeros(len(self))
        else:
            vector = encode_question(self._encoder, question)
            most = max(_LEAST_CANDIDATES, 20 * count)
            found = self._vectors.compare(vector, partial(_find_best, rated, matched), most)
            rows, near = found.rows, found.mean
            meaning = (near - float(found.sample.mean())) / (float(found.sample.std()) or 1.0)
        words = _standardize_roots(rated, matched, rows)
        total = words + meaning
        tokens = None
        if compare_tokens and self._encoder is not None and self._vectors.has_tokens:
            tokens = tokenize_question(self._encoder, question)
        if tokens is not None:
            compared = np.argpartition(-total, min(_COMPARED, len(total)) - 1)[:_COMPARED]
            total[compared] += standardize(self._vectors.rate_tokens(tokens, rows[compared]))
        best = np.argpartition(-total, min(count, len(total)) - 1)[:count]
        best = best[np.lexsort((best, -total[best]))]
        return [
            Match(
                id=self._ids[row],
                score=float(total[place]),
                words=float(words[place]),
                meaning=float(meaning[place]),
                nearness=float(near[place]),
                data=json.loads(self._data[row]),
            )
            for place, row in zip(best.tolist(), rows[best].tolist(), strict=True)
        ]

    def rarity(self, term: str) -> float:
        """Return the inverse document frequency of a term; an unknown one has the greatest possible."""
        return self._words.rarity(term)

    def __contains__(self, term: str) -> bool:
        """Whether a document has a term."""
        return term in self._words

    def save(self, folder: Path) -> str:
        """Write the index into a folder in one step, and return its digest.

        Readers see the old index or the complete new one, also if the process is killed. Two processes that
        change one index take `lock_index(folder)` around load, update and save.
        """
        digest = self.digest
        description = {
            "digest": digest,
            "encoder": self.encoder_name,
            "probe": self._encode_probe(),
            "documents": len(self),
        }
        write_state(folder, self._write, description)
        return digest

    @classmethod
    def load(cls, folder: Path, encoder: Encoder | None = None) -> Index:
        """Read the index that `save` wrote.

        Parameters:
            folder: Its folder.
            encoder: The encoder, if the index was created with an object that has no name.

        Raises:
            InvalidData: There is no index, it is damaged, or another version wrote it.
            SettingError: There is no such encoder.
        """
        manifest = read_manifest(folder)
        name = manifest["encoder"]
        index = cls(encoder if encoder is not None else name)
        if index.encoder_name != name:
            raise InvalidData(f"{folder}: indexed with encoder {name}, not {index.encoder_name}")
        state = folder / manifest["folder"]
        try:
            check_files(state, manifest)
            index._read(state, manifest["files"])
        except (FileNotFoundError, RuntimeError):  # FAISS raises RuntimeError for a missing file
            if read_manifest(folder) != manifest:  # another process has saved a newer state
                return cls.load(folder, encoder)
            raise InvalidData(f"{folder}: a file is missing; delete the folder and index again") from None
        if not np.allclose(index._encode_probe(), manifest["probe"], atol=1e-3):
            raise InvalidData(
                f"{folder}: encoder {name} has changed since; delete the folder and index again"
            )
        return index

    def _change(
        self, wanted: Sequence[Document], removed: set[str], on_progress: OnProgress | None
    ) -> Changes:
        """Add or replace documents, and remove ids. Nothing changes before all new texts are encoded."""
        rows = {id: row for row, id in enumerate(self._ids)}
        if twice := [id for id, often in Counter(each.id for each in wanted).items() if often > 1]:
            raise InvalidData(f"two documents have the id {twice[0]!r}")
        data = {each.id: json.dumps(each.data, ensure_ascii=False) for each in wanted}
        texts = {each.id: EncodedTexts(each.text, each.parts, each.context) for each in wanted}
        keys = self._vectors.list_keys()
        new = [
            each for each in wanted if each.id not in rows or keys[rows[each.id]] != texts[each.id].all_keys
        ]
        stays = texts.keys() & rows.keys() - {each.id for each in new}
        renewed = [id for id in stays if self._data[rows[id]] != data[id]]
        replaced = {each.id for each in new if each.id in rows}
        added = [texts[each.id] for each in new]
        encoded = self._encode(added, on_progress)

        before = self._vectors.all_keys
        for id in renewed:
            self._data[rows[id]] = data[id]
        self._drop(removed | replaced)
        self._words.add(split_terms(each.text) for each in new)
        self._ids += [each.id for each in new]
        self._data += [data[each.id] for each in new]
        self._vectors.add(added, encoded)
        self._vectors.drop_unused(before)
        return Changes(
            added=len(new) - len(replaced),
            replaced=len(replaced) + len(renewed),
            removed=len(removed),
            unchanged=len(stays) - len(renewed),
            encoded=len(encoded.vectors.keys() & {each.key for each in added}),
        )

    def _encode(self, texts: Sequence[EncodedTexts], on_progress: OnProgress | None) -> EncodedKeys:
        """Return the vectors that the index lacks; progress counts documents."""
        encoder = self._encoder
        if encoder is None:
            return EncodedKeys({}, {})

        def report(work: str, done: int, count: int) -> None:
            if on_progress:
                on_progress(work, done * len(texts) // count, len(texts))

        return self._vectors.encode(
            texts, lambda missing, on_tokens: encode_unit(encoder, missing, report, on_tokens)
        )

    def _encode_probe(self) -> list[float]:
        """Return some numbers of a fixed text's vector, which show that a model behind a name changed."""
        if self._encoder is None or self.encoder_name == DEFAULT:  # the weights have a fixed hash
            return []
        return [round(number, 4) for number in encode_unit(self._encoder, [_PROBE])[0, :8].tolist()]

    def _drop(self, ids: set[str]) -> None:
        """Remove the rows of these ids."""
        if not ids:
            return
        stays = np.array([id not in ids for id in self._ids])
        self._words.keep(stays)
        self._ids = list(compress(self._ids, stays))
        self._data = list(compress(self._data, stays))
        self._vectors.keep(stays)

    def _write(self, folder: Path) -> None:
        """Write all files of a state."""
        words = self._words.to_arrays()
        terms = np.array("\n".join(words.pop("terms")))
        np.savez(folder / _WORDS, terms=terms, **words, **self._vectors.to_arrays())
        with (folder / _DOCUMENTS).open("w", encoding="utf-8") as file:
            file.writelines(
                f"{json.dumps(id)}\t{data}\n" for id, data in zip(self._ids, self._data, strict=True)
            )
        self._vectors.save_vectors(folder)

    def _read(self, folder: Path, files: Container[str]) -> None:
        """Read the files that `_write` wrote."""
        with np.load(folder / _WORDS) as stored:
            words = dict(stored)
        terms = str(words.pop("terms"))
        self._vectors = DocumentVectors.load(words, folder, VECTORS in files)
        self._words = WordIndex.from_arrays({**words, "terms": terms.split("\n") if terms else []})
        lines = (folder / _DOCUMENTS).read_text(encoding="utf-8").split("\n")[:-1]
        for id, _, data in (line.partition("\t") for line in lines):
            self._ids.append(json.loads(id))
            self._data.append(data)


def standardize(scores: Floats) -> Floats:
    """Subtract the mean and divide by the standard deviation; excluded entries (-inf) stay excluded."""
    known = np.isfinite(scores)
    if not known.any():
        return scores
    spread = scores[known].std()
    return np.where(known, (scores - scores[known].mean()) / (spread or 1.0), scores)


def _name_encoder(encoder: Encoder | None) -> str | None:
    return None if encoder is None else f"{type(encoder).__module__}:{type(encoder).__qualname__}"


def _find_best(rated: Floats, matched: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return those of the matched rows that have the greatest scores, at most this number."""
    if len(matched) <= most:
        return matched
    return matched[np.argpartition(-rated[matched], most - 1)[:most]]


def _standardize_roots(rated: Floats, matched: NDArray[np.intp], rows: NDArray[np.intp]) -> Floats:
    """Return the standardized square roots of the scores of rows; all but the matched rows have 0."""
    mean = float(np.sqrt(rated[matched]).sum()) / len(rated)
    variance = float(rated[matched].sum()) / len(rated) - mean**2
    return (np.sqrt(np.maximum(rated[rows], 0)) - mean) / (math.sqrt(max(variance, 0.0)) or 1.0)
