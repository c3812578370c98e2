"""`ansatz data noise`: what damaged problems do to scores and ranks, from a run over `tps_noisy`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ansatz.cli.console import AsJson, print_rows

if TYPE_CHECKING:
    from ansatz.eval.score import Scale
    from ansatz.eval.statistics import PairedDelta
    from ansatz.experiments.noise import NoiseShifts, Solver


def noise(
    run: Annotated[Path, typer.Argument(help="The folder of a run over tps_noisy.")],
    dimension: Annotated[str, typer.Option("--dimension", help="The score to rank by.")] = "kpi",
    as_json: AsJson = False,
) -> None:
    """Compare sound problems with damaged ones: the shift of each score, and of ranks, clean minus noisy."""
    from ansatz.eval.benchmarks.validation import check_choices
    from ansatz.experiments.noise import noise_shifts
    from ansatz.experiments.results import read_results

    data = read_results(run)
    check_choices("--dimension", [dimension], data.dimensions)
    shifts = noise_shifts(data)
    if as_json:
        print(json.dumps([_as_json(each) for each in shifts], indent=2))
        return
    if simulated := sorted(data.simulated):
        print(f"{', '.join(simulated)}: simulated by a rule-based solver, not a language model\n")
    ranked = next(each for each in shifts if each.dimension == dimension)
    for rows in (_rank_rows(ranked), _dimension_rows(shifts), _kind_rows(ranked)):
        print_rows(rows, False)
        print()
    print("Differences are clean minus noisy with 95 % intervals; families of problems are resampled.")


def _rank_rows(shifts: NoiseShifts) -> list[dict[str, Any]]:
    """The sound items beside the whole set, as published tables have them."""
    from ansatz.experiments.report.scale import scale_of

    scale = scale_of(shifts.dimension)
    rows = []
    for solver, shift in shifts.sets.items():
        rank = shifts.ranks.get(solver)
        interval = f"{scale.show_change(shift.low)} … {scale.show_change(shift.high)}"
        rows.append(
            {
                shifts.dimension: _label(solver, shifts),
                "all": scale.show(shift.mixed),
                "sound": scale.show(shift.clean),
                "difference": f"{scale.show_change(shift.estimate)} ({interval})",
                "ranks": f"{rank.mixed} → {rank.clean}" if rank else "–",
                "kept": f"{rank.kept:.0%}" if rank else "–",
            }
        )
    return rows


def _dimension_rows(shifts: tuple[NoiseShifts, ...]) -> list[dict[str, Any]]:
    """Each damaged item against its original, by dimension."""
    from ansatz.experiments.report.scale import scale_of

    rows = []
    for each in shifts:
        scale = scale_of(each.dimension)
        deltas = {_label(solver, each): _shown(delta, scale) for solver, delta in each.paired.items()}
        rows.append({"pairs": each.dimension, **deltas})
    return rows


def _kind_rows(shifts: NoiseShifts) -> list[dict[str, Any]]:
    """The same for each kind of damage."""
    from ansatz.experiments.report.scale import scale_of

    scale = scale_of(shifts.dimension)
    rows = []
    for kind in dict.fromkeys(kind for found in shifts.by_kind.values() for kind in found):
        deltas = {
            _label(solver, shifts): _shown(found[kind], scale) for solver, found in shifts.by_kind.items()
        }
        rows.append({f"pairs: {shifts.dimension}": kind, **deltas})
    return rows


def _label(solver: Solver, shifts: NoiseShifts) -> str:
    """The arm, and the model where there are several."""
    return solver[1] if len({model for model, _ in shifts.paired}) == 1 else " / ".join(solver)


def _shown(delta: PairedDelta, scale: Scale) -> str:
    interval = f"{scale.show_change(delta.low)} … {scale.show_change(delta.high)}"
    return f"{scale.show_change(delta.estimate)} ({interval}; n {delta.pairs})"


def _as_json(shifts: NoiseShifts) -> dict[str, Any]:
    """Every figure in its stored unit: scores are shares of 1."""
    return {
        "dimension": shifts.dimension,
        "solvers": [
            {
                "model": solver[0],
                "arm": solver[1],
                "paired": asdict(delta),
                "by_kind": {kind: asdict(found) for kind, found in shifts.by_kind[solver].items()},
                "sets": asdict(shifts.sets[solver]),
                "rank": asdict(shifts.ranks[solver]) if solver in shifts.ranks else None,
            }
            for solver, delta in shifts.paired.items()
        ],
    }
