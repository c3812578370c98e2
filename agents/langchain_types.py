"""Whether a thing is of a type of LangChain's, told without importing it: what is not imported made none.

With its runnables LangChain imports a tracer and three HTTP clients, a third of the time that a run takes to
start, and much of what a run does needs none of them.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_core.documents import Document
    from langchain_core.language_models import BaseChatModel
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import Runnable
    from langchain_core.tools import BaseTool
    from typing_extensions import TypeIs


def is_runnable(thing: Any) -> TypeIs[Runnable[Any, Any]]:
    """Chat models, tools, retrievers and graphs are runnables too."""
    return _is(thing, "langchain_core.runnables.base", "Runnable")


def is_chat_model(thing: Any) -> TypeIs[BaseChatModel]:
    return _is(thing, "langchain_core.language_models.chat_models", "BaseChatModel")


def is_tool(thing: Any) -> TypeIs[BaseTool]:
    return _is(thing, "langchain_core.tools.base", "BaseTool")


def is_document(thing: Any) -> TypeIs[Document]:
    return _is(thing, "langchain_core.documents.base", "Document")


def is_retriever(thing: Any) -> TypeIs[BaseRetriever]:
    return _is(thing, "langchain_core.retrievers", "BaseRetriever")


def _is(thing: Any, module: str, name: str) -> bool:
    kind = getattr(sys.modules.get(module), name, None)
    return kind is not None and isinstance(thing, kind)
