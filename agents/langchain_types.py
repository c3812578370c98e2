"""Checks for LangChain's types that do not import LangChain.

If the module of a type was never imported, no object has that type. LangChain's runnables import a tracer and
three HTTP clients, which is a third of the start-up time of a run.
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
    """Whether an object is a runnable, such as a chat model, tool, retriever or graph."""
    return _is_instance(thing, "langchain_core.runnables.base", "Runnable")


def is_chat_model(thing: Any) -> TypeIs[BaseChatModel]:
    """Whether an object is a chat model of LangChain."""
    return _is_instance(thing, "langchain_core.language_models.chat_models", "BaseChatModel")


def is_tool(thing: Any) -> TypeIs[BaseTool]:
    """Whether an object is a tool of LangChain."""
    return _is_instance(thing, "langchain_core.tools.base", "BaseTool")


def is_document(thing: Any) -> TypeIs[Document]:
    """Whether an object is a document of LangChain."""
    return _is_instance(thing, "langchain_core.documents.base", "Document")


def is_retriever(thing: Any) -> TypeIs[BaseRetriever]:
    """Whether an object is a retriever of LangChain."""
    return _is_instance(thing, "langchain_core.retrievers", "BaseRetriever")


def _is_instance(thing: Any, module: str, name: str) -> bool:
    kind = getattr(sys.modules.get(module), name, None)
    return kind is not None and isinstance(thing, kind)
