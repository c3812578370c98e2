"""Compile an AgentPlan into a LangGraph graph and run it on one question."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    convert_to_openai_messages,
)

from ansatz.agents.answer_form import SUBMIT, format_submission, submission_tool
from ansatz.agents.attempt import Attempt, LimitReached, Prefix
from ansatz.agents.client import ModelClient, finish_reason, is_refusal, is_simulated, refuses
from ansatz.agents.langchain_types import is_chat_model
from ansatz.agents.plan import AgentPlan
from ansatz.agents.state import (
    Accept,
    AgentContext,
    AgentState,
    Question,
    ReviewStep,
    Running,
    SendBack,
    StartOver,
    Step,
)
from ansatz.agents.transcript import StopReason, Transcript
from ansatz.errors import PlanError
from ansatz.sandbox import trusting

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool
    from langgraph.graph import StateGraph
    from langgraph.graph.state import CompiledStateGraph

    Graph = CompiledStateGraph[AgentState, AgentContext, Any, Any]

_TRUNCATED = ("length", "max_tokens", "model_context_window_exceeded")
_UNBOUNDED_STEPS = 10_000  # the limits of the plan bound an attempt long before


def build_graph(plan: AgentPlan) -> Graph:
    """Compile a plan: START -> before... -> model <-> tools, then review... -> END.

    A review may send the answer back to the model. Reviews run in the order of `plan.STAGES`. An answer that
    is submitted by a tool goes from the tools to the first review.

    Example: `build_graph(AgentPlan()).get_graph().draw_mermaid()`.
    """
    from langgraph.graph import END, START, StateGraph  # 0.3 s, for arms that need a graph

    graph = StateGraph(AgentState, context_schema=AgentContext)
    if plan.agent is not None:
        from ansatz.agents.foreign_agent import ForeignAgent

        graph.add_node("agent", ForeignAgent(plan.agent))
        graph.add_edge(START, "agent")
        graph.add_edge("agent", END)
        return graph.compile()

    async def ask(state: AgentState, runtime: Running) -> dict[str, Any]:
        return {"messages": [await _ask(plan, state, runtime.context)]}

    async def run_tools(state: AgentState, runtime: Running) -> dict[str, Any]:
        request = state["messages"][-1]
        assert isinstance(request, AIMessage)
        tools = _tools(plan, runtime.context.question)
        return {"messages": await runtime.context.attempt.run_tools(request, tools)}

    def choose(source: str, first: str, second: str, is_first: Callable[[AgentState], bool]) -> None:
        graph.add_conditional_edges(
            source, lambda state: first if is_first(state) else second, [first, second]
        )

    graph.add_node("model", ask)
    before = []
    for step in plan.before:
        before.append(_name_node(graph, step))
        graph.add_node(before[-1], step)
    for earlier, later in zip([START, *before], [*before, "model"], strict=True):
        graph.add_edge(earlier, later)
    after_model = [*(_name_node(graph, review) for review in plan.reviews), END]
    for review, name, following in zip(plan.reviews, after_model, after_model[1:], strict=False):
        _add_review(graph, name, review, following)
    if plan.tools or plan.answer == "tool":
        graph.add_node("tools", run_tools)
        choose("tools", after_model[0], "model", _has_submitted)
        choose("model", "tools", after_model[0], _asks_for_tool)
    else:
        graph.add_edge("model", after_model[0])
    return graph.compile()


def _add_review(
    graph: StateGraph[AgentState, AgentContext, Any, Any], name: str, review: ReviewStep, following: str
) -> None:
    """Add a node that carries out the verdicts of a review. After an accepted answer comes `following`."""
    from langgraph.graph.message import REMOVE_ALL_MESSAGES
    from langgraph.types import Command

    remove_all = RemoveMessage(REMOVE_ALL_MESSAGES)

    async def run_review(state: AgentState, runtime: Running) -> Any:
        verdict = await review(state, runtime)
        if isinstance(verdict, SendBack):
            return Command(goto="model", update={"messages": [HumanMessage(verdict.feedback)]})
        if isinstance(verdict, StartOver):
            return Command(goto="model", update={"messages": [remove_all]})
        if not isinstance(verdict, Accept):
            raise PlanError(
                f"the review {name!r} must return Accept, SendBack or StartOver, not {verdict!r:.60}"
            )
        messages = [] if verdict.messages is None else [remove_all, *verdict.messages]
        return Command(goto=following, update={"messages": messages})

    graph.add_node(name, run_review, destinations=("model", following))


@dataclass(frozen=True)
class Agent:
    """Answers questions according to a plan.

    The graph is compiled only for a plan with tools, reviews or another agent. Other plans are one sequence
    of steps, which runs without LangGraph.
    """

    plan: AgentPlan

    @cached_property
    def graph(self) -> Graph:
        return build_graph(self.plan)

    async def run(
        self,
        question: Question,
        model: ModelClient | BaseChatModel,
        consulted: Mapping[str, ModelClient] | None = None,
        prefix: Prefix = Prefix(),  # noqa: B008 - it is frozen
    ) -> Transcript:
        """Make one attempt to answer a question. A limit that is reached is a stop reason, not an error.

        Parameters:
            question: The question. It holds no answer key: keys live in `eval`, which agents cannot import.
            model: The model that answers.
            consulted: Clients of the further models that the plan consults, by name.
            prefix: The start of a conversation to continue, for a plan without steps before the question.

        Raises:
            InfrastructureError: A request or a tool failed for a reason that is not the model's.
        """
        if is_chat_model(model):
            from ansatz.agents.models import connect  # not needed with a client

            model = connect(model)
        stop: StopReason | None = None
        clock = asyncio.timeout(self.plan.limits.seconds)
        attempt = Attempt(model, self.plan.limits, clock, consulted, prefix)
        try:
            with trusting(self.plan.agent is None and is_simulated(model)):
                async with clock:
                    await self._answer(AgentContext(question, attempt), prefix)
        except LimitReached as limit:
            stop = limit.stop
        except TimeoutError:
            if not clock.expired():
                raise
            stop = "seconds"
        return _transcript(attempt, stop, self.plan, question)

    async def _answer(self, context: AgentContext, prefix: Prefix) -> None:
        """Run the graph, or the steps of a plan that needs no graph."""
        plan, state = self.plan, AgentState(messages=[*prefix.messages], notes=[*prefix.notes])
        if plan.agent or plan.tools or plan.reviews or plan.answer == "tool":
            await self.graph.ainvoke(state, {"recursion_limit": _UNBOUNDED_STEPS}, context=context)
            return
        if plan.before:
            from langgraph.runtime import Runtime

            runtime = Runtime(context=context)
            for step in plan.before:
                update = await step(state, runtime)
                state["notes"] += update.get("notes", [])
                state["messages"] += update.get("messages", [])
        await _ask(plan, state, context)


async def run_agent(plan: AgentPlan, question: Question, model: ModelClient | BaseChatModel) -> Transcript:
    """Make one attempt to answer a question according to a plan.

    Example: `await run_agent(AgentPlan(), Question("How fast is sound?"), chat)`.
    """
    return await Agent(plan).run(question, model)


async def _ask(plan: AgentPlan, state: AgentState, context: AgentContext) -> AIMessage:
    """Send the instructions, the notes with the question, and the conversation so far."""
    opening: list[BaseMessage] = []
    if plan.instructions:
        opening.append(SystemMessage("\n\n".join(plan.instructions)))
    opening.append(HumanMessage("\n\n".join([*state["notes"], context.question.text])))
    tools = _tools(plan, context.question)
    return await context.attempt.ask([*opening, *state["messages"]], tools, node="model")


def _tools(plan: AgentPlan, question: Question) -> tuple[BaseTool, ...]:
    return (*plan.tools, submission_tool(question.answer_fields)) if plan.answer == "tool" else plan.tools


def _name_node(graph: StateGraph[AgentState, AgentContext, Any, Any], step: Step | ReviewStep) -> str:
    """Return a new name for the node of a step. Two steps, such as two retrievers, may share a name."""
    namesakes = sum(node.startswith(step.name) for node in graph.nodes)
    return f"{step.name}{namesakes or ''}"


def _asks_for_tool(state: AgentState) -> bool:
    last = state["messages"][-1]
    return isinstance(last, AIMessage) and bool(last.tool_calls or last.invalid_tool_calls)


def _has_submitted(state: AgentState) -> bool:
    """Whether one of the last tool results is that of an accepted submission."""
    for message in reversed(state["messages"]):
        if not isinstance(message, ToolMessage):
            return False
        if message.name == SUBMIT and message.status == "success":
            return True
    return False


def _transcript(attempt: Attempt, stop: StopReason | None, plan: AgentPlan, question: Question) -> Transcript:
    last = attempt.messages[-1] if attempt.messages else None
    answer = last.text.strip() if isinstance(last, AIMessage) else ""
    if plan.answer == "tool" and attempt.submission is not None:
        answer = f"{answer}\n\n{format_submission(question.answer_fields, attempt.submission)}".strip()
    elif isinstance(last, AIMessage) and last.tool_calls:
        answer = ""
    return Transcript(
        answer=answer,
        stop=stop or _find_stop_reason(last, answer),
        messages=tuple(convert_to_openai_messages(attempt.messages)),
        model_calls=tuple(attempt.model_calls),
        tool_calls=tuple(attempt.tool_calls),
        seconds=attempt.seconds,
        form=plan.answer if plan.agent is None else None,
        reviews=tuple(attempt.reviews),
    )


def _find_stop_reason(last: BaseMessage | None, answer: str) -> StopReason:
    if last is not None and is_refusal(last):
        return "refused"
    if last is not None and finish_reason(last) in _TRUNCATED:
        return "truncated"
    if refuses(answer):
        return "refused"
    return "answered" if answer else "empty"
