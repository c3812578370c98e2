"""Cached entries equal those read from YAML; damaged or outdated files are not used."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest

from ansatz.knowledge_base.equation import FOLDER, Library, library
from ansatz.knowledge_base.equation import entry_cache as cache
from ansatz.knowledge_base.search import BM25, embedding


@pytest.fixture
def stored(tmp_path, monkeypatch):
    monkeypatch.setenv("ANSATZ_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_cached_entries_equal_those_read_from_yaml(stored, tmp_path, monkeypatch):
    folder = tmp_path / "base"
    shutil.copytree(FOLDER / "newtonian", folder / "newtonian")
    reading = import_module("ansatz.knowledge_base.equation.library")
    monkeypatch.setattr(reading, "FOLDER", folder)
    read = Library.read(folder)
    assert len(list(stored.iterdir())) == 1
    monkeypatch.setattr(reading, "_parse", None)
    again = Library.read(folder)
    assert len(again) == len(list(folder.rglob("*.yaml")))
    assert [one.model_dump() for one in again] == [one.model_dump() for one in read]
    assert next(iter(again)).formula.names


@pytest.mark.parametrize(
    "damage",
    [lambda text: text[:-100], lambda text: text.replace(b"desc", b"desk", 1), lambda text: b"", lambda text: b"\xff\n[]"],
)  # fmt: skip
def test_damaged_cache_file_is_replaced(stored, damage):
    cache.store("a" * 64, [{"x": 1.5, "desc": "y" * 200}])
    (file,) = stored.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert cache.load("a" * 64) is None
    cache.store("a" * 64, [{"x": 2.5}])
    assert cache.load("a" * 64) == [{"x": 2.5}]


def test_key_depends_on_every_name_and_content():
    parts = [("a.yaml", "b.yaml", b"1", b"2"), ("a.yaml", "c.yaml", b"1", b"2"), ("a.yaml", "b.yaml", b"12", b""), ("a.yaml", b"1")]  # fmt: skip
    assert len({cache.make_key(*each) for each in parts}) == 4


def test_concurrent_writers_leave_one_complete_file(stored):
    fields = [{"n": number, "text": "x" * 1000} for number in range(300)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: cache.store("c" * 64, fields), range(40)))
    assert cache.load("c" * 64) == fields
    assert len(os.listdir(stored)) == 1


@pytest.fixture(scope="module")
def read():
    """The shipped base, read before its cache is taken away."""
    return library()


def test_words_of_the_shipped_base_are_cached(read, stored):
    question = "speed of sound in air at 300 K"
    other = BM25(Library(list(read))).scores(question)
    assert not list(stored.glob("words-*"))  # only a base with a digest of its files is cached
    made = BM25(read).scores(question)
    (file,) = stored.glob("words-*")
    check, payload = file.read_bytes().split(b"\n", 1)
    again = BM25(read).scores(question)
    assert made.max() > 0
    assert (made == other).all() and (again == made).all()
    changed = payload.replace(b'"counts": [', b'"counts": [7')
    file.write_bytes(check + b"\n" + changed)
    assert (BM25(read).scores(question) == made).all()


def test_unwritable_cache_folder_is_ignored(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("ANSATZ_CACHE", str(blocked))
    cache.store("d" * 64, [1])
    assert cache.load("d" * 64) is None


def test_vectors_of_the_shipped_base_are_cached(read, stored, monkeypatch):
    made = embedding.load_base_vectors(read)
    assert (made == embedding.load_vectors(embedding.list_base_parts(read))).all()
    with monkeypatch.context() as patched:
        patched.setattr(embedding, "list_base_parts", None)
        assert (embedding.load_base_vectors(read) == made).all()
    (file,) = stored.glob("vectors-*")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert (embedding.load_base_vectors(read) == made).all()
