"""A comparison as text: for a terminal, and as Markdown for a pull request."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ansatz.experiments.comparing.changes import Change, list_changes
from ansatz.experiments.comparing.verdicts import LEVEL, ComparedRuns, ComparisonVerdict

Show = Callable[[str], str]

_MOST_NAMED = 3
_NEAR = 1e-9
_WIDTH = 140  # characters
_MOST_CHANGES = 5
_MOST_FOLDED = 50
_HEADLINES = {
    1: "Worse",
    3: "Cannot tell",
    0: "Nothing is worse",
}
_HEADS = ("arm", "dimension", "A", "B", "change", "verdict")


def to_text(found: ComparedRuns) -> str:
    """Return the comparison as a table with notes, for a terminal."""
    import io

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*_HEADS, box=None, pad_edge=False)
    for row in _rows(found):
        table.add_row(*map(Text, row))
    screen = Console(file=io.StringIO(), width=_WIDTH, record=True, force_jupyter=False, markup=False)
    screen.print(table)
    lines = [line.rstrip() for line in screen.export_text().rstrip().splitlines()]
    changed = _list_changes(found)
    return "\n".join([make_title(found), "", *lines, "", *changed, *[""] * bool(changed), *list_notes(found)])


def _list_changes(found: ComparedRuns) -> list[str]:
    """List the problems that changed most, as lines for a terminal."""
    changes = list_changes(found)
    if not changes:
        return []
    lines = [
        f"  {each.problem} ({name_system(found, each.model, each.arm)}): {each.show()}"
        for each in changes[:_MOST_CHANGES]
    ]
    more = len(changes) - len(lines)
    return [_describe_changes(found, changes), *lines, *[f"  and {more:,} more"] * bool(more)]


def _describe_changes(found: ComparedRuns, changes: Sequence[Change]) -> str:
    lost = sum(each.gain < 0 for each in changes)
    counts = f"{lost:,} worse, {len(changes) - lost:,} better"
    return f"{len(changes):,} scores of {found.deciding[0]} changed: {counts}"


def _fold_changes(found: ComparedRuns) -> str:
    """Return the problems that changed most as a table that GitHub shows folded."""
    changes = list_changes(found)
    if not changes:
        return ""
    rows = "\n".join(
        f"| {quote(each.problem)} | {quote(name_system(found, each.model, each.arm))} | {each.show()} |"
        for each in changes[:_MOST_FOLDED]
    )
    more = len(changes) - _MOST_FOLDED
    left = f"\n\nand {more:,} more" if more > 0 else ""
    head = f"<details><summary>{_describe_changes(found, changes)}</summary>"
    return f"{head}\n\n| problem | arm | A → B |\n| --- | --- | ---: |\n{rows}{left}\n\n</details>\n\n"


def to_markdown(found: ComparedRuns) -> str:
    """Return the comparison as Markdown, for the comment on a pull request."""
    rule = ["---", "---", "---:", "---:", "---:", "---"]
    rows = []
    for name, dimension, *numbers, verdict in _rows(found):
        shown = f"**{verdict}**" if verdict.startswith("worse") else verdict
        rows.append([quote(name), dimension.replace("|", "\\|"), *numbers, shown])
    table = "\n".join(f"| {' | '.join(line)} |" for line in [_HEADS, rule, *rows])
    notes = "\n".join(f"- {each}" for each in list_notes(found, quote))
    return f"### {make_title(found, quote)}\n\n{table}\n\n{_fold_changes(found)}{notes}\n"


def quote(name: str) -> str:
    """Show a name in Markdown as code: it then mentions no one, links nowhere and is no HTML."""
    return f"`{name.replace('`', chr(39)).replace('|', '¦')}`"


def _plain(name: str) -> str:
    return name


def make_title(found: ComparedRuns, show: Show = _plain) -> str:
    """Return the verdict of a comparison in one line."""
    counted = Counter[str](each.verdict for each in found.verdicts)
    words = {"worse": "worse", "cannot_tell": "cannot tell", "no_worse": "no worse", "better": "better"}
    counts = ", ".join(f"{counted[kind]} {text}" for kind, text in words.items() if counted[kind])
    return f"{_HEADLINES[found.status]}: {show(found.b.name)} compared with {show(found.a.name)} ({counts})"


def _rows(found: ComparedRuns) -> Iterator[Sequence[str]]:
    for each in found.verdicts:
        scale = each.dimension.scale
        name = name_system(found, each.model, each.arm)
        change = scale.show_change(each.estimate)
        if each.low is not None and each.high is not None:
            change += f" [{scale.show_end(each.low)}, {scale.show_end(each.high)}]"
        means = map(scale.show, each.means)
        yield (name, f"{each.dimension.name} ({scale.name})", *means, change, describe_verdict(each))


def name_system(found: ComparedRuns, model: tuple[str, str], arm: tuple[str, str]) -> str:
    """Name a model and an arm. The model is left out if there is only one, with one name in both runs."""
    several = len({own for own, _ in found.pairing.systems}) > 1
    return f"{_join(model)}, {_join(arm)}" if several or model[0] != model[1] else _join(arm)


def _join(names: tuple[str, str]) -> str:
    return names[1] if names[0] == names[1] else f"{names[0]} → {names[1]}"


def describe_verdict(found: ComparisonVerdict) -> str:
    """Return the verdict with its bound or, if there is none, what would give one."""
    scale = found.dimension.scale
    rises = found.dimension.better == "higher"
    worst, best = (found.least, found.most) if rises else (found.most, found.least)
    if found.is_unchanged and found.verdict == "no_worse":
        return "no worse: unchanged"
    if found.verdict == "no_worse":
        return f"no worse than {scale.show_size(found.margin)} (bound {scale.show_end(worst)})"
    if found.verdict == "worse":
        return f"worse, by at least {scale.show_size(best)}"
    if found.verdict == "better":
        return f"better, by at least {scale.show_size(worst)}"
    if found.further is not None:
        return f"cannot tell; about {found.further:,} further problems would decide"
    if found.margin is None and worst is not None and best is not None:
        low, high = sorted((worst, best))
        return f"cannot tell without a margin (bounds {scale.show_end(low)}, {scale.show_end(high)})"
    return "cannot tell"


def list_notes(found: ComparedRuns, show: Show = _plain) -> list[str]:
    """List what a reader has to know besides the table. `show` formats names."""
    return [
        *_note_incomplete(found, show),
        *_note_pairs(found, show),
        *_note_levels(found, show),
        *_note_changes(found, show),
        _METHOD,
    ]


_METHOD = (
    "Change: mean of B − A over the paired problems, with the two-sided 95 % interval of reports. Verdicts "
    "use one-sided 95 % bounds. Intervals and verdicts hold for all rows at once."
)


def _note_incomplete(found: ComparedRuns, show: Show) -> Iterator[str]:
    for side, run in (("A", found.a), ("B", found.b)):
        if not run.is_complete:
            yield (
                f"{side} ({show(run.name)}) is incomplete: {run.finished:,} of {run.planned:,} attempts were "
                "tried. There is no verdict until both runs are complete."
            )
    if simulated := sorted({*found.a.simulated, *found.b.simulated}):
        listed = ", ".join(map(show, simulated))
        yield f"Simulated: {listed} is a rule-based program, not a language model."


def _note_pairs(found: ComparedRuns, show: Show) -> Iterator[str]:
    problems = found.pairing.problems
    families = len({found.b.problems[id].family for id in problems})
    yield f"{len(problems):,} problems in {families:,} families are in both runs."
    reasons: dict[tuple[str, str], list[str]] = {}
    for each in found.unpaired:
        reasons.setdefault((each.kind, each.reason), []).append(each.name)
    for (kind, reason), names in reasons.items():
        listed = ", ".join(map(show, names[:_MOST_NAMED]))
        more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
        counted = f"one {kind}" if len(names) == 1 else f"{len(names):,} {kind}s"
        yield f"Not paired: {counted}, {reason}: {listed}{more}."
    alone: dict[tuple[int, int], list[str]] = {}
    for verdict in found.verdicts:
        if any(verdict.one_run_only):
            place = f"{verdict.dimension.name} of {show(_join(verdict.arm))}"
            alone.setdefault(verdict.one_run_only, []).append(place)
    for (only_a, only_b), places in alone.items():
        yield (
            f"{', '.join(dict.fromkeys(places))}: {only_a:,} problems have a score only in A, "
            f"{only_b:,} only in B; they are in no pair."
        )


def _note_levels(found: ComparedRuns, show: Show) -> Iterator[str]:
    """Name the arms that interim analyses ended, with their level."""
    levels = {
        name_system(found, each.model, each.arm): each.level
        for each in found.verdicts
        if each.pairs and each.level > LEVEL + _NEAR
    }
    if levels:
        shown = {name: math.floor(level * 1e5) / 1e3 for name, level in levels.items()}  # never 100 %
        listed = ", ".join(f"{show(name)} {level:g} %" for name, level in shown.items())
        yield (
            "Interim analyses could stop these arms early, so their intervals and verdicts have the level of "
            f"the analysis that ended them instead of 95 %: {listed}."
        )


def _note_changes(found: ComparedRuns, show: Show) -> Iterator[str]:
    """Name the models and arms whose identity differs."""
    a, b = found.a, found.b
    changed: dict[str, None] = {}
    is_known = True
    for model, arm in found.pairing.systems:
        for kind, (old, new), olds, news in (
            ("model", model, a.models, b.models),
            ("arm", arm, a.arms, b.arms),
        ):
            is_known &= bool(olds[old] and news[new])
            if olds[old] != news[new]:
                changed[f"{kind} {show(_join((old, new)))}"] = None
    if changed:
        yield f"Changed between A and B: {', '.join(changed)}."
    elif is_known:
        yield "Nothing that can change an answer differs between A and B: same models, arms and problems."
