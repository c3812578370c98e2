"""What flows through an agent's graph."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypedDict

from langchain_core.messages import AIMessage, AnyMessage

from ansatz.agents.answer_form import AnswerField, format_submission

if TYPE_CHECKING:
    from ansatz.agents.attempt import Attempt


@dataclass(frozen=True)
class Question:
    """All that a solver may see of a problem: its text, and the hints its arm discloses (usually none).

    `answer_fields` names what it asks for, for the form of answer that is a tool.

    Example: `Question("How fast is sound in air at 300 K?")`.
    """

    text: str
    hints: Mapping[str, str] = field(default_factory=dict)
    answer_fields: tuple[AnswerField, ...] = ()


def _added(held: Any, more: Any) -> Any:
    from langgraph.graph import add_messages  # many attempts go through no graph

    return add_messages(held, more)


class AgentState(TypedDict):
    """`notes` are texts laid before the question; `messages` start after it."""

    messages: Annotated[list[AnyMessage], _added]
    notes: Annotated[list[str], operator.add]


@dataclass(frozen=True)
class AgentContext:
    """What a run supplies to every node: the question and the account through which the model is asked."""

    question: Question
    attempt: Attempt

    def answer(self, state: AgentState) -> str:
        """The answer as it stands, with what was handed in by a tool as closing lines."""
        said = [each.text.strip() for each in state["messages"] if isinstance(each, AIMessage)]
        handed_in = self.attempt.handed_in
        lines = "" if handed_in is None else format_submission(self.question.answer_fields, handed_in)
        return "\n\n".join(filter(None, [*said[-1:], lines]))


class Running(Protocol):
    """What a step is given of the run it is part of: LangGraph's `Runtime`, which takes long to import."""

    @property
    def context(self) -> AgentContext: ...


class Step(Protocol):
    """A graph node: reads the state and returns an update of it.

    Implementations are frozen dataclasses, so that their fields show in an arm's identity. A step that
    runs before the model adds `{"notes": [text]}`; a step that reviews an answer returns
    `{"messages": [HumanMessage(...)]}` to send it back, or `{}` to let it pass. A review may name in
    `stage` one of `plan.STAGES`, by which reviews are ordered.
    """

    @property
    def name(self) -> str: ...

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]: ...
