"""The index of documents: rank-bm25's scores, FAISS's neighbours, changes without a rebuild, safe files."""

from dataclasses import replace

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from ansatz.errors import InvalidData, SettingError
from ansatz.knowledge_base.search import vector_index
from ansatz.knowledge_base.search.index import Document, Index
from ansatz.knowledge_base.search.index_folder import lock_index
from ansatz.knowledge_base.search.minilm import TokenizedText
from ansatz.knowledge_base.search.token_vectors import TokenSigns, TokenVectors
from ansatz.knowledge_base.search.word_index import LENGTH, SATURATION, WordIndex

THINGS = ("sphere", "cone", "plate", "nozzle", "duct", "fin")
DOCUMENTS = [
    Document(f"{thing} {value}", f"The {value} of a {thing} in air", {"page": page})
    for page, thing in enumerate(THINGS, 1)
    for value in ("drag", "heat flux", "mass", "wall pressure")
]


class CountingEncoder:
    """Vectors of letter counts; `texts` are those that were encoded."""

    def __init__(self):
        self.texts = []

    def encode(self, texts):
        self.texts += texts
        return np.array(
            [[1e-9 + text.lower().count(each) for each in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        )


def search_ids(index, question, count=3):
    return [match.id for match in index.search(question, count)]


def test_word_scores_are_those_of_rank_bm25():
    """Also after documents are added and removed, for weighted and unknown terms."""
    random = np.random.default_rng(0)
    documents = [
        [f"t{number}" for number in random.zipf(1.4, 1 + random.integers(40)) % 300] for _ in range(90)
    ]
    weights = {"t1": 2 / 3, "t2": 1.0, "t7": 0.4, "unknown": 1.0}
    index, stays = WordIndex(), random.random(90) < 0.6
    index.add(documents[:40])
    assert index.scores(weights).shape == (40,)
    index.add(documents[40:])
    index.keep(stays)
    kept = [document for document, one in zip(documents, stays, strict=True) if one]
    okapi = BM25Okapi(kept, k1=SATURATION, b=LENGTH)
    expected = sum(weight * okapi.get_scores([term]) for term, weight in weights.items())
    for each in (index, WordIndex.from_arrays(index.to_arrays())):
        assert each.scores(weights) == pytest.approx(expected, rel=1e-6)
        assert each.rarity("t2") == pytest.approx(okapi.idf["t2"])


def test_a_document_without_text_can_be_indexed():
    """Reading a file can find no text on a page."""
    index = Index(CountingEncoder())
    index.add([*DOCUMENTS, Document("empty", "")])
    assert search_ids(index, DOCUMENTS[0].text, 1) == [DOCUMENTS[0].id]


def test_changes_encode_only_new_texts(tmp_path):
    encoder = CountingEncoder()
    index = Index(encoder)
    assert index.update(DOCUMENTS).encoded == len(DOCUMENTS)
    index.save(tmp_path)
    loaded = Index.load(tmp_path, encoder)
    encoder.texts.clear()
    moved = Document(DOCUMENTS[1].id, DOCUMENTS[1].text, {"page": 99})
    renamed = Document("renamed", DOCUMENTS[2].text, DOCUMENTS[2].data)
    edited = Document(DOCUMENTS[3].id, "Entropy of humid air", DOCUMENTS[3].data)
    wanted = [moved, renamed, edited, *DOCUMENTS[4:]]
    changes = loaded.update(wanted)
    assert encoder.texts == [edited.text]
    assert (changes.added, changes.replaced, changes.removed, changes.encoded) == (1, 2, 2, 1)
    assert loaded.search(DOCUMENTS[1].text, 1)[0].data == {"page": 99}
    fresh = Index(encoder)
    fresh.update(wanted)
    assert loaded.digest == fresh.digest
    for question in ("entropy", "Which mass has a sphere?", "pressure at the wall of a fin"):
        assert search_ids(loaded, question) == search_ids(fresh, question)
        assert loaded.search(question)[0].score == pytest.approx(fresh.search(question)[0].score, rel=1e-5)


def test_equal_texts_are_all_found_and_removed_singly():
    index = Index(CountingEncoder())
    index.add([Document("a", "Heat flux"), Document("b", "Heat flux"), Document("c", "Mass flow")])
    assert set(search_ids(index, "heat flux", 2)) == {"a", "b"}
    index.remove(["a"])
    assert search_ids(index, "heat flux") == ["b", "c"]


def test_a_long_text_is_found_by_its_nearest_part():
    """Words do not decide: no document has those of the question. Headings count a little."""
    parts = ("abc", "xyz", "def")
    whole, short = Document("whole", "abc xyz def"), Document("short", "xy a")
    index = Index(CountingEncoder())
    index.add([whole, short, *DOCUMENTS])
    assert search_ids(index, "zyx", 1) == ["short"]
    index = Index(CountingEncoder())
    index.add([replace(whole, parts=parts), short, *DOCUMENTS])
    assert search_ids(index, "zyx", 1) == ["whole"]
    index.add([replace(whole, id="other", parts=parts, context="zw")])
    assert search_ids(index, "wzyx", 1) == ["other"]


def test_a_change_of_the_parts_alone_replaces_a_document():
    encoder = CountingEncoder()
    index, text = Index(encoder), "abc xyz"
    index.update([Document("a", text, parts=("abc", "xyz")), *DOCUMENTS])
    encoder.texts.clear()
    changed = [Document("a", text, parts=("abc xy", "z")), *DOCUMENTS]
    before = index.digest
    assert index.update(changed).replaced == 1
    assert encoder.texts == ["abc xy", "z"]
    assert index.digest != before
    assert index.update(changed).unchanged == len(changed)


def test_late_interaction_takes_the_nearest_token_of_each_word():
    draw = np.random.default_rng(1)
    texts = [
        TokenizedText(np.zeros(384), np.array(ids, np.uint16), draw.normal(size=(len(ids), 384)))
        for ids in ([1, 2, 3], [3, 4], [5])
    ]
    stored = TokenVectors()
    stored.add({9: TokenSigns.pack(texts[2])})
    stored.add({7: TokenSigns.pack(texts[0]), 8: TokenSigns.pack(texts[1])})
    question = TokenizedText(np.zeros(384), np.array([3, 5], np.uint16), draw.normal(size=(2, 384)))
    rated = stored.rate(question, [np.array([8, 7]), np.array([9]), np.array([], dtype=int)])
    unit = question.vectors / np.linalg.norm(question.vectors, axis=1, keepdims=True)
    cosines = [unit @ np.sign(each.vectors).T / np.sqrt(384) for each in texts]
    weights = np.log1p([(3 - 2 + 0.5) / (2 + 0.5), (3 - 1 + 0.5) / (1 + 0.5)])
    nearest = np.concatenate(cosines[:2], axis=1).max(axis=1), cosines[2].max(axis=1)
    assert rated == pytest.approx([np.average(each, weights=weights) for each in nearest] + [0])
    stored.remove(np.array([7]))
    restored = TokenVectors.load(stored.to_arrays())
    one = TokenizedText(question.vector, question.ids[:1], question.vectors[:1])
    assert restored.rate(one, [np.array([8])]) == pytest.approx(cosines[1][:1].max())


def test_lists_of_bytes_find_what_an_exact_search_finds(monkeypatch, tmp_path):
    exact, approximate = Index(CountingEncoder()), Index(CountingEncoder())
    documents = [replace(each, parts=each.text.split(" in "), context=each.id) for each in DOCUMENTS[::2]]
    documents = [each for pair in zip(documents, DOCUMENTS[1::2], strict=True) for each in pair]
    exact.add(documents)
    monkeypatch.setattr(vector_index, "EXACT", 10)
    monkeypatch.setattr(vector_index, "LISTS", 1)
    approximate.add(documents[:8])
    approximate.add(documents[8:])
    approximate.remove([documents[0].id])
    approximate.add(documents[:1])
    approximate.save(tmp_path)
    approximate = Index.load(tmp_path, CountingEncoder())
    for document in DOCUMENTS:
        assert (
            search_ids(approximate, document.text, 1) == search_ids(exact, document.text, 1) == [document.id]
        )


def test_save_replaces_the_index_in_one_step(tmp_path, monkeypatch):
    index = Index(None)
    index.update(DOCUMENTS)
    index.save(tmp_path)
    index.remove([DOCUMENTS[0].id])
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        index.save(tmp_path)
    monkeypatch.undo()
    assert len(Index.load(tmp_path)) == len(DOCUMENTS)
    with lock_index(tmp_path):
        index.save(tmp_path)
    assert search_ids(Index.load(tmp_path), "drag of a cone", 1) == ["cone drag"]
    assert len([each for each in tmp_path.iterdir() if each.is_dir()]) == 1


def test_damaged_or_other_index_is_refused(tmp_path):
    with pytest.raises(InvalidData, match="no index"):
        Index.load(tmp_path)
    index = Index(CountingEncoder())
    index.add(DOCUMENTS)
    with pytest.raises(InvalidData, match="sphere drag"):
        index.add([DOCUMENTS[0], DOCUMENTS[0]])
    index.save(tmp_path)
    with pytest.raises(InvalidData, match="not default"):
        Index.load(tmp_path, "default")
    file = next(tmp_path.glob("*/words.npz"))
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(InvalidData, match=r"words.npz is damaged"):
        Index.load(tmp_path, CountingEncoder())


@pytest.mark.parametrize("name", ["no_such_module:Encoder", "json:loads", "other"])
def test_unknown_encoder_is_refused(name):
    with pytest.raises(SettingError, match=name):
        Index(name)


def test_changed_model_behind_a_name_is_refused(tmp_path, monkeypatch):
    index = Index(CountingEncoder())
    index.add(DOCUMENTS)
    index.save(tmp_path)
    encode = CountingEncoder.encode
    monkeypatch.setattr(CountingEncoder, "encode", lambda self, texts: encode(self, texts)[:, ::-1])
    with pytest.raises(InvalidData, match="has changed"):
        Index.load(tmp_path, CountingEncoder())


def test_save_touches_no_other_file_of_its_folder(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / ".draft-killed").mkdir()
    (tmp_path / ".index.json-17").touch()
    Index(None).save(tmp_path)
    left = [each.name for each in tmp_path.iterdir()]
    assert "own" in left and not {".draft-killed", ".index.json-17"} & set(left)
