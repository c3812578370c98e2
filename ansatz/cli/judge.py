"""`ansatz judge`: how far a judge can be trusted."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from ansatz.cli.console import AsJson, BadInput, console, print_json, tell
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ansatz.eval.calibration import Method
    from ansatz.eval.views import Table

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
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", help="NAME=FILE with a judge's scores; give it once for every judge."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare a judge's scores with people's on the same answers, dimension by dimension.

    Each rater may have a file, and the judge's scores may be in another, also from `ansatz score --json`.
    With --judge several judges are compared on the answers that all of them scored, the best first.
    """
    from ansatz.experiments.report.summary import rendered

    if by and judge:
        raise BadInput("--by is for one judge; leave it out, or give one of the files beside the labels")
    try:
        method = _method(scale, apart, weights)
        several = dict(map(_named, judge or []))
        if len(several) < len(judge or []):
            raise ValueError("--judge: two judges have the same name")
        content, tables, warnings = _several(labels, several, method) if several else _one(labels, by, method)
    except ValueError as fault:
        raise BadInput(str(fault)) from fault
    if as_json:
        print_json(content)
        return
    print(f"{content['answers']} answers.")
    for table in tables:
        console().print(*rendered(table, _WIDTH), sep="\n")
    tell(warnings, "warning: ")


Found: TypeAlias = "tuple[dict[str, Any], list[Table], tuple[str, ...]]"
"""What a comparison came to: for programs, for people, and what to mind."""


def _one(labels: list[Path], by: str | None, method: Method) -> Found:
    """One judge by dimension, and by the values of a tag."""
    from ansatz.eval.calibration import agreement_on_order, groups_by_tag, read_labels
    from ansatz.eval.calibration import calibrate as compare
    from ansatz.eval.views import COEFFICIENT
    from ansatz.experiments.report.judge_tables import bias_table, calibration_tables

    read = read_labels(labels, method.scale)
    found = compare(read, method)
    groups = list(groups_by_tag(read, by, method).values()) if by else []
    if not found.dimensions:
        raise ValueError(
            f"{', '.join(map(str, labels))}: no answer has a score of both sides on any dimension"
        )
    content = {"answers": len(read), "method": asdict(method), **_fields(found)}
    tables = list(calibration_tables(found))
    if by:
        order = agreement_on_order(read, by)
        content |= {"by": by, "groups": list(map(_fields, groups)), "order": _fields(order)}
        told = f"By {by}; order of {len(groups)} by judge and by people: ρ {COEFFICIENT.show(order.value)}."
        tables.append(bias_table(by, groups, told))
    return content, tables, found.warnings


def _several(labels: list[Path], judges: Mapping[str, Path], method: Method) -> Found:
    """Several judges side by side."""
    from ansatz.eval.calibration import compare_judges, read_labels
    from ansatz.experiments.report.judge_tables import judge_tables

    read = {name: read_labels([*labels, file], method.scale) for name, file in judges.items()}
    found = compare_judges(read, method)
    content = {"method": asdict(method), **_fields(found)}
    return content, list(judge_tables(found)), ()


def _fields(found: Any) -> dict[str, Any]:
    """A result as plain fields, without the sums of families that its intervals were drawn from."""
    return asdict(found, dict_factory=lambda pairs: {key: each for key, each in pairs if key != "totals"})


def _named(given: str) -> tuple[str, Path]:
    name, equals, file = given.partition("=")
    if not (name and equals and file):
        raise ValueError(f"--judge: {given!r} is not NAME=FILE, such as first=first.jsonl")
    return name, Path(file)


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
