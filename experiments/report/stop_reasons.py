"""Stop reasons, failures with their causes, and answers without a score."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ansatz.experiments.report.evidence import warn_of_missing_scores
from ansatz.experiments.report.power_warnings import warn_of_power
from ansatz.experiments.report.tables import COUNT, Column, Entry, Section, Table, read_notes
from ansatz.experiments.report.tabulation import Measure, Tally, system_rows
from ansatz.experiments.report.text import printable
from ansatz.experiments.results import Results, Subset

NOTES = read_notes(__name__)

IMPORTED = "imported"
"""The stop reason of an attempt whose scores were imported without its answer."""
_ENDS = (
    "answered",
    "truncated",
    "empty",
    "refused",
    "model_calls",
    "tool_calls",
    "tokens",
    "seconds",
    IMPORTED,
)
_LOST = ("truncated", "empty", "refused")
_LOST_IN_WORDS = "truncated, empty or refused"
_REMEDIES = {
    "truncated": "Raise max_tokens: truncated answers reached it.",
    "empty": "Empty answers have no text; `ansatz show` prints what the model returned.",
    "refused": "Refused answers are the model's or its provider's choice; check the prompt.",
}
_NOTABLE = 0.02  # share of lost answers from which a difference between arms is reported
_MANY = 0.1  # share of lost answers that is reported even if all arms have it
_MOST_REASONS = 20
_LONGEST_REASON = 200
_READ = {"from the form": "form", "elsewhere": "text", "not at all": None}


def count_stop_reasons(subset: Subset) -> Counter[str]:
    """Count the attempts of a system by stop reason; failed attempts count as `error`."""
    attempts = subset.data.attempts
    return Counter("error" if attempts.error[row] else attempts.stop[row] for row in subset.rows.tolist())


def _lost_share(found: Counter[str]) -> float:
    """Return the share of truncated, empty or refused answers among the attempts without an error."""
    ended = found.total() - found["error"]
    return sum(found[each] for each in _LOST) / ended if ended else 0.0


def stop_reasons(data: Results) -> Section:
    """Count stop reasons by system, with warnings."""
    how = Tally(lambda row: count_stop_reasons(row.subset))
    known = {name for subset in data.subsets() for name in count_stop_reasons(subset)}
    shown = [
        name for name in (*_ENDS, "error") if name in known or (name == "answered" and IMPORTED not in known)
    ]
    table = system_rows(data).table(
        "ended",
        "How attempts ended",
        how.count("attempts"),
        *(how.count(name, name) for name in shown),
        Measure(_LOST_IN_WORDS, lambda row: _lost_share(count_stop_reasons(row.subset))),
    )
    warnings = list_warnings(data)
    is_normal = not warnings and known <= {"answered", IMPORTED}
    return Section("How attempts ended", warnings, [table], notes=(NOTES["ended"],), is_normal=is_normal)


def value_sources(data: Results) -> Section | None:
    """Show where values were read: from the requested form, elsewhere in the text, or not at all."""
    how = Tally(lambda row: Counter(_read(data, row.subset)))
    shares = [how.share(name, kind) for name, kind in _READ.items()]
    rows = system_rows(data).where(lambda row: how(row).total())
    if not rows.rows:
        return None
    table = rows.table("read", "Where values were read", how.count("values"), *shares)
    return Section("How answers were read", tables=[table], notes=(NOTES["read"],), is_detail=True)


def _read(data: Results, subset: Subset) -> Iterator[str | None]:
    """Yield where each value of a system's answers was read, from the details of the scores."""
    for found in data.read_evidence(subset.rows[~data.attempts.failed[subset.rows]].tolist()):
        for _, details in found.values():
            targets = details.get("targets", {}).values()
            yield from (target["read"] for target in targets if "read" in target)


def list_warnings(data: Results) -> list[str]:
    """List the warnings: lost answers, scores missing more often in one arm, and too little data."""
    counts = {
        (each.system.model, each.system.arm): count_stop_reasons(each)
        for each in data.subsets()
        if len(each.rows)
    }
    return [*warn_of_lost_answers(counts), *warn_of_missing_scores(data), *warn_of_power(data)]


def warn_of_lost_answers(counts: Mapping[tuple[str, str], Counter[str]]) -> list[str]:
    """Warn of models that lose many answers, or more in one arm than in another.

    `counts` has the attempts by stop reason for each model and arm. Lost answers are truncated, empty or
    refused.
    """
    lines = []
    models = list(dict.fromkeys(model for model, _ in counts))
    for model in models:
        arms = {arm: found for (name, arm), found in counts.items() if name == model}
        shares = {arm: _lost_share(found) for arm, found in arms.items() if found.total() > found["error"]}
        if not shares:
            continue
        most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
        every = sum(arms.values(), start=Counter[str]())
        lost = ", ".join(f"{every[each]:,} {each}" for each in _LOST if every[each])
        remedies = " ".join(_REMEDIES[each] for each in _LOST if every[each])
        named = f"{model}: " if len(models) > 1 else ""
        if shares[most] > _NOTABLE and shares[most] - shares[least] > _NOTABLE / 2:
            lines.append(
                f"Warning: {named}{shares[most]:.0%} of the answers of {most} are {_LOST_IN_WORDS}, "
                f"{shares[least]:.0%} of {least} ({lost}). This may explain a difference. {remedies}"
            )
        elif _lost_share(every) >= _MANY:
            share = f"{_lost_share(every):.0%} of the answers are {_LOST_IN_WORDS}"
            lines.append(f"Warning: {named}{share}, in all arms ({lost}). {remedies}")
    return lines


def count_failures(data: Results) -> Counter[str]:
    """Count failed attempts by reason, each shortened to one line."""
    return Counter(_line(reason) for reason in data.attempts.error if reason)


def failures(data: Results) -> Section | None:
    """List the reasons of failure with their arms; None if no attempt failed."""
    counts = count_failures(data)
    where: defaultdict[str, set[str]] = defaultdict(set)
    for row in np.flatnonzero(data.attempts.failed).tolist():
        where[_line(data.attempts.error[row])].add(data.arms[data.attempts.arm[row]])
    rows: list[list[Entry]] = [
        [", ".join(sorted(where[reason])), reason, count] for reason, count in counts.most_common()
    ]
    intro = "These attempts have no score. Run the study again to repeat them."
    return Section("Errors", tables=[_reasons("errors", intro, "arms", rows)]) if counts else None


def unscored(data: Results) -> Section | None:
    """List why attempts have no score, by dimension; None if every finished attempt has one."""
    counts: Counter[tuple[str, str]] = Counter()
    scored = [each.name for each in data.dimensions if each.role != "resource"]
    missing = {name: np.isnan(data.values(name)) & ~data.attempts.failed for name in scored}
    rows = np.flatnonzero(np.any(list(missing.values()), axis=0)).tolist() if scored else []
    for row, found in zip(rows, data.read_evidence(rows), strict=True):
        for name in (name for name in scored if missing[name][row]):
            counts[name, _line(str(found[name][0] if name in found else "no reason recorded"))] += 1
    common = sorted(counts.items(), key=lambda each: (-each[1], scored.index(each[0][0])))
    intro = "The scorer gave no score, so the means of the dimension leave these attempts out."
    lines: list[list[Entry]] = [[*place, count] for place, count in common]
    return Section("Unscored", tables=[_reasons("unscored", intro, "dimension", lines)]) if lines else None


def _reasons(name: str, intro: str, first: str, rows: Sequence[Sequence[Entry]]) -> Table:
    """Make a table of the most frequent reasons; the data file has all."""
    columns = [Column(first), Column("reason"), Column("attempts", COUNT)]
    return Table(name, intro, columns, rows, max_rows=_MOST_REASONS)


def _line(reason: str) -> str:
    line = " ".join(printable(reason).split()) or "not recorded"
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"


def count_finished(data: Results) -> int:
    """Count the attempts without an error, whatever their score."""
    return int(np.count_nonzero(~data.attempts.failed))
