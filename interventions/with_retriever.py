"""Any retriever as a switch: the documents that it finds are prepended to the question."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from ansatz.agents import AgentPlan
from ansatz.agents.daemon_thread import run_in_daemon_thread
from ansatz.agents.langchain_types import is_document, is_runnable
from ansatz.errors import SettingError
from ansatz.interventions.intervention import Intervention
from ansatz.interventions.notes import PrependContext
from ansatz.settings import Count, settings

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable

    Retriever = Runnable[str, Any] | Callable[[str], Any]
    """From the text of a question to a text, or to texts or Documents, best first."""
else:  # Pydantic reads these annotations at run time, without LangChain
    Retriever = Any


@settings()
class WithRetriever(Intervention):
    """Your own retriever: its documents are prepended to the question, each with its source.

    Example: `WithRetriever(handbook, top=4)`.
    """

    retriever: Retriever
    """A LangChain retriever or any other Runnable, or a function of the question, which may be async."""
    top: Count = 4
    """How many documents are shown."""
    heading: str = "Reference sheet:"
    """The first line above the documents."""
    prompt: str = ""
    """Added to the instructions."""
    name: str = ""
    """Identifies a retriever that Ansatz cannot hash, such as one with an index."""

    references: ClassVar[tuple[str, ...]] = ("retriever",)

    def __post_init__(self) -> None:
        if not is_runnable(self.retriever) and not callable(self.retriever):
            wanted = "a LangChain retriever or a function of the question"
            raise SettingError(f"retriever must be {wanted}, not {self.retriever!r}")

    @property
    def label(self) -> str:
        names = (getattr(self.retriever, attribute, None) for attribute in ("name", "__name__"))
        name = self.name or next(filter(None, names), type(self.retriever).__name__)
        return f"with_retriever({name})"

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(PrependContext(self._retrieve, self.heading)).instruct(self.prompt)

    async def _retrieve(self, question: str) -> str:
        if is_runnable(self.retriever):
            found = await self.retriever.ainvoke(question)
        else:
            found = await run_in_daemon_thread(self.retriever, question)
            found = await found if inspect.isawaitable(found) else found
        if found is None:
            return ""
        is_single = isinstance(found, str) or is_document(found) or not isinstance(found, Iterable)
        return "\n\n".join(map(_format_document, islice([found] if is_single else found, self.top)))


def _format_document(document: Any) -> str:
    """Format a text, or a Document with its source if its metadata states one."""
    if not is_document(document):
        return str(document)
    origin = (document.metadata.get(key) for key in ("source", "title", "page", "section"))
    source = ", ".join(str(part) for part in origin if part not in (None, ""))
    return f"[{source}]\n{document.page_content}" if source else document.page_content
