"""Your own handbook as a switch, with two controls: unrelated pages of it, and another handbook."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ansatz.agents import AgentPlan
from ansatz.agents.identity import qualified_name
from ansatz.errors import SettingError
from ansatz.interventions.intervention import Intervention, make_tool, read_prompt
from ansatz.interventions.notes import PrependContext
from ansatz.settings import Count, NamedPath, settings

if TYPE_CHECKING:
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import BaseTool

    from ansatz.knowledge_base.handbook import HandbookSearch, Passage

HEADING = "Handbook passages:"
"""The first line of the note."""
_NOTHING = "Nothing in the handbook fits this question."
_DRAWN = 400  # passages from which a placebo chooses those of the right length
_RELATED = 200  # best matches that a placebo does not show
_LOG_SECONDS = 5.0
_opening = Lock()
_log = logging.getLogger(__name__)


@settings()
class WithHandbook(Intervention):
    """Passages of your own handbook that fit the question, with file and page, as a note before it.

    The first use indexes the handbook in the user's cache folder; later uses encode only changed passages.
    An arm with this switch alone gets control arms. "placebo" shows the same number of passages of the
    same length that are unrelated to the question. "wrong_handbook" shows the best passages of `other`.

    Example: `WithHandbook("manual.pdf", top=4)`.
    """

    path: NamedPath
    """A PDF, Markdown, HTML, text or LaTeX file, a folder of them, or an index of `ansatz handbook index`."""
    top: Count = 4
    """How many sections are shown, each by its best passage."""
    encoder: str = "default"
    """The encoder, such as "sentence-transformers:BAAI/bge-m3". An index has its own."""
    reranker: str | None = None
    """A cross-encoder that sorts the best passages again."""
    other: NamedPath | None = None
    """A second handbook, for the control with a wrong handbook."""
    controls: bool = True
    """Whether the study gets the control arms."""
    prompt: str = ""
    """Replaces the instruction that asks for citations."""

    paths: ClassVar[tuple[str, ...]] = ("path", "other")

    def __post_init__(self) -> None:
        for path in filter(None, (self.path, self.other)):
            if not path.exists():
                raise SettingError(f"there is no file or folder {path}")

    @property
    def label(self) -> str:
        return "handbook"

    @cached_property
    def identity(self) -> dict[str, Any]:
        """The content of the handbook and the settings that choose passages."""
        return {
            "class": qualified_name(type(self)),
            **_identify(self),
            "top": self.top,
            "prompt": self._instruction,
        }

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(PrependContext(self.find_note, HEADING)).instruct(self._instruction)

    def make_controls(self) -> dict[str, Intervention]:
        """Return the control switches by name."""
        if not self.controls:
            return {}
        placebo: dict[str, Intervention] = {"placebo": HandbookControl(self, "placebo")}
        return placebo | ({"wrong_handbook": HandbookControl(self, "wrong_handbook")} if self.other else {})

    def open(self) -> HandbookSearch:
        """Open the index of the handbook, and index it first if necessary. Raises InvalidData."""
        return open_handbook(self.path, self.encoder, self.reranker)

    def as_retriever(self) -> BaseRetriever:
        """Return the search as a LangChain retriever, whose documents have file, section and page."""
        return self.open().as_retriever(self.top)

    def find_passages(self, question: str) -> list[Passage]:
        """Return the passages that are shown for a question; none if nothing fits."""
        return [hit.passage for hit in self.open().search(question, self.top)]

    @property
    def _instruction(self) -> str:
        return self.prompt or read_prompt("with_handbook")

    async def find_note(self, question: str) -> str:
        """Return the passages for a question as a note, or one line that states that nothing fits."""
        return format_note(await asyncio.to_thread(self.find_passages, question))


@dataclass(frozen=True)
class HandbookControl(Intervention):
    """The same instructions and as much text as a handbook, without its knowledge.

    Example: `HandbookControl(WithHandbook("manual.pdf"), "placebo")`.
    """

    handbook: WithHandbook
    """The switch that this is the control for."""
    kind: Literal["placebo", "wrong_handbook"]
    """"placebo": unrelated passages of the same handbook. "wrong_handbook": the best of another one."""

    @property
    def label(self) -> str:
        return f"handbook_{self.kind}"

    @cached_property
    def identity(self) -> dict[str, Any]:
        found = {**self.handbook.identity, "class": qualified_name(type(self)), "kind": self.kind}
        if self.kind == "wrong_handbook":
            found["other"] = _hash_content(self._wrong_path, self.handbook.encoder)
        return found

    def apply(self, plan: AgentPlan) -> AgentPlan:
        step = PrependContext(self.find_note, HEADING)
        return plan.precede(step).instruct(self.handbook._instruction)

    def find_passages(self, question: str) -> list[Passage]:
        """Return as many passages as the handbook shows for the question."""
        right = self.handbook.find_passages(question)
        if not right:
            return []
        if self.kind == "placebo":
            return _choose_unrelated(self.handbook.open(), question, right)
        wrong = open_handbook(self._wrong_path, self.handbook.encoder, self.handbook.reranker)
        return [hit.passage for hit in wrong.search(question, len(right), always=True)]

    @property
    def _wrong_path(self) -> Path:
        if self.handbook.other is None:
            raise SettingError("a control with a wrong handbook needs `other`, the second handbook")
        return self.handbook.other

    async def find_note(self, question: str) -> str:
        return format_note(await asyncio.to_thread(self.find_passages, question))


def format_note(passages: Sequence[Passage]) -> str:
    """Return passages as a note, each under its source."""
    return "\n\n".join(f"[{each.source}]\n{each.text}" for each in passages) or _NOTHING


def open_handbook(path: Path, encoder: str = "default", reranker: str | None = None) -> HandbookSearch:
    """Open an index, or the index of documents in the user's cache folder. Raises InvalidData.

    If a document was changed, the next call updates its index.
    """
    with _opening:  # attempts run in threads, and the first one indexes
        return _open_state(path.resolve(), encoder, reranker, _read_state(path))


@lru_cache(maxsize=8)
def _open_state(path: Path, encoder: str, reranker: str | None, state: str) -> HandbookSearch:
    from ansatz.knowledge_base.handbook import HandbookSearch, find_cached_index, index_handbook, is_index

    if is_index(path):
        return HandbookSearch.load(path, reranker)
    out = find_cached_index(path, encoder)
    return HandbookSearch(index_handbook(path, out, encoder, _IndexingLog(path.name))[0], reranker)


class _IndexingLog:
    """Logs how far indexing is, at most every `_LOG_SECONDS`; nothing if it takes less time."""

    def __init__(self, name: str):
        self._name, self._next = name, time.monotonic() + _LOG_SECONDS

    def __call__(self, work: str, done: int, count: int) -> None:
        if time.monotonic() >= self._next:
            what = {"read": "files read", "encode": "passages encoded"}[work]
            _log.warning("indexing %s: %d of %d %s", self._name, done, count, what)
            self._next = time.monotonic() + _LOG_SECONDS


def make_handbook_tool(path: Path) -> BaseTool:
    """Make a tool that searches a handbook. Raises InvalidData if it cannot be indexed."""
    handbook = WithHandbook(path)
    handbook.open()

    async def search_handbook(question: str) -> str:
        """Search the handbook and get passages, each under its source: file, page and section.

        Args:
            question: The question in plain language, with its circumstances.
        """
        return await handbook.find_note(question)

    return make_tool(search_handbook)


def _identify(handbook: WithHandbook) -> dict[str, Any]:
    content = _hash_content(handbook.path, handbook.encoder)
    return {"handbook": content, "encoder": handbook.encoder, "reranker": handbook.reranker}


def _hash_content(path: Path, encoder: str) -> str:
    return _hash_state(path.resolve(), encoder, _read_state(path))


@lru_cache(maxsize=8)
def _hash_state(path: Path, encoder: str, state: str) -> str:
    from ansatz.knowledge_base.handbook import Handbook, find_cached_index, hash_documents, is_index

    out = find_cached_index(path, encoder)
    return Handbook.load(path).digest if is_index(path) else hash_documents(path, out)


def _read_state(path: Path) -> str:
    """Return names, sizes and times of the files of a handbook: it changes if one of them does."""
    from ansatz.knowledge_base.handbook import walk_files

    files = sorted(each for each in walk_files(path) if each.is_file()) if path.is_dir() else [path]
    stats = ((each, each.stat()) for each in files)
    return repr([(str(each), found.st_size, found.st_mtime_ns) for each, found in stats])


def _choose_unrelated(search: HandbookSearch, question: str, right: Sequence[Passage]) -> list[Passage]:
    """Return passages that do not fit the question, each about as long as one that does.

    The question seeds the draw, so it is the same in every run.
    """
    everything = search.handbook.passages
    related = {
        (hit.passage.file, hit.passage.section)
        for hit in search.search(question, min(_RELATED, len(everything) // 2), always=True)
    }
    others = [each for each in everything if (each.file, each.section) not in related] or list(everything)
    drawn = random.Random(question).sample(others, min(_DRAWN, len(others)))
    chosen: list[Passage] = []
    for wanted in right:
        left = [each for each in drawn if each not in chosen] or drawn
        chosen.append(min(left, key=lambda each: abs(len(each.text) - len(wanted.text))))
    return chosen
