"""Read the results of a run from its ledger, as columns for the report."""

from __future__ import annotations

import json
import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from statistics import NormalDist
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from ansatz.agents.credentials import list_credentials
from ansatz.agents.transcript import Usage
from ansatz.errors import LedgerError
from ansatz.eval import Dimension
from ansatz.eval.score import Scale
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.prices import Price, read_bill

if TYPE_CHECKING:
    from ansatz.experiments.results import Attempts, Interim, Results

RESOURCES = {
    "tokens": Scale("tokens per attempt", 1, 0),
    "seconds": Scale("seconds per attempt", 1, 2),
    "dollars": Scale("dollars per attempt", 1, 4),
}
_COUNTS = ("model_calls", "tool_calls", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
_DETAILS = {"cached_input": "cached_tokens", "cache_write": "written_tokens", "reasoning": "reasoning_tokens"}

_MOST_CACHED = 5000  # findings of attempts
_PROMPTS = 2  # messages of a conversation that are the same in other attempts
_LONGEST = 60  # characters of a setting in a label


def read_results(folder: Path) -> Results:
    """Return the results of the run in `folder`, finished or not. Raises LedgerError if there is none."""
    from ansatz.experiments.results import Results, WalkedPaths  # need NumPy, which notes do not load

    with Ledger.open(folder, write=False) as ledger:
        study = ledger.about("study")
        if study is None:
            raise LedgerError(
                f"{folder}: the run was interrupted before its first attempt; start it from its study"
            )
        problems, interim = ledger.problems(), _read_interim(ledger, study["baseline"])
        paths, compared = _find_paths(study)
        columns, whole = _Columns(compared, list(problems)), _Columns(study, list(problems))
        for row in ledger.attempts():
            columns.add(row)
            if paths:
                whole.add(row)
        return Results(
            title=study["name"],
            models=tuple(columns.models),
            arms=tuple(columns.arms),
            baseline=study["baseline"],
            dimensions=columns.dimensions,
            problems=problems,
            attempts=columns.attempts(),
            planned=_count_compared(ledger, columns.arms) if paths else ledger.count_planned(),
            simulated=frozenset(model["title"] for model in study["models"] if model["simulated"]),
            seed=study["seed"],
            level=_read_level(ledger),
            interim=interim,
            primary=tuple(study.get("primary", ())),
            imported=study.get("imported", ""),
            inert_arms=tuple(ledger.about("inert_arms") or ()),
            paraphrases=ledger.about("paraphrases") or {},
            notes=(*describe_repeats(ledger), *describe_judges(ledger), *describe_isolation(ledger)),
            switches=_label_switches(study["arms"]),
            screened=_find_screened(study),
            paths=WalkedPaths(**paths, arms=tuple(whole.arms), attempts=whole.attempts()) if paths else None,
            read_evidence=StoredTexts(folder, columns.details, columns.transcripts),
            usage=tuple(each.to_row() for each in read_bill(ledger)),
        )


def _read_level(ledger: Ledger) -> float:
    """Return the confidence level of the last interim analysis; 0.95 without any."""
    last = (ledger.about("looks") or [{"level": 0.95}])[-1]
    # runs of earlier versions have no level
    return float(last["level"] if "level" in last else 1 - 2 * NormalDist().cdf(-last["boundary"]))


def _read_interim(ledger: Ledger, baseline: str) -> Interim | None:
    """Return the interim analyses of a run; None if its arms cannot be stopped."""
    from ansatz.experiments.results import Interim, Stage, System

    whole, looks = ledger.about("whole_study"), ledger.about("looks")
    if whole is None:
        return None
    stages = [
        Stage(
            frozenset(whole["families"][: each["families"]]),
            each["fraction"],
            each["level"],
            {System(model, arm): decision for model, arm, decision in each["decisions"]},
        )
        for each in looks or ()
    ]
    return Interim(
        baseline=baseline,
        attempts=len(whole["problems"]) * whole["repeats"],
        looks=whole["stop"]["looks"],
        success=whole["stop"]["success"],
        difference=whole["stop"]["difference"],
        only_better=whole["stop"]["only"] == "better",
        stages=tuple(stages),
    )


def describe_repeats(ledger: Ledger) -> Iterator[str]:
    """Yield a sentence on repeats that depend on the baseline; nothing without any."""
    if about := ledger.about("repeats"):
        yield (
            f"{about['unsure']} of {about['asked']} problems have {about['most']} repeats, because two "
            "further answers of the baseline did not both have a full score; the others have "
            f"{about['least']}. These {about['flags']} further answers are not counted in any difference."
        )


def describe_judges(ledger: Ledger) -> Iterator[str]:
    """Yield sentences on the judges of a run: their cost, how judging ended, and how often they disagreed."""
    judging = [each for each in read_bill(ledger) if each.arm is None]
    if not judging:
        return
    for judge in judging:
        used, cost = judge.usage, "" if judge.dollars is None else f", ${judge.dollars:,.2f}"
        took = f"{used.input:,} input and {used.output:,} output tokens{cost}"
        yield f"Judge {judge.model}: {judge.requests:,} replies, {took}, not included in the arms' tokens."
    from ansatz.eval.judging.opinion import (
        Status,  # loads LangChain, which reports without judges do not need
    )
    from ansatz.eval.judging.panel import compute_disagreement_rate

    # The details of a score: the record of a judgement (see `PanelVerdict.record`), or of a reading.
    found = (ledger.read_json(row["details"]) for row in ledger.attempts() if row["details"])
    details = [record for scores in found for _, record in scores.values()]
    if readings := [each["reading"] for each in details if "reading" in each]:
        read = [each for each in readings if each["status"] == "ok"]
        values, identical = (sum(each[key] for each in read) for key in ("values", "as_rules"))
        share = f" {identical / values:.1%} of {values:,} values are those that rules read;" if values else ""
        failed = f"{len(readings) - len(read):,} of {len(readings):,} answers"
        yield f"A model read the answers:{share} {failed} could not be read by it, so rules read them."
    records = [each for each in details if "judges" in each]
    if not records:  # judges that give no scores
        return
    ended = Counter(record["status"] for record in records)
    shown = [status for status in get_args(Status) if ended[status] or status != "abstained"]
    yield f"Judgements: {', '.join(f'{ended[status]:,} {status}' for status in shown)}."
    if (rate := compute_disagreement_rate(records)) is not None:
        yield f"Two judges differed by more than half the scale on {rate:.1%} of the scores."


def describe_isolation(ledger: Ledger) -> Iterator[str]:
    """Yield a sentence on how code in answers was isolated; nothing if no code ran."""
    levels = ledger.about("isolation")
    if levels == ["none"]:
        yield "Code in answers ran in plain subprocesses, without isolation."
    elif levels:
        yield f"Code in answers ran at isolation level {' and '.join(levels)}."


@dataclass(frozen=True)
class StoredTexts:
    """Reads the evidence of scores, and conversations, on demand: they are most of a ledger's data.

    Texts do not change under their keys. So they belong to the attempts whose numbers were read, even if the
    run has gone on since.
    """

    folder: Path
    details: Sequence[str | None]
    """The key of each attempt's evidence and details."""
    transcripts: Sequence[str | None]
    """The key of each attempt's transcript."""
    _cache: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The first findings that were read, because several chapters read them."""

    def __call__(self, rows: Iterable[int]) -> Iterator[dict[str, Any]]:
        with Ledger.open(self.folder, write=False) as ledger:
            for row in rows:
                key = self.details[row] or ""
                found = self._cache.get(key) or (ledger.read_json(key) if key else {})
                if len(self._cache) < _MOST_CACHED:
                    self._cache[key] = found
                yield found

    def conversations(self, rows: slice) -> list[tuple[str | None, str | None]]:
        """Return the answer and the messages (JSON) of each attempt; None if there is no transcript."""
        with Ledger.open(self.folder, write=False) as ledger:
            return [ledger.read_conversation(key) if key else (None, None) for key in self.transcripts[rows]]

    def attempts(self, rows: Iterable[int]) -> Iterator[StoredAttempt]:
        """Yield the transcripts of attempts that have one, with the details of their scores."""
        prompts: dict[str, Any] = {}  # the first messages recur in many attempts
        credentials = list_credentials()
        with Ledger.open(self.folder, write=False) as ledger:
            for row in rows:
                if (key := self.transcripts[row]) is None:
                    continue
                content = ledger.read_json(key, credentials)
                messages = []
                for number, message in enumerate(content["messages"]):
                    found = prompts.get(message) or ledger.read_json(message, credentials)
                    if number < _PROMPTS and len(prompts) < _MOST_CACHED:
                        prompts[message] = found
                    messages.append(found)
                why = self.details[row]
                stored = ledger.read_json(why, credentials) if why else {}
                details = {name: each for name, (_, each) in stored.items()}
                yield StoredAttempt(row, {**content, "messages": messages}, details)


class StoredAttempt(NamedTuple):
    """The transcript of an attempt as JSON, and the details of its scores by dimension."""

    row: int
    transcript: Mapping[str, Any]
    details: Mapping[str, Any]


class _Columns:
    """Collects attempts row by row into columns."""

    def __init__(self, study: Mapping[str, Any], problems: Sequence[str]) -> None:
        self.models = {model["title"]: at for at, model in enumerate(study["models"])}
        self.arms = {arm["name"]: at for at, arm in enumerate(study["arms"])}
        self.dimensions = _read_dimensions(study)
        self.details: list[str | None] = []
        self.transcripts: list[str | None] = []
        self._problems = {id: at for at, id in enumerate(problems)}
        self._prices = [Price.from_json(model) for model in study["models"]]
        self._consulting = {arm["name"] for arm in study["arms"] if arm.get("consults")}
        self._places: list[tuple[int, int, int, int]] = []
        self._error: list[str] = []
        self._stop: list[str] = []
        scored = [each.name for each in self.dimensions]
        self._values = {name: array("d") for name in dict.fromkeys((*scored, *RESOURCES, *_COUNTS))}

    def add(self, row: Mapping[str, Any]) -> None:
        """Add an attempt, unless its model or arm is not in the study."""
        if row["model"] not in self.models or row["arm"] not in self.arms:
            return
        failed = row["state"] == "error"
        model = self.models[row["model"]]
        self._places.append((model, self.arms[row["arm"]], self._problems[row["problem"]], row["repeat"]))
        self._error.append((row["error"] or "not recorded") if failed else "")
        self._stop.append("" if failed else row["stop"] or "")
        self.details.append(None if failed else row["details"])
        self.transcripts.append(row["transcript"])
        # Tokens of two models have no single price; the bill lists each model.
        price = None if row["arm"] in self._consulting else self._prices[model]
        values = {} if failed else {**json.loads(row["scores"]), **_resource_values(row, price)}
        for name, column in self._values.items():
            value = values.get(name)
            column.append(math.nan if value is None else value)

    def attempts(self) -> Attempts:
        import numpy as np

        from ansatz.experiments.results import Attempts

        places = np.array(self._places, dtype=np.intp).reshape(-1, 4)
        values = {name: np.array(column, dtype=np.float64) for name, column in self._values.items()}
        model, arm, problem, repeat = places.T
        return Attempts(model, arm, problem, repeat, self._error, self._stop, values)


def _resource_values(row: Mapping[str, Any], price: Price | None) -> dict[str, float | None]:
    """Return tokens, seconds and, if the price is known, dollars. Unknown tokens have no price."""
    counts = {name: row[name] for name in _COUNTS} | {"seconds": row["seconds"]}
    read, written = row["input_tokens"], row["output_tokens"]
    if read is None or written is None:
        return counts
    details = {name: row[column] for name, column in _DETAILS.items()}
    dollars = price.dollars(Usage(input=read, output=written, **details)) if price else None
    return {**counts, "tokens": read + written, "dollars": dollars}


def _read_dimensions(study: Mapping[str, Any]) -> tuple[Dimension, ...]:
    """Return the dimensions of the scorers, then the resources; dollars only if a price is known."""
    scored = {each["name"]: Dimension.from_json(each) for each in study["dimensions"]}
    priced = any(Price.from_json(model) for model in study["models"])
    cost = [name for name in RESOURCES if name != "dollars" or priced]
    resources = [Dimension(name, scale=RESOURCES[name], better="lower", role="resource") for name in cost]
    return (*scored.values(), *resources)


def _find_paths(study: Mapping[str, Any]) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Return the paths of a leave-one-out design, and the study with the arms asked at every problem.

    The other arms of such a design are asked only at some families, so they are not compared with others.
    """
    found = study.get("leave_one_out")
    if not found:
        return {}, study
    on = {arm: frozenset(names) for arm, names in found["on"].items()}
    sizes = (0, len(found["switches"]) - 1, len(found["switches"]))
    arms = [arm for arm in study["arms"] if len(on.get(arm["name"], ())) in sizes]
    orders = {family: tuple(order) for family, order in found["orders"].items()}
    return {"switches": tuple(found["switches"]), "on": on, "orders": orders}, {**study, "arms": arms}


def _count_compared(ledger: Ledger, arms: Collection[str]) -> int:
    return sum(attempt.arm in arms for attempt in ledger.planned_attempts())


def _find_screened(study: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return the arms with each switch of a screening design on; empty for other designs."""
    about = study.get("screening", {"switches": (), "on": {}})
    return {
        switch: frozenset(arm for arm, on in about["on"].items() if switch in on)
        for switch in about["switches"]
    }


def _label_switches(arms: Sequence[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    """Return labels of the switches of each arm, with settings if a switch occurs in several variants."""
    by_arm = {
        arm["name"]: [(name.partition("#")[0], settings) for name, settings in arm["switches"].items()]
        for arm in arms
    }
    variants: defaultdict[str, list[Any]] = defaultdict(list)
    for name, settings in chain.from_iterable(by_arm.values()):
        if settings not in variants[name]:
            variants[name].append(settings)
    labels = {name: _label_variants(name, found) for name, found in variants.items()}
    return {
        arm: frozenset(labels[name][variants[name].index(settings)] for name, settings in switches)
        for arm, switches in by_arm.items()
    }


def _label_variants(name: str, variants: Sequence[Mapping[str, Any]]) -> list[str]:
    """Label each variant of a switch by the settings that differ, such as `formulation(source=self)`."""
    labels: list[str] = []
    for variant in variants:
        differing = [key for key in variant if any(other.get(key) != variant[key] for other in variants)]
        settings = ", ".join(
            f"{key}={shorten(str(variant[key]), _LONGEST, placeholder='…')}" for key in differing
        )
        label = f"{name}({settings})" if settings else name
        labels.append(f"{label} {len(labels) + 1}" if label in labels else label)
    return labels
