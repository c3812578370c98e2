"""A chat model that replies from a list and fails when the list runs out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr


class ScriptedModel(BaseChatModel):
    """`seen` holds the messages of every request, in order; `tools` the names bound last."""

    replies: list[AIMessage]
    _seen: list[list[BaseMessage]] = PrivateAttr(default_factory=list)
    _tools: list[str] = PrivateAttr(default_factory=list)

    @property
    def seen(self) -> list[list[BaseMessage]]:
        return self._seen

    @property
    def tools(self) -> list[str]:
        return self._tools

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> ScriptedModel:
        self._tools[:] = [tool.name for tool in tools]
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        if len(self._seen) >= len(self.replies):
            raise AssertionError(f"the script has {len(self.replies)} replies but the agent asked again")
        self._seen.append(messages)
        return ChatResult(generations=[ChatGeneration(message=self.replies[len(self._seen) - 1])])
