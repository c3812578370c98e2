"""What flows through an agent's graph: the question, the state, and what a step returns."""

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
class CallBudget:
    """What one attempt of an arm took, for an arm that has to take the same."""

    calls: int
    """Requests to the model."""
    tokens: int
    """Tokens of all prompts and answers."""


@dataclass(frozen=True)
class Question:
    """All that a solver may see of a problem.

    Example: `Question("How fast is sound in air at 300 K?")`.
    """

    text: str
    """The question itself."""
    hints: Mapping[str, str] = field(default_factory=dict)
    """Texts that the arm discloses, by name; usually none."""
    answer_fields: tuple[AnswerField, ...] = ()
    """The values that it asks for. The answer form `tool` makes them the arguments of its tool."""
    call_budget: CallBudget | None = None
    """What the arm took that `ComputeMatched` imitates."""


def _add_messages(messages: Any, more: Any) -> Any:
    from langgraph.graph import add_messages  # many attempts need no graph

    return add_messages(messages, more)


class AgentState(TypedDict):
    """The state of a graph."""

    messages: Annotated[list[AnyMessage], _add_messages]
    """The conversation after the question."""
    notes: Annotated[list[str], operator.add]
    """Texts before the question."""


@dataclass(frozen=True)
class AgentContext:
    """What every node gets from the run."""

    question: Question
    attempt: Attempt
    """Sends requests to the model and records them."""

    def answer(self, state: AgentState) -> str:
        """Return the present answer. A submission by tool is added as closing lines."""
        texts = [message.text.strip() for message in state["messages"] if isinstance(message, AIMessage)]
        submission = self.attempt.submission
        lines = "" if submission is None else format_submission(self.question.answer_fields, submission)
        return "\n\n".join(filter(None, [*texts[-1:], lines]))


class Running(Protocol):
    """The part of LangGraph's `Runtime` that a step uses. Importing `Runtime` itself takes long."""

    @property
    def context(self) -> AgentContext: ...


class Step(Protocol):
    """A node that runs before the model: it returns `{"notes": [text]}` to add a text before the question.

    Implementations are frozen dataclasses, because their fields are part of the arm's identity.
    """

    @property
    def name(self) -> str: ...

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Accept:
    """The verdict of a review that the answer stays."""

    messages: tuple[AnyMessage, ...] | None = None
    """A conversation that replaces the present one, such as that of another draft."""


@dataclass(frozen=True)
class SendBack:
    """The verdict of a review that the model has to answer again, with this feedback."""

    feedback: str


@dataclass(frozen=True)
class StartOver:
    """The verdict of a review that the model has to answer again without its earlier answers."""


Verdict = Accept | SendBack | StartOver


class ReviewStep(Protocol):
    """A node that runs after an answer and returns a verdict on it.

    Implementations are frozen dataclasses, as those of `Step`. An attribute `stage`, one of `plan.STAGES`,
    determines the order of reviews.
    """

    @property
    def name(self) -> str: ...

    async def __call__(self, state: AgentState, runtime: Running) -> Verdict: ...
