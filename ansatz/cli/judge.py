"""`ansatz judge`: measure how far a judge's scores can be trusted."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ansatz.cli.console import AsJson, console, print_json, print_warnings
from ansatz.errors import BadInput
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ansatz.eval.calibration import Label, Method
    from ansatz.experiments.report.tables import Table

app = typer.Typer(no_args_is_help=True, help="Measure how far a judge's scores can be trusted.")

_WEIGHTS = "quadratic for κ, ordinal for AC2"
_WIDTH = 100  # characters of a table


def _refuse_old_name(value: float | None) -> None:
    if value is not None:
        raise BadInput("--apart: this option is now --min-gap")


@app.command()
def calibrate(
    labels: Annotated[
        list[Path],
        typer.Argument(help="JSONL with answer_id, human, judge; several files are joined by answer_id."),
    ],
    scale: Annotated[str, typer.Option(help="The points of the scale, in rising order.")] = "0,1,2",
    min_gap: Annotated[float, typer.Option(help="List scores that differ by at least this much.")] = 2.0,
    by: Annotated[str | None, typer.Option(help="Also compare within each value of this tag.")] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            help="Weights of κ and AC2: identity, linear, quadratic or ordinal.", show_default=_WEIGHTS
        ),
    ] = None,
    run: Annotated[
        Path | None, typer.Option(help="A run: adds its scores of the answers that `ansatz label` drew.")
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", help="NAME=FILE with a judge's scores; repeat it for each judge."),
    ] = None,
    as_json: AsJson = False,
    apart: Annotated[
        float | None, typer.Option("--apart", hidden=True, callback=_refuse_old_name, expose_value=False)
    ] = None,
) -> None:
    """Compare a judge's scores with human scores of the same answers, by dimension.

    Each annotator may have a separate file. The judge's scores may be in another file, such as the output of
    `ansatz score --json`. With --judge, several judges are compared on the answers that all of them scored,
    the best judge first.
    """
    from ansatz.experiments.report.summary import rendered

    if by and judge:
        raise BadInput("--by compares one judge; leave it out, or pass that judge's file with the labels")
    try:
        method = _parse_method(scale, min_gap, weights)
        judges = dict(map(_parse_judge, judge or []))
        if len(judges) < len(judge or []):
            raise ValueError("--judge: two judges have the same name")
        if judges:
            compared = _compare_judges(labels, judges, method)
        else:
            compared = _compare_judge(_read(labels, run, method), labels, by, method)
    except ValueError as fault:
        raise BadInput(str(fault)) from fault
    if as_json:
        print_json(compared.content)
        return
    print(f"{compared.content['answers']} answers.")
    for table in compared.tables:
        console().print(*rendered(table, _WIDTH), sep="\n")
    print_warnings(compared.warnings, "warning: ")


class _Compared(NamedTuple):
    content: dict[str, Any]
    """The result as JSON."""
    tables: list[Table]
    warnings: tuple[str, ...] = ()


def _read(files: list[Path], run: Path | None, method: Method) -> tuple[Label, ...]:
    """Read labels; with a run, they get its scores of the same answers."""
    from ansatz.eval.calibration import read_labels

    labels = read_labels(files, method.scale)
    if run is None:
        return labels
    from ansatz.experiments.labelling.answers import attach_labels, fill_judge
    from ansatz.experiments.ledger.stored_results import read_results

    results = read_results(run)
    return fill_judge(results, attach_labels(results, run, labels))


def _compare_judge(
    scored: tuple[Label, ...], labels: list[Path], by: str | None, method: Method
) -> _Compared:
    """Compare one judge by dimension and, optionally, by the values of a tag."""
    from ansatz.eval.calibration import calibrate, calibrate_by_tag, rank_correlation
    from ansatz.experiments.report.judge_tables import bias_table, calibration_tables
    from ansatz.experiments.report.tables import COEFFICIENT

    calibration = calibrate(scored, method)
    groups = list(calibrate_by_tag(scored, by, method).values()) if by else []
    if not calibration.dimensions:
        files = ", ".join(map(str, labels))
        hint = "" if scored[0].tags else "; --run RUN adds the scores of a run"
        missing = "no answer has a judge's score and a human score on the same dimension"
        raise ValueError(f"{files}: {missing}{hint}")
    content = {"answers": len(scored), "method": asdict(method), **_to_fields(calibration)}
    tables = list(calibration_tables(calibration))
    if by:
        order = rank_correlation(scored, by)
        content |= {"by": by, "groups": list(map(_to_fields, groups)), "order": _to_fields(order)}
        rho = COEFFICIENT.show(order.value)
        caption = f"By {by}; order of the {len(groups)} values by judge and by annotators: ρ {rho}."
        tables.append(bias_table(by, groups, caption))
    return _Compared(content, tables, calibration.warnings)


def _compare_judges(labels: list[Path], judges: Mapping[str, Path], method: Method) -> _Compared:
    """Compare several judges on the same answers."""
    from ansatz.eval.calibration import compare_judges, read_labels
    from ansatz.experiments.report.judge_tables import judge_tables

    scored = {name: read_labels([*labels, file], method.scale) for name, file in judges.items()}
    comparison = compare_judges(scored, method)
    content = {"method": asdict(method), **_to_fields(comparison)}
    return _Compared(content, list(judge_tables(comparison)))


def _to_fields(result: Any) -> dict[str, Any]:
    """Convert a result to plain fields, without the family totals behind its intervals."""
    return asdict(
        result, dict_factory=lambda pairs: {name: value for name, value in pairs if name != "totals"}
    )


def _parse_judge(argument: str) -> tuple[str, Path]:
    name, equals, file = argument.partition("=")
    if not (name and equals and file):
        raise ValueError(f"--judge: {argument!r} is not NAME=FILE, such as first=first.jsonl")
    return name, Path(file)


def _parse_method(scale: str, min_gap: float, weights: str | None) -> Method:
    from ansatz.eval.calibration import Method
    from ansatz.eval.statistics.agreement import WEIGHTINGS

    try:
        points = tuple(float(part) for part in scale.split(","))
    except ValueError:
        points = ()
    if len(points) < 2 or not all(map(math.isfinite, points)) or list(points) != sorted(set(points)):
        raise ValueError(f"--scale: {scale!r} is not a rising list of numbers such as 0,1,2")
    if weights is None:
        return Method(scale=points, min_gap=min_gap)
    weightings = {name: name for name in WEIGHTINGS}  # typed names
    if weights not in weightings:
        raise ValueError(f"--weights: {weights!r} is not valid{nearest(weights, WEIGHTINGS)}")
    weighting = weightings[weights]
    return Method(scale=points, min_gap=min_gap, kappa_weights=weighting, ac_weights=weighting)
