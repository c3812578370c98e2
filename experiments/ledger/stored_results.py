"""From a run's ledger to the columns that its report is made of."""

from __future__ import annotations

import json
import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, get_args

from ansatz.agents.transcript import Usage
from ansatz.errors import LedgerError
from ansatz.eval import Dimension
from ansatz.eval.score import Scale
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.prices import Price, spent

if TYPE_CHECKING:
    from ansatz.experiments.results import Attempts, Results

_RESOURCES = {
    "tokens": Scale("tokens per attempt", 1, 0),
    "seconds": Scale("seconds per attempt", 1, 2),
    "dollars": Scale("dollars per attempt", 1, 4),
}
_COUNTS = ("model_calls", "tool_calls", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
_DETAILS = {"cached_input": "cached_tokens", "cache_write": "written_tokens", "reasoning": "reasoning_tokens"}

_HELD = 5000  # findings of attempts
_LONGEST = 60  # characters of a setting in a name


def read_results(folder: Path) -> Results:
    """The run in `folder`, finished or not, from its stored rows alone. Raises LedgerError without one."""
    from ansatz.experiments.results import Results  # what is here for a run itself does without

    with Ledger.open(folder, write=False) as ledger:
        study = ledger.about("study")
        if study is None:
            raise LedgerError(
                f"{folder}: the run was broken off before its first attempt; start it from its study"
            )
        problems = ledger.problems()
        columns = _Columns(study, list(problems))
        for row in ledger.attempts():
            columns.add(row)
        return Results(
            title=study["name"],
            models=tuple(columns.models),
            arms=tuple(columns.arms),
            baseline=study["baseline"],
            dimensions=columns.dimensions,
            problems=problems,
            attempts=columns.attempts(),
            planned=ledger.planned(),
            simulated=frozenset(model["title"] for model in study["models"] if model["simulated"]),
            seed=study["seed"],
            level=final_confidence_level(ledger),
            primary=tuple(study.get("primary", ())),
            notes=(*describe_interim_analyses(ledger), *describe_judges(ledger), *describe_isolation(ledger)),
            switches=_switches(study["arms"]),
            read_evidence=StoredTexts(folder, columns.details, columns.transcripts),
            usage=tuple(each.row() for each in spent(ledger)),
        )


def final_confidence_level(ledger: Ledger) -> float:
    """At which level findings count after the looks that a run has had; 0.95 without any."""
    from scipy.special import ndtr

    looks = ledger.about("looks")
    return float(1 - 2 * ndtr(-looks[-1]["boundary"])) if looks else 0.95


def describe_interim_analyses(ledger: Ledger) -> Iterator[str]:
    """A sentence on how often a run was looked at, and why it ended; none where it had no looks."""
    if looks := ledger.about("looks"):
        last, alpha = looks[-1], 1 - final_confidence_level(ledger)
        ends = "; ".join(f"{arm}: {verdict}" for _, arm, _, verdict in last["found"])
        yield (
            f"Looked at {len(looks)} times, last with {last['fraction']:.0%} of the families ({ends}). So "
            f"that the chance of a false finding holds over all looks, a star asks p < {alpha:.2g} here."
        )


def describe_judges(ledger: Ledger) -> Iterator[str]:
    """Sentences on what the judges of a run took, how judging ended, and how often two were at odds."""
    judging = [each for each in spent(ledger) if each.arm is None]
    if not judging:
        return
    for judge in judging:
        used, cost = judge.usage, "" if judge.dollars is None else f", ${judge.dollars:,.2f}"
        took = f"{used.input:,} input and {used.output:,} output tokens{cost}"
        yield f"Judge {judge.model}: {judge.requests:,} replies, {took}, not counted among the arms' own."
    from ansatz.eval.judging.panel import disagreement_rate
    from ansatz.eval.judging.reply import Status  # brings LangChain, which other reports do without

    # Of every score: the record of a judgement (see `PanelVerdict.record`), or of a reading.
    found = (ledger.stored(row["details"]) for row in ledger.attempts() if row["details"])
    details = [record for scores in found for _, record in scores.values()]
    if readings := [each["reading"] for each in details if "reading" in each]:
        read = [each for each in readings if each["status"] == "ok"]
        values, alike = (sum(each[key] for each in read) for key in ("values", "as_rules"))
        share = f" {alike / values:.1%} of {values:,} values as the rules read them;" if values else ""
        failed = f"{len(readings) - len(read):,} of {len(readings):,} answers"
        yield f"Read by a model:{share} {failed} it could not read, so rules did."
    records = [each for each in details if "judges" in each]
    if not records:  # a judge that was asked for something other than marks
        return
    ended = Counter(record["status"] for record in records)
    shown = [status for status in get_args(Status) if ended[status] or status != "abstained"]
    yield f"Judgements: {', '.join(f'{ended[status]:,} {status}' for status in shown)}."
    if (rate := disagreement_rate(records)) is not None:
        yield f"Two judges differed by more than half the scale on {rate:.1%} of the marks."


def describe_isolation(ledger: Ledger) -> Iterator[str]:
    """A sentence on how the code in answers was run; none where no code was."""
    levels = (ledger.about("manifest") or {}).get("isolation")
    if levels == ["none"]:
        yield "Code in answers ran in plain subprocesses, without isolation."
    elif levels:
        yield f"Code in answers ran at isolation level {' and '.join(levels)}."


@dataclass(frozen=True)
class StoredTexts:
    """Reads what scores rest on, and conversations, when somebody asks for them: most of what a ledger holds.

    Of a small run all findings are held, since several views ask for the same. A text stays under its key,
    so that both are those of the attempts whose numbers were read, however far a run has gone on since.
    """

    folder: Path
    details: Sequence[str | None]
    transcripts: Sequence[str | None]
    _held: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __call__(self, rows: Iterable[int]) -> Iterator[dict[str, Any]]:
        with Ledger.open(self.folder, write=False) as ledger:
            for row in rows:
                key = self.details[row] or ""
                found = self._held.get(key) or (ledger.stored(key) if key else {})
                if len(self._held) < _HELD:
                    self._held[key] = found
                yield found

    def conversations(self, rows: slice) -> list[tuple[str | None, str | None]]:
        """Of each attempt its answer, and its messages as JSON; None where it has none."""
        with Ledger.open(self.folder, write=False) as ledger:
            return [ledger.conversation(key) if key else (None, None) for key in self.transcripts[rows]]


class _Columns:
    """Attempts row by row, into columns."""

    def __init__(self, study: Mapping[str, Any], problems: Sequence[str]) -> None:
        self.models = {model["title"]: at for at, model in enumerate(study["models"])}
        self.arms = {arm["name"]: at for at, arm in enumerate(study["arms"])}
        self.dimensions = _dimensions(study)
        self.details: list[str | None] = []
        self.transcripts: list[str | None] = []
        self._problems = {id: at for at, id in enumerate(problems)}
        self._prices = [Price.stored(model) for model in study["models"]]
        self._consulting = {arm["name"] for arm in study["arms"] if arm.get("consults")}
        self._places: list[tuple[int, int, int, int]] = []
        self._error: list[str] = []
        self._stop: list[str] = []
        scored = [each.name for each in self.dimensions]
        self._values = {name: array("d") for name in dict.fromkeys((*scored, *_RESOURCES, *_COUNTS))}

    def add(self, row: Mapping[str, Any]) -> None:
        """An attempt of a model and an arm of the study; one of an earlier study is left out."""
        if row["model"] not in self.models or row["arm"] not in self.arms:
            return
        failed = row["state"] == "error"
        model = self.models[row["model"]]
        self._places.append((model, self.arms[row["arm"]], self._problems[row["problem"]], row["repeat"]))
        self._error.append((row["error"] or "not recorded") if failed else "")
        self._stop.append("" if failed else row["stop"] or "")
        self.details.append(None if failed else row["details"])
        self.transcripts.append(row["transcript"])
        # tokens of two models have no one price; the bill knows each
        price = None if row["arm"] in self._consulting else self._prices[model]
        values = {} if failed else {**json.loads(row["scores"]), **_spent(row, price)}
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


def _spent(row: Mapping[str, Any], price: Price | None) -> dict[str, float | None]:
    """What an attempt took; dollars where prices are known, and none where no transcript is."""
    if row["input_tokens"] is None:
        return {}
    read, written = row["input_tokens"], row["output_tokens"]
    counts = {name: row[name] for name in _COUNTS}
    details = {name: row[column] for name, column in _DETAILS.items()}
    dollars = price.dollars(Usage(input=read, output=written, **details)) if price else None
    return {**counts, "tokens": read + written, "seconds": row["seconds"], "dollars": dollars}


def _dimensions(study: Mapping[str, Any]) -> tuple[Dimension, ...]:
    """What the scorers report, then what an attempt cost; money only where prices are known."""
    scored = {each["name"]: Dimension.from_json(each) for each in study["dimensions"]}
    priced = any(Price.stored(model) for model in study["models"])
    cost = [name for name in _RESOURCES if name != "dollars" or priced]
    resources = [Dimension(name, scale=_RESOURCES[name], better="lower", role="resource") for name in cost]
    return (*scored.values(), *resources)


def _switches(arms: Sequence[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    """What is on in each arm, told apart by its settings where a switch occurs in several forms."""
    held = {
        arm["name"]: [(name.partition("#")[0], settings) for name, settings in arm["switches"].items()]
        for arm in arms
    }
    kinds: defaultdict[str, list[Any]] = defaultdict(list)
    for name, settings in (each for own in held.values() for each in own):
        if settings not in kinds[name]:
            kinds[name].append(settings)
    labels = {name: _labels(name, found) for name, found in kinds.items()}
    return {
        arm: frozenset(labels[name][kinds[name].index(settings)] for name, settings in own)
        for arm, own in held.items()
    }


def _labels(name: str, kinds: Sequence[Mapping[str, Any]]) -> list[str]:
    """A switch's name with what tells each form from the others: formulation(source=self), say."""
    found: list[str] = []
    for kind in kinds:
        differing = [each for each in kind if any(other.get(each) != kind[each] for other in kinds)]
        shown = ", ".join(
            f"{each}={shorten(str(kind[each]), _LONGEST, placeholder='…')}" for each in differing
        )
        label = f"{name}({shown})" if shown else name
        found.append(f"{label} {len(found) + 1}" if label in found else label)
    return found
