"""How attempts ended, what failed and why, and what could not be scored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ansatz.experiments.report.evidence import missing_warnings
from ansatz.experiments.report.tables import COUNT, Column, Entry, Section, Table, read_notes
from ansatz.experiments.report.tabulation import Measure, Tally, system_rows
from ansatz.experiments.report.text import printable
from ansatz.experiments.results import Results, Subset

NOTES = read_notes(__name__)

_ENDS = ("answered", "truncated", "empty", "refused", "model_calls", "tool_calls", "tokens", "seconds")
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


def ends(subset: Subset) -> Counter[str]:
    """How many attempts of a system ended in each way."""
    attempts = subset.data.attempts
    return Counter("error" if attempts.error[row] else attempts.stop[row] for row in subset.rows.tolist())


def _lost_share(found: Counter[str]) -> float:
    """The share of truncated, empty or refused answers among the attempts without an error."""
    ended = found.total() - found["error"]
    return sum(found[each] for each in _LOST) / ended if ended else 0.0


def how_attempts_ended(data: Results) -> Section:
    """A table by system, with the warnings."""
    how = Tally(lambda row: ends(row.subset))
    known = {name for subset in data.subsets() for name in ends(subset)}
    shown = [name for name in (*_ENDS, "error") if name in known or name == "answered"]
    table = system_rows(data).table(
        "ended",
        "How attempts ended",
        how.count("attempts"),
        *(how.count(name, name) for name in shown),
        Measure(_LOST_IN_WORDS, lambda row: _lost_share(ends(row.subset))),
    )
    return Section("How attempts ended", findings=warnings(data), tables=[table], notes=(NOTES["ended"],))


def how_answers_were_read(data: Results) -> Section | None:
    """The share of values read from the form that was asked for, elsewhere in the text, and not at all."""
    how = Tally(lambda row: Counter(_read(data, row.subset)))
    shares = [how.share(name, kind) for name, kind in _READ.items()]
    rows = system_rows(data).where(lambda row: how(row).total())
    if not rows.rows:
        return None
    table = rows.table("read", "Where values were read", how.count("values"), *shares)
    return Section("How answers were read", tables=[table], notes=(NOTES["read"],))


def _read(data: Results, subset: Subset) -> Iterator[str | None]:
    """From where each value of a system's answers was read, as the outcome's details say."""
    for found in data.read_evidence(subset.rows[~data.attempts.failed[subset.rows]].tolist()):
        for _, details in found.values():
            targets = details.get("targets", {}).values()
            yield from (target["read"] for target in targets if "read" in target)


def warnings(data: Results) -> list[str]:
    """What a reader has to know first: answers without content, then arms that are scored less often."""
    counts = {(each.system.model, each.system.arm): ends(each) for each in data.subsets() if len(each.rows)}
    return [*lost_answers(counts), *missing_warnings(data)]


def lost_answers(counts: Mapping[tuple[str, str], Counter[str]]) -> list[str]:
    """A warning for each model that loses many answers, or more in one arm than in another.

    `counts` has the attempts by stop reason for each model and arm. Lost answers are truncated, empty or
    refused.
    """
    lines = []
    models = list(dict.fromkeys(model for model, _ in counts))
    for model in models:
        arms = {arm: found for (name, arm), found in counts.items() if name == model}
        shares = {arm: _lost_share(found) for arm, found in arms.items()}
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


def reasons_of_failure(data: Results) -> Counter[str]:
    """How many attempts failed for each reason, in a line."""
    return Counter(_line(reason) for reason in data.attempts.error if reason)


def errors(data: Results) -> Section | None:
    """One line per reason of failure; None where nothing failed."""
    counts = reasons_of_failure(data)
    where: defaultdict[str, set[str]] = defaultdict(set)
    for row in np.flatnonzero(data.attempts.failed).tolist():
        where[_line(data.attempts.error[row])].add(data.arms[data.attempts.arm[row]])
    rows: list[list[Entry]] = [
        [", ".join(sorted(where[reason])), reason, count] for reason, count in counts.most_common()
    ]
    intro = "These attempts carry no score. Running the study again tries them again."
    return Section("Errors", tables=[_reasons("errors", intro, "arms", rows)]) if counts else None


def unscored(data: Results) -> Section | None:
    """Why scorers could not tell, by dimension; None where they could throughout."""
    counts: Counter[tuple[str, str]] = Counter()
    scored = [each.name for each in data.dimensions if each.role != "resource"]
    missing = {name: np.isnan(data.values(name)) & ~data.attempts.failed for name in scored}
    rows = np.flatnonzero(np.any(list(missing.values()), axis=0)).tolist() if scored else []
    for row, found in zip(rows, data.read_evidence(rows), strict=True):
        for name in (name for name in scored if missing[name][row]):
            counts[name, _line(str(found[name][0] if name in found else "the scorer said nothing"))] += 1
    common = sorted(counts.items(), key=lambda each: (-each[1], scored.index(each[0][0])))
    intro = "The scorer could not tell, so these attempts are left out of the means of the dimension."
    lines: list[list[Entry]] = [[*place, count] for place, count in common]
    return Section("Unscored", tables=[_reasons("unscored", intro, "dimension", lines)]) if lines else None


def _reasons(name: str, intro: str, first: str, rows: Sequence[Sequence[Entry]]) -> Table:
    """The commonest reasons; the data file has all."""
    columns = [Column(first), Column("reason"), Column("attempts", COUNT)]
    return Table(name, intro, columns, rows, max_rows=_MOST_REASONS)


def _line(reason: str) -> str:
    line = " ".join(printable(reason).split()) or "not recorded"
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"


def finished(data: Results) -> int:
    """The attempts that came to an end, whatever they scored; errors are to be tried again."""
    return int(np.count_nonzero(~data.attempts.failed))
