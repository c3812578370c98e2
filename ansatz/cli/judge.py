"""`ansatz judge`: how far a judge can be trusted."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ansatz.cli.console import BAD_INPUT, AsJson, print_rows
from ansatz.knowledge_base.nearest import nearest

if TYPE_CHECKING:
    from ansatz.eval.agreement import Coefficient
    from ansatz.eval.judge_calibration import Calibration, DimensionCalibration, Method

app = typer.Typer(no_args_is_help=True, help="How far a judge can be trusted.")

_WEIGHTS = "quadratic for κ, ordinal for AC2"
_SHOWN = 20  # disagreements before the rest are only counted


@app.callback()
def judge() -> None:
    """How far a judge can be trusted."""


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
    from ansatz.eval.judge_calibration import agreement_on_order, groups_by_tag
    from ansatz.eval.judge_calibration import calibrate as compare
    from ansatz.eval.judge_labels import read_labels

    try:
        method = _method(scale, apart, weights)
        read = read_labels(labels, method.scale)
        found = compare(read, method)
        groups = groups_by_tag(read, by, method) if by else {}
    except ValueError as fault:
        _refuse(str(fault))
    if not found.dimensions:
        _refuse(f"{', '.join(map(str, labels))}: no answer has a score of both sides on any dimension")
    order = agreement_on_order(read, by) if by else None
    if as_json:
        extra = {
            "by": by,
            "groups": [asdict(each) for each in groups.values()],
            "order": order and asdict(order),
        }
        content = {"answers": len(read), "method": asdict(method), **asdict(found), **(extra if by else {})}
        print(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))
        return
    _print(found, len(read))
    if order:
        print()
        print_rows([_bias_row(by or "", each) for each in groups.values()], False)
        print(f"Order of {len(groups)} by judge and by people: ρ {_number(order.value)}")


def _print(found: Calibration, answers: int) -> None:
    every = (*found.dimensions, found.overall)
    print(
        f"{answers} answers. Agreement with 95 % intervals; people: AC2 among people where several scored.\n"
    )
    print_rows([_agreement_row(each) for each in every], False)
    print(
        "\nBias: judge − people; a difference between arms below `own error` may be the judge's bias alone.\n"
    )
    print_rows([_bias_row("dimension", each) for each in every], False)
    for warning in found.warnings:
        typer.echo(f"warning: {warning}", err=True)
    if not found.disagreements:
        return
    apart = len({each.answer_id for each in found.disagreements})
    print(f"\n{len(found.disagreements)} scores of {apart} answers are far from people's:")
    for each in found.disagreements[:_SHOWN]:
        human = ", ".join("–" if score is None else f"{score:g}" for score in each.human)
        print(f"  {each.answer_id}  {each.dimension}  judge {each.judge:g}, people {human}")
    if len(found.disagreements) > _SHOWN:
        print(f"  … and {len(found.disagreements) - _SHOWN} more (all with --json)")


def _agreement_row(one: DimensionCalibration) -> dict[str, Any]:
    return {
        "dimension": one.dimension,
        "n": one.answers,
        "weighted κ": _with_ends(one.kappa),
        "AC2": _with_ends(one.ac),
        "ρ": _number(one.rho.value),
        "exact": _number(one.agreement.full if one.agreement else None, ".0%"),
        "people": _number(one.people.value),
    }


def _bias_row(first: str, one: DimensionCalibration) -> dict[str, Any]:
    from ansatz.eval.prediction_powered import largest_bias

    rates, bias = one.leniency, one.bias
    return {
        first: one.dimension,
        "n": one.answers,
        "bias": _number(bias.estimate, "+.3f"),
        "95 % interval": _ends(bias.low, bias.high, "+.3f"),
        "own error": _number(largest_bias(bias.low, bias.high), ".3f"),
        "lenient": _number(rates.lenient if rates else None, ".0%"),
        "correct": _number(rates.correct if rates else None, ".0%"),
        "strict": _number(rates.strict if rates else None, ".0%"),
    }


def _with_ends(found: Coefficient) -> str:
    ends = _ends(found.low, found.high, ".2f")
    return _number(found.value) + (f" ({ends})" if found.low is not None else "")


def _ends(low: float | None, high: float | None, form: str) -> str:
    return "–" if low is None else f"{_number(low, form)} … {_number(high, form)}"


def _number(value: float | None, form: str = ".2f") -> str:
    return "–" if value is None else f"{value:{form}}".replace("-", "−")


def _method(scale: str, apart: float, weights: str | None) -> Method:
    from ansatz.eval.agreement import WEIGHTINGS
    from ansatz.eval.judge_calibration import Method

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


def _refuse(problem: str) -> NoReturn:
    for line in problem.split("\n"):
        typer.echo(f"ansatz: {line}", err=True)
    raise typer.Exit(BAD_INPUT)
