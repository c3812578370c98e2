"""`ansatz judge`: how far a judge can be trusted."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ansatz.cli.console import AsJson, BadInput, console, print_json, tell
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    from ansatz.eval.calibration import Method

app = typer.Typer(no_args_is_help=True, help="How far a judge can be trusted.")

_WEIGHTS = "quadratic for κ, ordinal for AC2"
_WIDTH = 100  # characters of a table


@app.command()
def calibrate(
    labels: Annotated[
        list[Path],
        typer.Argument(help="JSONL with answer_id, human, judge; several files are joined by answer_id."),
    ],
    scale: Annotated[str, typer.Option(help="The scores that exist, from low to high.")] = "0,1,2",
    apart: Annotated[float, typer.Option(help="List scores at least so far from each other.")] = 2.0,
    by: Annotated[str | None, typer.Option(help="Compare within each value of this tag, too.")] = None,
    weights: Annotated[
        str | None,
        typer.Option(help="Of κ and AC2: identity, linear, quadratic or ordinal.", show_default=_WEIGHTS),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare a judge's scores with people's on the same answers, dimension by dimension.

    Each rater may have a file, and the judge's scores may be in another, also from `ansatz score --json`.
    """
    from ansatz.eval.calibration import agreement_on_order, groups_by_tag, read_labels
    from ansatz.eval.calibration import calibrate as compare
    from ansatz.eval.views import COEFFICIENT
    from ansatz.experiments.report.judge_choice import bias_table, calibration_tables
    from ansatz.experiments.report.summary import rendered

    try:
        method = _method(scale, apart, weights)
        read = read_labels(labels, method.scale)
        found = compare(read, method)
        groups = groups_by_tag(read, by, method) if by else {}
    except ValueError as fault:
        raise BadInput(str(fault)) from fault
    if not found.dimensions:
        raise BadInput(f"{', '.join(map(str, labels))}: no answer has a score of both sides on any dimension")
    order = agreement_on_order(read, by) if by else None
    if as_json:
        extra = {
            "by": by,
            "groups": [_fields(each) for each in groups.values()],
            "order": order and _fields(order),
        }
        content = {"answers": len(read), "method": asdict(method), **_fields(found), **(extra if by else {})}
        print_json(content)
        return
    tables = list(calibration_tables(found))
    if order:
        caption = (
            f"By {by}; order of {len(groups)} by judge and by people: ρ {COEFFICIENT.show(order.value)}."
        )
        tables.append(bias_table(by or "", groups.values(), caption))
    print(f"{len(read)} answers.")
    for table in tables:
        console().print(*rendered(table, _WIDTH), sep="\n")
    tell(found.warnings, "warning: ")


def _fields(found: Any) -> dict[str, Any]:
    """A result as plain fields, without the sums of families that its intervals were drawn from."""
    return asdict(found, dict_factory=lambda pairs: {key: each for key, each in pairs if key != "totals"})


@app.command()
def choose(
    people: Annotated[
        list[Path], typer.Option("--people", help="JSONL with answer_id and human; one file for each person.")
    ],
    judges: Annotated[
        list[str],
        typer.Option("--judge", help="NAME=FILE with answer_id and judge; give it once for every judge."),
    ],
    rubric: Annotated[
        str | None,
        typer.Option(help="Weigh criteria by the points of a rubric: prefs.", show_default="equal"),
    ] = None,
    tolerance: Annotated[
        float, typer.Option(help="Points by which a right sum may differ from people's.")
    ] = 0.5,
    out: Annotated[
        Path | None, typer.Option("--out", help="A folder for judges.md with its tables and figure.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare several judges on the answers that people scored, and choose one.

    Scores are 0, 1 or 2. Only answers that every judge scored count. Chosen is the judge that is right most
    often on a whole answer.
    """
    from ansatz.eval.calibration import choose as compare
    from ansatz.eval.calibration import read_labels
    from ansatz.experiments.report.judge_choice import page
    from ansatz.experiments.report.text import chapter_json, chapter_markdown
    from ansatz.experiments.report.write import write_chapter

    try:
        points = _points(rubric)
        labels = {name: read_labels([*people, file]) for name, file in map(_named, judges)}
        if len(labels) < len(judges):
            raise ValueError("--judge: two judges have the same name")
        chapter = page(compare(labels, points, tolerance=tolerance))
    except ValueError as fault:
        raise BadInput(str(fault)) from fault
    text = "\n\n".join(chapter_markdown(chapter)) + "\n"
    if out:
        write_chapter(chapter, out / chapter.name)
        (out / "judges.md").write_text(text, encoding="utf-8")
    if as_json:
        print_json(chapter_json(chapter))
    else:
        print(f"Written: {out / 'judges.md'}" if out else text.strip())


def _named(given: str) -> tuple[str, Path]:
    name, equals, file = given.partition("=")
    if not (name and equals and file):
        raise ValueError(f"--judge: {given!r} is not NAME=FILE, such as first=first.jsonl")
    return name, Path(file)


def _points(rubric: str | None) -> dict[str, float]:
    """What each criterion is worth for one mark: its points over the two marks that earn them."""
    if rubric is None:
        return {}
    if rubric != "prefs":
        raise ValueError(f"--rubric: {rubric!r} is not valid{nearest(rubric, ['prefs'])}")
    from ansatz.eval.benchmarks.physbench.prefs_rubric import CONCEPTUAL, FULL, PROBLEM_SOLVING

    return {each.name: each.points / FULL for each in (*CONCEPTUAL, *PROBLEM_SOLVING)}


def _method(scale: str, apart: float, weights: str | None) -> Method:
    from ansatz.eval.calibration import Method
    from ansatz.eval.statistics.agreement import WEIGHTINGS

    try:
        values = tuple(float(part) for part in scale.split(","))
    except ValueError:
        values = ()
    if len(values) < 2 or not all(map(math.isfinite, values)) or list(values) != sorted(set(values)):
        raise ValueError(f"--scale: {scale!r} is not a rising list of numbers such as 0,1,2")
    if weights is None:
        return Method(scale=values, apart=apart)
    known = {name: name for name in WEIGHTINGS}
    if weights not in known:
        raise ValueError(f"--weights: {weights!r} is not valid{nearest(weights, WEIGHTINGS)}")
    return Method(scale=values, apart=apart, kappa_weights=known[weights], ac_weights=known[weights])
