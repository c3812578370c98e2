"""Any retriever as a switch: what it finds for the question is laid before the question."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from ansatz.agents import AgentPlan, AgentState, Running
from ansatz.agents.langchain_types import is_document, is_runnable
from ansatz.errors import SettingError
from ansatz.interventions.intervention import Intervention
from ansatz.settings import Count, settings

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable

    Retriever = Runnable[str, Any] | Callable[[str], Any]
    """From the text of a question to a text, or to texts or Documents, best first."""
else:  # its bounds are checked by these annotations
    Retriever = Any


@settings()
class WithRetriever(Intervention):
    """A retriever of one's own: its documents are laid before the question, each with its source.

    A LangChain retriever (or any Runnable), or a function of the question, async or not. The `top` documents
    are shown, under `heading`. A `name` is needed where the retriever has no identity, such as an index.

    Example: `WithRetriever(handbook, top=4)`.
    """

    retriever: Retriever
    top: Count = 4
    heading: str = "Reference sheet:"
    prompt: str = ""
    name: str = ""

    references: ClassVar[tuple[str, ...]] = ("retriever",)

    def __post_init__(self) -> None:
        if not is_runnable(self.retriever) and not callable(self.retriever):
            wanted = "a LangChain retriever or a function of the question"
            raise SettingError(f"retriever must be {wanted}, not {self.retriever!r}")

    @property
    def label(self) -> str:
        held = (getattr(self.retriever, each, None) for each in ("name", "__name__"))
        name = self.name or next((each for each in held if each), type(self.retriever).__name__)
        return f"with_retriever({name})"

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(LayReferenceSheet(self._sheet, self.heading)).instruct(self.prompt)

    async def _sheet(self, question: str) -> str:
        if is_runnable(self.retriever):
            found = await self.retriever.ainvoke(question)
        else:
            found = await asyncio.to_thread(self.retriever, question)
            found = await found if inspect.isawaitable(found) else found
        if found is None:
            return ""
        whole = isinstance(found, str) or is_document(found) or not isinstance(found, Iterable)
        return "\n\n".join(map(_text, islice([found] if whole else found, self.top)))


@dataclass(frozen=True)
class LayReferenceSheet:
    """Retrieves for the question and adds the sheet to the notes before it; nothing where nothing is found.

    What is retrieved is told apart by the settings of the switch.
    """

    retrieve: Callable[[str], Awaitable[str]] = field(compare=False)
    heading: str = "Reference sheet:"

    name: ClassVar[str] = "retrieve"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        sheet = await self.retrieve(runtime.context.question.text)
        return {"notes": [f"{self.heading}\n\n{sheet}"]} if sheet else {}


def _text(found: Any) -> str:
    """A document's text with where it is from, as its metadata say."""
    if not is_document(found):
        return str(found)
    where = (found.metadata.get(each) for each in ("source", "title", "page", "section"))
    source = ", ".join(str(each) for each in where if each not in (None, ""))
    return f"[{source}]\n{found.page_content}" if source else found.page_content
