"""What a study will ask and cost, before the first request: by a pilot, or by the sizes of its prompts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from langchain_core.messages import AIMessage, BaseMessage, convert_to_openai_messages
from numpy.typing import NDArray

from ansatz.agents import Agent, Reply, find_reply_limit
from ansatz.agents.client import NO_CONTEXT, RequestContext, describe_tool
from ansatz.eval.follow_up_questions import format_earlier, list_earlier
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.prices import read_bill
from ansatz.experiments.ledger.record import canonical_json
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.results import Results, System
from ansatz.experiments.running.background import in_background
from ansatz.experiments.running.earlier_answers import make_question

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

Range = NDArray[np.float64]
"""Of a number the least, the likely and the most that is expected, in this order."""
_REHEARSED = 20  # problems an arm whose prompts are counted
_BYTES = np.array([5.0, 4.0, 3.0])  # of a token, where a text has the fewest, likely and most of them
_ANSWER = np.array([150.0, 800.0, 4000.0])  # tokens of a reply, which is unknown before a pilot
_LIKELY_REPLY = "? " * 1600  # as many bytes as 800 tokens
_JUDGED = np.array([[400.0, 1500.0, 6000.0], [50.0, 250.0, 1500.0]])
"""Tokens that a judge reads and writes for an attempt, before a pilot tells."""
_MORE = 2  # further requests of an attempt that may use tools or is reviewed
_SPEED = 60.0  # tokens a second, as models of the day answer
_MARGIN = 1.96 * np.array([-1.0, 0.0, 1.0])  # standard errors
_BETWEEN_PILOTS = np.array([0.8, 1.0, 1.25])  # times what a judge took for the pilot


@dataclass(frozen=True)
class Amount:
    """What is expected, between what it may be at least and at most."""

    least: float
    likely: float
    most: float

    @classmethod
    def of(cls, range: Range) -> Amount:
        return cls(*range.tolist())


@dataclass(frozen=True)
class CostEstimate:
    """The estimated requests, tokens, cost and time of one model in one arm, or as a judge."""

    model: str
    arm: str | None
    """None for a judge."""
    attempts: int
    requests: Amount
    input: Amount
    output: Amount
    dollars: Amount | None
    """None if the price is unknown."""
    seconds: Amount
    """The time of the model alone, one request after another."""

    @classmethod
    def of(
        cls, design: Design, who: tuple[str, str | None], attempts: int, taken: Sequence[Range]
    ) -> CostEstimate:
        """Apply the study's prices. `taken` has requests, tokens in, out and cached, and seconds."""
        model, arm = who
        requests, read, written, cached, seconds = taken
        if arm is not None and design.models[model].is_simulated:
            dollars, seconds = np.zeros(3), np.zeros(3)
        elif price := design.prices[model, arm is None]:
            saved = 0.0 if price.cached_price is None else cached * (price.input_price - price.cached_price)
            dollars = (read * price.input_price + written * price.output_price - saved) / 1e6
        else:
            dollars = None
        known = None if dollars is None else Amount.of(dollars)
        counts = Amount.of(requests), Amount.of(read), Amount.of(written)
        return cls(model, arm, attempts, *counts, known, Amount.of(seconds))


def estimate_costs(design: Design, pilot: Path | None) -> tuple[CostEstimate, ...]:
    """Estimate the cost of every model in each arm, then of the judges, without a request to a model.

    For arms that the pilot does not have, the sizes of their prompts are the basis.
    """
    counted = Counter((attempt.model, attempt.arm) for attempt in design.attempts)
    data = None if pilot is None else read_results(pilot)
    rehearsed: dict[str, list[list[bytes]]] = {}

    def by_prompts(model: str, name: str, attempts: int) -> list[Range]:
        if name not in rehearsed:
            rehearsed[name] = in_background(_rehearse(design, design.arms[name]))
        taken = _by_prompts(design, (model, name), attempts, rehearsed[name])
        if (matched := design.arms[name].matched) is None:
            return taken
        return [*map(np.maximum, taken, by_prompts(model, matched, attempts))]  # it takes as much, by design

    rows = []
    for model, name in product(design.models, design.arms):
        attempts = counted[model, name]
        taken = _by_pilot(data, System(model, name), attempts) if data else []
        taken = taken or by_prompts(model, name, attempts)
        rows.append(CostEstimate.of(design, (model, name), attempts, taken))
    if data is None or pilot is None:
        attempts = len(design.attempts)
        read, written = _JUDGED * attempts
        taken = [np.full(3, float(attempts)), read, written, np.zeros(3), written / _SPEED]
        return (*rows, *(CostEstimate.of(design, (title, None), attempts, taken) for title in design.judges))
    return (*rows, *_judges_of_pilot(design, pilot, len(data.attempts)))


def duration(design: Design, rows: Sequence[CostEstimate]) -> Amount:
    """Seconds for all, each model with as many requests at once as the study allows; judges wait for none."""
    found = {title: np.zeros(3) for title in design.models}
    for row in rows:
        if row.arm is not None:
            found[row.model] += np.array(astuple(row.seconds)) / design.models[row.model].concurrency
    return Amount.of(max(found.values(), key=lambda each: float(each[1])))


def _by_pilot(data: Results, system: System, attempts: int) -> list[Range]:
    """Means of the pilot's attempts, if it has any; the range holds the sum of so many new ones with 95 %."""
    if system not in data.systems:
        return []
    subset, found = data.subset(system), []
    for name in ("model_calls", "input_tokens", "output_tokens", "cached_tokens", "seconds"):
        by_problem = subset.mean_by_problem(data.values(name))
        known = by_problem[~np.isnan(by_problem)]
        if not len(known):
            if name == "cached_tokens":  # a provider that does not say
                found.append(np.zeros(3))
                continue
            return []
        mean = float(known.mean())
        scatter = float(known.std(ddof=1)) if len(known) > 1 else mean
        margin = scatter * math.sqrt(attempts**2 / len(known) + attempts)
        found.append(np.maximum(0.0, mean * attempts + _MARGIN * margin))
    return found


def _judges_of_pilot(design: Design, pilot: Path, pilot_attempts: int) -> Iterator[CostEstimate]:
    """What judges took for each attempt of the pilot."""
    with Ledger.open(pilot, write=False) as ledger:
        bill = [
            each for each in read_bill(ledger) if each.arm is None and (each.model, True) in design.prices
        ]
    attempts = len(design.attempts)
    for each in bill:
        times = _BETWEEN_PILOTS * attempts / max(pilot_attempts, 1)
        requests, read, written = (n * times for n in (each.requests, each.usage.input, each.usage.output))
        taken = [requests, read, written, np.zeros(3), written / _SPEED]
        yield CostEstimate.of(design, (each.model, None), attempts, taken)


def _by_prompts(
    design: Design, who: tuple[str, str], attempts: int, rehearsed: Sequence[Sequence[bytes]]
) -> list[Range]:
    """By the prompts of each attempt, as the graph makes them, and by what replies are assumed to be.

    Tools may be called and reviews may object, and each request then repeats what was said before.
    """
    asked, arm = design.models[who[0]].client, design.arms[who[1]]
    plan, reviews = arm.plan, len(arm.plan.reviews) - (arm.matched is not None)
    prompts = float(np.mean([sum(map(len, texts)) for texts in rehearsed])) / _BYTES
    fewest = float(np.mean([len(texts) for texts in rehearsed]))
    may_go_on = bool(plan.tools or reviews or plan.agent or plan.answer == "tool")
    most = float(plan.limits.model_calls) if may_go_on else fewest
    turns = np.array([fewest, min(fewest + _MORE * may_go_on, most), most])
    said = np.minimum(_ANSWER, find_reply_limit(asked) or _ANSWER[-1])
    read = prompts * turns / fewest + said * turns * (turns - 1) / 2
    written = turns * said * attempts
    return [turns * attempts, read * attempts, written, np.zeros(3), written / _SPEED]


class _Rehearsal:
    """Stands for any model: stores what it is asked, and replies with a question mark."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    @property
    def identity(self) -> dict[str, Any]:
        return {"model": "rehearsal"}

    async def reply(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        context: RequestContext = NO_CONTEXT,
    ) -> Reply:
        told = [describe_tool(tool) for tool in tools]
        self.asked.append(canonical_json([convert_to_openai_messages(list(messages)), told]))
        return Reply(AIMessage("?"), seconds=0.0)

    async def aclose(self) -> None: ...


async def _rehearse(design: Design, arm: Arm) -> list[list[bytes]]:
    """The requests of attempts by which an arm gets nothing back, of problems spread over the families.

    Questions are made as a run makes them. Earlier answers that an arm is shown are taken for right, and for
    as long as a likely reply.
    """
    agent, found = Agent(arm.plan), []
    for problem in design.spread(_REHEARSED).problems.values():
        ids = list_earlier(problem, design.problems) if arm.builds_on else ()
        earlier = [format_earlier(design.problems[id], _LIKELY_REPLY, "solution") for id in ids]
        question, rehearsal = make_question(problem, arm, earlier=earlier), _Rehearsal()
        with suppress(Exception):  # an arm that cannot go on without an answer has made its requests by then
            await agent.run(question, rehearsal)
        found.append(rehearsal.asked or [question.text.encode()])
    return found
