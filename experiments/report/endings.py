"""How attempts ended, what failed and why, and what could not be scored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from ansatz.eval.views import COUNT, Column, Cut, Entry, Results, Section, Table
from ansatz.eval.views.notes import notes
from ansatz.eval.views.tabulation import Measure, Tally, systems
from ansatz.experiments.report.evidence import missing_warnings
from ansatz.experiments.report.text import printable

NOTES = notes(__name__)

_ENDS = ("answered", "truncated", "empty", "refused", "model_calls", "tool_calls", "tokens", "seconds")
_LOST = ("truncated", "empty")
_NOTABLE = 0.02  # share of lost answers from which a difference between arms is warned of
_MOST_REASONS = 20
_LONGEST_REASON = 200
_READ = {"from the form": "form", "elsewhere": "text", "not at all": None}


def ends(cut: Cut) -> Counter[str]:
    """How many attempts of a system ended in each way."""
    attempts = cut.data.attempts
    return Counter("error" if attempts.error[row] else attempts.stop[row] for row in cut.rows.tolist())


def lost_share(cut: Cut) -> float:
    """The share of truncated or empty answers among those that came to an end."""
    found = ends(cut)
    ended = found.total() - found["error"]
    return sum(found[each] for each in _LOST) / ended if ended else 0.0


def how_attempts_ended(data: Results) -> Section:
    """A table by system, with a warning where lost answers differ between arms."""
    how = Tally(lambda row: ends(row.cut))
    known = {name for cut in data.cuts() for name in ends(cut)}
    shown = [name for name in (*_ENDS, "error") if name in known or name == "answered"]
    table = systems(data).table(
        "ended",
        "How attempts ended",
        how.count("attempts"),
        *(how.count(name, name) for name in shown),
        Measure("truncated or empty", lambda row: lost_share(row.cut)),
    )
    return Section("How attempts ended", findings=warnings(data), tables=[table], notes=(NOTES["ended"],))


def how_answers_were_read(data: Results) -> Section | None:
    """The share of values read from the form that was asked for, elsewhere in the text, and not at all."""
    how = Tally(lambda row: Counter(_read(data, row.cut)))
    shares = [how.share(name, kind) for name, kind in _READ.items()]
    rows = systems(data).where(lambda row: how(row).total())
    if not rows.rows:
        return None
    table = rows.table("read", "Where values were read", how.count("values"), *shares)
    return Section("How answers were read", tables=[table], notes=(NOTES["read"],))


def _read(data: Results, cut: Cut) -> Iterator[str | None]:
    """From where each value of a system's answers was read, as the outcome's details say."""
    for found in data.findings(cut.rows[~data.attempts.failed[cut.rows]].tolist()):
        for _, details in found.values():
            targets = details.get("targets", {}).values()
            yield from (target["read"] for target in targets if "read" in target)


def warnings(data: Results) -> list[str]:
    """What to know first: arms that lose more answers than others, or that are scored less often."""
    lines = missing_warnings(data)
    for model in data.models:
        shares = {c.system.arm: lost_share(c) for c in data.cuts() if c.system.model == model and len(c.rows)}
        if not shares:
            continue
        most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
        if shares[most] > _NOTABLE and shares[most] - shares[least] > _NOTABLE / 2:
            named = f"{model}: " if len(data.models) > 1 else ""
            lines.append(
                f"Warning: {named}{shares[most]:.0%} of the answers of {most} are truncated or empty, "
                f"{shares[least]:.0%} of {least}: what differs may be room "
                "to answer. Raise max_tokens."
            )
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
    for row, found in zip(rows, data.findings(rows), strict=True):
        for name in (name for name in scored if missing[name][row]):
            counts[name, _line(str(found[name][0] if name in found else "the scorer said nothing"))] += 1
    common = sorted(counts.items(), key=lambda each: (-each[1], scored.index(each[0][0])))
    intro = "The scorer could not tell, so these attempts are left out of the means of the dimension."
    lines: list[list[Entry]] = [[*place, count] for place, count in common]
    return Section("Unscored", tables=[_reasons("unscored", intro, "dimension", lines)]) if lines else None


def _reasons(name: str, intro: str, first: str, rows: Sequence[Sequence[Entry]]) -> Table:
    """The commonest reasons; the data file has all."""
    columns = [Column(first), Column("reason"), Column("attempts", COUNT)]
    return Table(name, intro, columns, rows, shown=_MOST_REASONS)


def _line(reason: str) -> str:
    line = " ".join(printable(reason).split()) or "not recorded"
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"


def finished(data: Results) -> int:
    """The attempts that came to an end, whatever they scored; errors are to be tried again."""
    return int(np.count_nonzero(~data.attempts.failed))
