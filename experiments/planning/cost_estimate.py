"""Estimate the requests, tokens, time and cost of a study, from a pilot run or from its prompts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ansatz.agents import find_reply_limit, is_simulated
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.prices import BillItem, read_bill
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.planning.rehearsal import Requests, rehearse
from ansatz.experiments.results import Results, System
from ansatz.experiments.running.background import in_background

Range = NDArray[np.float64]
"""The least, the likely and the most that is expected of a number, in this order."""
_REHEARSED = 20  # problems per arm whose prompts are counted
_BYTES = np.array([5.0, 4.0, 3.0])  # per token: the fewest, likely and most tokens of a text
_ANSWER = np.array([150.0, 800.0, 4000.0])  # assumed tokens of a reply
_JUDGED = np.array([[400.0, 1500.0, 6000.0], [50.0, 250.0, 1500.0]])
"""Assumed tokens that a judge reads and writes for an attempt."""
_MORE = 2  # further requests of an attempt that may use tools or is reviewed
_SPEED = 60.0  # assumed tokens per second of a model
_MARGIN = 1.96 * np.array([-1.0, 0.0, 1.0])  # standard errors
_BETWEEN_PILOTS = np.array([0.8, 1.0, 1.25])  # relative range of a bill that a pilot shows


@dataclass(frozen=True)
class Amount:
    """An expected number, with the least and the most that it may be."""

    least: float
    likely: float
    most: float

    @classmethod
    def of(cls, range: Range) -> Amount:
        return cls(*range.tolist())

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.least + other.least, self.likely + other.likely, self.most + other.most)


class UsageRange(NamedTuple):
    """What all attempts of one row need together."""

    requests: Range
    input: Range
    output: Range
    cached: Range
    seconds: Range

    @classmethod
    def of(cls, requests: Range, input: Range, output: Range) -> UsageRange:
        """Fill in no cached tokens, and the time of the output at the assumed speed."""
        return cls(requests, input, output, np.zeros(3), output / _SPEED)

    def scale(self, factor: Range | float) -> UsageRange:
        return UsageRange(*(amount * factor for amount in self))


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
    """The time of the model alone, one request after another. It is zero if a pilot's times of the answering
    models include it."""
    is_consulted: bool = False
    """Whether steps of the arm ask the model, such as the critic's review, while other models answer."""

    @classmethod
    def of(
        cls,
        design: Design,
        model: str,
        arm: str | None,
        attempts: int,
        usage: UsageRange,
        is_consulted: bool = False,
    ) -> CostEstimate:
        """Apply the study's prices."""
        requests, read, written, cached, seconds = usage
        client = design.consulted_clients[model] if is_consulted else None
        is_free = is_simulated(client) if client else arm is not None and design.models[model].is_simulated
        if is_free:
            dollars, seconds = np.zeros(3), np.zeros(3)
        elif price := design.prices[model, arm is None]:
            saved = 0.0 if price.cached_price is None else cached * (price.input_price - price.cached_price)
            dollars = (read * price.input_price + written * price.output_price - saved) / 1e6
        else:
            dollars = None
        cost = None if dollars is None else Amount.of(dollars)
        counts = Amount.of(requests), Amount.of(read), Amount.of(written)
        return cls(model, arm, attempts, *counts, cost, Amount.of(seconds), is_consulted)


def estimate_costs(design: Design, pilot: Path | None) -> tuple[CostEstimate, ...]:
    """Estimate the cost of each model in each arm, then of models that steps of arms ask, then of judges.

    No request is made. Prompts are the basis for arms that the pilot does not have.
    """
    prompts, measured = _Prompts(design), _read_pilot(pilot)
    return (
        *_estimate_answers(design, prompts, measured),
        *_estimate_consulted(design, prompts, measured),
        *_estimate_judges(design, measured),
    )


def _estimate_answers(design: Design, prompts: _Prompts, pilot: _Pilot | None) -> Iterator[CostEstimate]:
    for model in design.models:
        for name, arm in design.arms.items():
            attempts = design.attempts_by_arm[name]
            usage = pilot.measure(System(model, name), arm.plan.consulted, attempts) if pilot else None
            usage = usage or prompts.measure(model, arm).scale(attempts)
            yield CostEstimate.of(design, model, name, attempts, usage)


def _estimate_consulted(design: Design, prompts: _Prompts, pilot: _Pilot | None) -> Iterator[CostEstimate]:
    for name, arm in design.arms.items():
        for model in dict.fromkeys(arm.plan.consulted):
            attempts = design.attempts_by_arm[name] * len(design.models)
            usage = pilot.measure_consulted(model, name) if pilot else None
            usage = usage.scale(_BETWEEN_PILOTS) if usage else prompts.measure_consulted(model, arm)
            yield CostEstimate.of(design, model, name, attempts, usage.scale(attempts), is_consulted=True)


def _estimate_judges(design: Design, pilot: _Pilot | None) -> Iterator[CostEstimate]:
    attempts = design.size
    if pilot is None:
        read, written = _JUDGED
        usages = dict.fromkeys(design.judges, UsageRange.of(np.ones(3), read, written))
    else:
        bill = {each.model: each for each in pilot.bill if each.arm is None and each.model in design.judges}
        usages = {title: pilot.measure_judge(item).scale(_BETWEEN_PILOTS) for title, item in bill.items()}
    for title, usage in usages.items():
        yield CostEstimate.of(design, title, None, attempts, usage.scale(attempts))


def estimate_duration(design: Design, rows: Sequence[CostEstimate]) -> Amount:
    """Return the seconds of the study, if each model runs as many attempts at once as the study allows.

    Judges are left out: they work while models answer.
    """
    found = {title: np.zeros(3) for title in design.models}
    for row in rows:
        if row.arm is not None:
            titles = list(design.models) if row.is_consulted else [row.model]
            for title in titles:
                seconds = np.array(astuple(row.seconds)) / len(titles)
                found[title] += seconds / design.models[title].concurrency
    return Amount.of(max(found.values(), key=lambda each: float(each[1])))


@dataclass(frozen=True)
class _Pilot:
    """The results and the bill of a pilot run."""

    results: Results
    bill: tuple[BillItem, ...]

    def measure(self, system: System, consulted: Sequence[str], attempts: int) -> UsageRange | None:
        """Return the usage of a number of attempts of a system; None if the pilot does not have it.

        The range contains the sum over the new attempts with 95 % probability. The tokens of an attempt
        include those of models that its steps ask, which are subtracted.
        """
        if system not in self.results.systems:
            return None
        others = [self.measure_consulted(model, system.arm) for model in consulted if model != system.model]
        found = []
        names = ("model_calls", "input_tokens", "output_tokens", "cached_tokens", "seconds")
        for place, name in enumerate(names):
            mean, margin = self._predict(system, name, attempts)
            if mean is None and name != "cached_tokens":
                return None
            # a provider that does not report cached tokens has none here
            mean = (mean or 0.0) - sum(float(usage[place][1]) for usage in others if usage)
            found.append(np.maximum(0.0, mean * attempts + _MARGIN * margin))
        return UsageRange(*found)

    def _predict(self, system: System, name: str, attempts: int) -> tuple[float | None, float]:
        """Return the mean of an attempt, if it is known, and the standard error of the new attempts' sum."""
        by_problem = self.results.subset(system).mean_by_problem(self.results.values(name))
        known = by_problem[~np.isnan(by_problem)]
        if not len(known):
            return None, 0.0
        mean = float(known.mean())
        scatter = float(known.std(ddof=1)) if len(known) > 1 else mean
        return mean, scatter * math.sqrt(attempts**2 / len(known) + attempts)

    def measure_consulted(self, model: str, arm: str) -> UsageRange | None:
        """Return the mean usage, per attempt of an arm, of a model that its steps ask.

        The bill also has the attempts that the model answers itself; they are subtracted.
        """
        item = next((each for each in self.bill if (each.model, each.arm) == (model, arm)), None)
        systems = [each for each in self.results.systems if each.arm == arm]
        attempts = sum(len(self.results.rows_by_system[each]) for each in systems if each.model != model)
        if item is None or not attempts:
            return None
        billed: list[float] = [
            item.requests,
            item.usage.input,
            item.usage.output,
            item.usage.cached_input or 0,
        ]
        if (answered := System(model, arm)) in systems:
            rows = self.results.rows_by_system[answered]
            names = ("model_calls", "input_tokens", "output_tokens", "cached_tokens")
            own = [float(np.nansum(self.results.values(name)[rows])) for name in names]
            billed = [max(0.0, total - part) for total, part in zip(billed, own, strict=True)]
        requests, read, written, cached = (np.full(3, total / attempts) for total in billed)
        return UsageRange(requests, read, written, cached, np.zeros(3))

    def measure_judge(self, item: BillItem) -> UsageRange:
        """Return the mean usage of a judge per attempt of the pilot."""
        attempts = max(len(self.results.attempts), 1)
        counts = (item.requests, item.usage.input, item.usage.output)
        return UsageRange.of(*(np.full(3, count / attempts) for count in counts))


def _read_pilot(folder: Path | None) -> _Pilot | None:
    if folder is None:
        return None
    with Ledger.open(folder, write=False) as ledger:
        bill = read_bill(ledger)
    return _Pilot(read_results(folder), bill)


def _mean_requests(rehearsed: Sequence[Sequence[bytes]]) -> tuple[float, Range]:
    """Return the mean number of requests of an attempt, and the mean tokens of all its prompts."""
    count = float(np.mean([len(texts) for texts in rehearsed]))
    return count, float(np.mean([sum(map(len, texts)) for texts in rehearsed])) / _BYTES


@dataclass(frozen=True)
class _Prompts:
    """Estimates by the prompts that the graph makes, and by assumed replies."""

    design: Design
    _rehearsed: dict[str, list[Requests]] = field(default_factory=dict)

    def measure(self, model: str, arm: Arm) -> UsageRange:
        """Return the usage of one attempt.

        Tools may be called and reviews may object; each further request repeats the conversation so far.
        """
        plan, reviews = arm.plan, len(arm.plan.reviews) - (arm.matched is not None)
        fewest, prompts = _mean_requests([each.answering for each in self._rehearse(arm)])
        may_go_on = bool(plan.tools or reviews or plan.agent or plan.answer == "tool")
        most = float(plan.limits.model_calls) if may_go_on else fewest
        turns = np.array([fewest, min(fewest + _MORE * may_go_on, most), most])
        reply = np.minimum(_ANSWER, find_reply_limit(self.design.models[model].client) or _ANSWER[-1])
        read = prompts * turns / fewest + reply * turns * (turns - 1) / 2
        usage = UsageRange.of(turns, read, turns * reply)
        if arm.matched is None:
            return usage
        matched = self.measure(model, self.design.arms[arm.matched])
        return UsageRange(*map(np.maximum, usage, matched))

    def measure_consulted(self, model: str, arm: Arm) -> UsageRange:
        """Return the usage, per attempt of an arm, of a model that its steps ask: each reads one answer."""
        rehearsed = self._rehearse(arm)
        answers, _ = _mean_requests([each.answering for each in rehearsed])
        fewest, prompts = _mean_requests([each.consulted[model] for each in rehearsed])
        turns = np.array([fewest, fewest, max(fewest, arm.plan.limits.model_calls - answers)])
        client = self.design.consulted_clients[model]
        reply = np.minimum(_ANSWER, find_reply_limit(client) or _ANSWER[-1])
        return UsageRange.of(turns, prompts * turns / max(fewest, 1.0) + _ANSWER * turns, turns * reply)

    def _rehearse(self, arm: Arm) -> list[Requests]:
        if arm.name not in self._rehearsed:
            self._rehearsed[arm.name] = in_background(_rehearse(self.design, arm))
        return self._rehearsed[arm.name]


async def _rehearse(design: Design, arm: Arm) -> list[Requests]:
    """Return the requests that an arm makes for problems from several families."""
    return [await rehearse(design, arm, each) for each in design.spread(_REHEARSED).problems.values()]
