"""report.md: what was compared, what moved, and how much of it could not be scored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from ansatz.experiments.report.scale import is_rubric, scale_of, show_p
from ansatz.experiments.report.section_text import chapter_markdown
from ansatz.experiments.report.table import Comparison, Mean, ReportData, compare, mean_of, tag_values

_BREAKDOWN_TAGS = ("domain", "level", "task_type", "tier", "category", "difficulty", "fluid")
_HEADLINES = ("outcome", "exact", "kpi", "published", "strict")  # dimensions to break down, best first
_MOST_REASONS = 20
_LONGEST_REASON = 200


def to_markdown(data: ReportData) -> str:
    sections = [f"# {data.title}", _warning(data), _overview(data)]
    for chapter in data.chapters:
        sections += chapter_markdown(chapter)
    sections.append("![Deltas](deltas.png)")
    for model in data.models:
        sections += [f"## {model}", _findings(data, model)]
        for title, dimensions in _column_groups(data):
            sections += [f"### {title}: difference from {data.baseline}", _deltas(data, model, dimensions)]
            sections += [f"### {title}: means", _means(data, model, dimensions)]
        sections += _breakdowns(data, model)
    sections += [_failures(data), _unscored(data), _method(data)]
    return "\n\n".join(section for section in sections if section) + "\n"


def _warning(data: ReportData) -> str:
    if not data.simulated:
        return ""
    return (
        f"> **Simulated.** {_listed(sorted(data.simulated))} is a rule-based offline solver, not a language "
        "model. Its results show that the measurement works; they are no claim about language models."
    )


def _overview(data: ReportData) -> str:
    problems = {cell.problem: cell.family for cell in data.cells}
    attempts = {(c.model, c.arm, c.problem, c.repeat): c.state == "error" for c in data.cells}
    failed = sum(attempts.values())
    repeats = len({cell.repeat for cell in data.cells})
    lines = [
        f"{_count(len(problems), 'problem')} of {_count(len(set(problems.values())), 'family')}, "
        f"{_count(len(data.arms), 'arm')}, {_count(repeats, 'repeat')}: {data.finished} of "
        f"{data.planned} attempts finished, {failed} failed."
    ]
    if data.finished < data.planned:
        lines.append("**The run is not complete**; resume it with `ansatz run`.")
    return "\n\n".join([" ".join(lines), *data.notes])


def _findings(data: ReportData, model: str) -> str:
    """What a reader in a hurry wants: the changes that luck does not explain, largest first."""
    lines = []
    for arm in data.treatments:
        moved = [row for row in _rows(data, model, data.quality, arm) if row.is_significant]
        moved.sort(key=lambda row: -abs(row.delta.estimate or 0.0))
        listed = "; ".join(f"{row.dimension} {_interval(row)}" for row in moved)
        lines.append(f"- **{arm}**: {listed or 'nothing'}")
    return "\n".join([f"Moved against {data.baseline} by more than luck explains:", "", *lines])


def _column_groups(data: ReportData) -> list[tuple[str, list[str]]]:
    groups = [
        ("Outcome", [name for name in data.quality if not is_rubric(name)]),
        ("Rubric", [name for name in data.quality if is_rubric(name)]),
        ("Resources", list(data.resources)),
    ]
    return [(title, dimensions) for title, dimensions in groups if dimensions]


def _deltas(data: ReportData, model: str, dimensions: Sequence[str]) -> str:
    rows = []
    for arm in data.treatments:
        rows.append([arm, *(_delta_cell(row) for row in _rows(data, model, dimensions, arm))])
    return _table(["arm", *map(_heading, dimensions)], rows)


def _delta_cell(row: Comparison) -> str:
    shown = f"**{_interval(row)}**" if row.is_significant else _interval(row)
    return f"{shown}<br>p {show_p(row.p_holm)}, n {row.delta.pairs}, dropped {row.delta.dropped}"


def _interval(row: Comparison) -> str:
    scale, delta = scale_of(row.dimension), row.delta
    if delta.low is None or delta.high is None:
        return scale.show_change(delta.estimate)
    low, high = scale.show_change(delta.low), scale.show_change(delta.high)
    return f"{scale.show_change(delta.estimate)} [{low}, {high}]"


def _means(data: ReportData, model: str, dimensions: Sequence[str]) -> str:
    rows = []
    for arm in data.arms:
        means = [mean_of(data.grouped.get((model, arm, dimension), [])) for dimension in dimensions]
        cells = [_mean_cell(dimension, mean) for dimension, mean in zip(dimensions, means, strict=True)]
        rows.append([arm, *cells])
    return "Mean (scored / unscored / errors).\n\n" + _table(["arm", *map(_heading, dimensions)], rows)


def _mean_cell(dimension: str, mean: Mean) -> str:
    return f"{scale_of(dimension).show(mean.value)} ({mean.scored} / {mean.unscored} / {mean.errors})"


def _breakdowns(data: ReportData, model: str) -> list[str]:
    """Baseline mean and differences for each value of a tag, on the most telling dimensions of the run."""
    dimensions = [name for name in _HEADLINES if name in data.quality][:3]
    sections = []
    for tag in _BREAKDOWN_TAGS:
        values = sorted({value for tags in data.tags.values() for value in tag_values(tags.get(tag, ()))})
        parts = {value: data.tagged(tag, value) for value in values}
        for dimension in dimensions if len(values) > 1 else []:
            rows = [[value, *_part(part, model, dimension)] for value, part in parts.items()]
            sections.append(f"### {_heading(dimension)} by {tag.replace('_', ' ')}")
            sections.append(
                "Mean of the baseline (attempts), then differences; these are not adjusted for their number."
            )
            sections.append(_table([tag.replace("_", " "), *data.arms], rows))
    return sections


def _part(part: ReportData, model: str, dimension: str) -> list[str]:
    """The baseline's mean, then each arm's difference on a part of the problems."""
    cells = []
    for arm in part.arms:
        if arm == part.baseline:
            mean = mean_of(part.grouped.get((model, arm, dimension), []))
            asked = mean.scored + mean.unscored + mean.errors
            counts = f"{asked}" if mean.scored == asked else f"{mean.scored} of {asked}"
            cells.append(f"{scale_of(dimension).show(mean.value)} ({counts})")
        else:
            row = compare(part, model, arm, dimension)
            shown = f"**{_interval(row)}**" if row.is_clear else _interval(row)
            cells.append(f"{shown} n {row.delta.pairs}")
    return cells


def _failures(data: ReportData) -> str:
    """One line per reason; an attempt that failed counts once, whatever its number of dimensions."""
    attempts = {(c.model, c.arm, c.problem, c.repeat): c.reason for c in data.cells if c.state == "error"}
    if not attempts:
        return ""
    where: defaultdict[str, set[str]] = defaultdict(set)
    for (_, arm, _, _), reason in attempts.items():
        where[_line(reason)].add(arm)
    rows = [
        [_listed(sorted(where[reason])), reason, str(count)]
        for reason, count in Counter(map(_line, attempts.values())).most_common()
    ]
    intro = "These attempts carry no score. Running the study again tries them again."
    return "\n\n".join(["## Errors", intro, _reasons("arms", rows)])


def _unscored(data: ReportData) -> str:
    cells = [cell for cell in data.cells if cell.state == "unscored"]
    if not cells:
        return ""
    counted = Counter((cell.dimension, _line(cell.reason)) for cell in cells)
    rows = [[dimension, reason, str(count)] for (dimension, reason), count in counted.most_common()]
    intro = "The scorer could not tell, so these attempts are left out of the means of the dimension."
    return "\n\n".join(["## Unscored", intro, _reasons("dimension", rows)])


def _method(data: ReportData) -> str:
    return (
        "## How to read this\n\n"
        f"A difference is the mean over problems of arm − {data.baseline}, repeats averaged first, over the "
        "n problems scored in both; problems not scored in both are dropped. Brackets are "
        f"{data.level:.0%} intervals from {data.resamples} resamples of whole problem families (seed "
        f"{data.seed}), for shares and marks cut at the largest difference that is possible; p is from a "
        "sign-flip permutation test over families, adjusted after Holm for all arms and dimensions of a "
        "model (resources apart). **Bold** marks differences with an interval clear of zero and p < 0.05. "
        "KPI, outcome and shares are shown on a 0–100 scale, rubric dimensions G1–G8 on 0–2. "
        "In the figure, grey intervals include zero and filled circles have p < 0.05."
    )


def _rows(data: ReportData, model: str, dimensions: Sequence[str], arm: str) -> list[Comparison]:
    found = {r.dimension: r for r in data.comparisons if (r.model, r.arm) == (model, arm)}
    return [found[dimension] for dimension in dimensions]


def _heading(dimension: str) -> str:
    name = scale_of(dimension).name
    return name if name.startswith(dimension) else f"{dimension} ({name})"


def _reasons(first: str, rows: Sequence[Sequence[str]]) -> str:
    """The commonest reasons, and how many attempts have others."""
    left = sum(int(row[-1]) for row in rows[_MOST_REASONS:])
    shown = [*rows[:_MOST_REASONS], *([["…", "other reasons", str(left)]] if left else [])]
    return _table([first, "reason", "attempts"], shown, texts=2)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> str:
    """A Markdown table whose first `texts` columns are text and the others numbers."""
    rule = ["---"] * texts + ["---:"] * (len(header) - texts)
    lines = ([cell.replace("|", "\\|") for cell in line] for line in (header, rule, *rows))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(reason: str) -> str:
    line = " ".join(reason.split()) or "not recorded"
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _count(number: int, thing: str) -> str:
    plural = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    return f"{number} {thing if number == 1 else plural}"
