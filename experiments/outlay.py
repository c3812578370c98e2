"""What a study will ask and cost, before the first request: by a pilot, or by the sizes of its prompts."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.messages import AIMessage, BaseMessage, convert_to_openai_messages
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from ansatz.agents import Agent, Reply, Usage, longest_reply
from ansatz.eval.views import System
from ansatz.experiments.bill import spent
from ansatz.experiments.design import Design
from ansatz.experiments.factors import Arm, Model
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.record import canonical_json
from ansatz.experiments.prices import Price
from ansatz.experiments.stored_results import read_results

_REHEARSED = 20  # problems an arm whose prompts are counted
_BYTES = (3.0, 4.0, 5.0)  # of a token: most, likely and fewest tokens for a text
_ANSWER = (150, 800, 4000)  # tokens of a reply: fewest, likely, most; nobody knows before a pilot
_MORE = 2  # further requests of an attempt that may use tools or is reviewed
_SPEED = 60.0  # tokens a second, as models of the day answer
_MARGIN = 1.96  # standard errors


@dataclass(frozen=True)
class Amount:
    """What is expected, between what it may be at least and at most."""

    least: float
    likely: float
    most: float

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.least + other.least, self.likely + other.likely, self.most + other.most)

    def __mul__(self, times: float) -> Amount:
        return Amount(self.least * times, self.likely * times, self.most * times)


_TAKEN = ("model_calls", "input_tokens", "output_tokens", "seconds")
NOTHING = Amount(0.0, 0.0, 0.0)
_JUDGED = (Amount(400.0, 1500.0, 6000.0), Amount(50.0, 250.0, 1500.0))
"""Tokens that a judge reads and writes for an attempt, before a pilot tells."""


@dataclass(frozen=True)
class Outlay:
    """What one model takes for one arm, or as a judge (`arm` is None). Unknown `dollars` are None.

    `seconds` are the model's own, one request after another.
    """

    model: str
    arm: str | None
    units: int
    requests: Amount
    input: Amount
    output: Amount
    dollars: Amount | None
    seconds: Amount


def outlays(design: Design, pilot: Path | None) -> tuple[Outlay, ...]:
    """For every model and arm of the study, then for its judges. No model is asked."""
    return tuple([*_of_pilot(design, pilot)] if pilot else [*_of_prompts(design)])


def duration(design: Design, rows: Iterable[Outlay]) -> Amount:
    """Seconds for all, each model with as many requests at once as the study allows; judges wait for none."""
    found: dict[str, Amount] = {}
    for row in rows:
        if row.arm is not None and not design.models[row.model].is_simulated:
            at_once = design.models[row.model].concurrency
            found[row.model] = found.get(row.model, NOTHING) + row.seconds * (1 / at_once)
    return max(found.values(), key=lambda each: each.likely, default=NOTHING)


def _of_pilot(design: Design, pilot: Path) -> Iterator[Outlay]:
    """Means of the pilot's attempts; the range is where the sum of so many new ones is with 95 %."""
    data = read_results(pilot)
    for model, arm, units in _units(design):
        if model not in data.models or arm not in data.arms:
            yield from _of_prompts(design, only=(model, arm))
            continue
        cut = data.cut(System(model, arm))

        def total(name: str, cut: Any = cut, units: int = units) -> Amount | None:
            by_problem = cut.by_problem(data.values(name))
            known = by_problem[~np.isnan(by_problem)]
            if not len(known):
                return None
            mean = float(known.mean())
            scatter = float(known.std(ddof=1)) if len(known) > 1 else mean
            around = _MARGIN * scatter * math.sqrt(units**2 / len(known) + units)
            return Amount(max(0.0, mean * units - around), mean * units, mean * units + around)

        asked, read, written, seconds = (total(name) or NOTHING for name in _TAKEN)
        dollars = _money(design, model, arm, total)
        yield Outlay(model, arm, units, asked, read, written, dollars, seconds)
    yield from _judges_of_pilot(design, pilot, len(data.attempts))


def _money(design: Design, model: str, arm: str, total: Any) -> Amount | None:
    """By the study's own prices, which need not be the pilot's."""
    if design.models[model].is_simulated:
        return NOTHING
    price, parts = design.prices[model, False], ("input_tokens", "output_tokens", "cached_tokens")
    read, written, cached = (total(name) for name in parts)
    if price is None or read is None or written is None:
        return None
    bounds = []
    for side in ("least", "likely", "most"):
        kept = round(getattr(cached, side)) if cached else None
        used = Usage(
            input=round(getattr(read, side)), output=round(getattr(written, side)), cached_input=kept
        )
        bounds.append(price.dollars(used, 1) or 0.0)
    return Amount(*bounds)


def _judges_of_pilot(design: Design, pilot: Path, attempts: int) -> Iterator[Outlay]:
    """What judges took for each attempt of the pilot."""
    units = len(design.units)
    with Ledger.open(pilot, write=False) as ledger:
        bill = [each for each in spent(ledger) if each.arm is None and (each.model, True) in design.prices]
    for each in bill:
        times = units / max(attempts, 1)
        taken = (each.requests, each.usage.input, each.usage.output)
        asked, read, written = (Amount(0.8 * n, n, 1.25 * n) * times for n in taken)
        dollars, seconds = _at(design.prices[each.model, True], read, written), written * (1 / _SPEED)
        yield Outlay(each.model, None, units, asked, read, written, dollars, seconds)


def _of_prompts(design: Design, only: tuple[str, str] | None = None) -> Iterator[Outlay]:
    """By the prompts of each attempt, as the graph makes them, and by what replies are assumed to be."""
    wanted = {arm for _, arm, _ in _units(design)} if only is None else {only[1]}
    heard = {arm: asyncio.run(_heard(design, each)) for arm, each in design.arms.items() if arm in wanted}
    for model, arm, units in _units(design):
        if only in (None, (model, arm)):
            yield _assumed(design, model, arm, units, heard[arm])
    for title in design.judges if only is None else ():
        units = len(design.units)
        read, written = _JUDGED[0] * units, _JUDGED[1] * units
        dollars, seconds = _at(design.prices[title, True], read, written), written * (1 / _SPEED)
        yield Outlay(title, None, units, Amount(units, units, units), read, written, dollars, seconds)


_SIDES = ("least", "likely", "most")


def _assumed(design: Design, model: str, arm: str, units: int, heard: Sequence[Sequence[bytes]]) -> Outlay:
    """Tools may be called and reviews may object, and each request then repeats what was said before."""
    plan, asked = design.arms[arm].plan, design.models[model]
    longest = longest_reply(asked.client) or _ANSWER[2]
    count = _counter(asked)
    fewest = float(np.mean([len(texts) for texts in heard]))
    may_go_on = bool(plan.tools or plan.reviews or plan.agent or plan.answer == "tool")
    most = float(plan.limits.model_calls) if may_go_on else fewest
    bounds = []
    for side, turns, answer in zip(
        _SIDES, (fewest, min(fewest + _MORE * may_go_on, most), most), _ANSWER, strict=True
    ):
        said = min(answer, longest)
        first = float(np.mean([sum(getattr(count(text), side) for text in texts) for texts in heard]))
        again = (turns - fewest) * (first / fewest) + said * turns * (turns - 1) / 2
        bounds.append((turns * units, (first + again) * units, turns * said * units))
    requests, read, written = (Amount(*each) for each in zip(*bounds, strict=True))
    if asked.is_simulated:
        return Outlay(model, arm, units, requests, read, written, NOTHING, NOTHING)
    dollars = _at(design.prices[model, False], read, written)
    return Outlay(model, arm, units, requests, read, written, dollars, written * (1 / _SPEED))


def _at(price: Price | None, read: Amount, written: Amount) -> Amount | None:
    if price is None:
        return None
    return read * (price.input_price / 1e6) + written * (price.output_price / 1e6)


def _units(design: Design) -> list[tuple[str, str, int]]:
    counted = Counter((unit.model, unit.arm) for unit in design.units)
    return [(model, arm, counted[model, arm]) for model in design.models for arm in design.arms]


class _Rehearsal:
    """Stands for any model: keeps what it is asked, and says nothing of use."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    @property
    def identity(self) -> dict[str, Any]:
        return {"model": "rehearsal"}

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply:
        told = [convert_to_openai_tool(tool) for tool in tools]
        self.asked.append(canonical_json([convert_to_openai_messages(list(messages)), told]))
        return Reply(AIMessage("?"), seconds=0.0)

    async def aclose(self) -> None: ...


async def _heard(design: Design, arm: Arm) -> list[list[bytes]]:
    """The requests of attempts by which an arm gets nothing back, of problems spread over the families."""
    agent, found = Agent.of(arm.plan), []
    for problem in design.spread(_REHEARSED).problems.values():
        heard = _Rehearsal()
        with suppress(Exception):  # what cannot go on without an answer has asked all the same
            await agent.run(problem.ask(), heard)
        found.append(heard.asked or [problem.ask().text.encode()])
    return found


def _counter(model: Model) -> Callable[[bytes], Amount]:
    """Tokens by the provider's tokenizer where there is one at hand, or else by the number of bytes."""
    provider, _, name = str(model.client.identity.get("model", "")).partition(":")
    if provider == "openai":
        import tiktoken

        with suppress(Exception):  # an unknown model, or no network for the table, which is fetched once
            encoding = tiktoken.encoding_for_model(name)
            return lambda text: Amount(*[float(len(encoding.encode_ordinary(text.decode())))] * 3)
    return lambda text: Amount(*(len(text) / each for each in reversed(_BYTES)))
