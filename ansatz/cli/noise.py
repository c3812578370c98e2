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
    from ansatz.eval.views import System
    from ansatz.eval.views.noise import NoiseShifts


def noise(
    run: Annotated[Path, typer.Argument(help="The folder of a run over tps_noisy.")],
    dimension: Annotated[str, typer.Option("--dimension", help="The score to rank by.")] = "kpi",
    as_json: AsJson = False,
) -> None:
    """Compare sound problems with damaged ones: the shift of each score, and of ranks, clean minus noisy."""
    from ansatz.eval.benchmarks.validation import InvalidData, check_choices
    from ansatz.eval.views.noise import noise_shifts
    from ansatz.experiments.results import read_results

    data = read_results(run)
    check_choices("--dimension", [dimension], [each.name for each in data.dimensions])
    shifts = noise_shifts(data)
    if not shifts:
        raise InvalidData(f"{data.title} has no problem with a tag `corruption`; run the benchmark tps_noisy")
    scales = {each.name: each.scale for each in data.dimensions}
    if as_json:
        print(json.dumps([_as_json(each) for each in shifts], indent=2))
        return
    if simulated := sorted(data.simulated):
        print(f"{', '.join(simulated)}: simulated by a rule-based solver, not a language model\n")
    ranked = next(each for each in shifts if each.dimension == dimension)
    tables = (
        _rank_rows(ranked, scales[dimension]),
        _dimension_rows(shifts, scales),
        _kind_rows(ranked, scales[dimension]),
    )
    for rows in tables:
        print_rows(rows, False)
        print()
    print("Differences are clean minus noisy with 95 % intervals; families of problems are resampled.")


def _rank_rows(shifts: NoiseShifts, scale: Scale) -> list[dict[str, Any]]:
    """The sound items beside the whole set, as published tables have them."""
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


def _dimension_rows(shifts: tuple[NoiseShifts, ...], scales: dict[str, Scale]) -> list[dict[str, Any]]:
    """Each damaged item against its original, by dimension."""
    rows = []
    for each in shifts:
        scale = scales[each.dimension]
        deltas = {_label(solver, each): _shown(delta, scale) for solver, delta in each.paired.items()}
        rows.append({"pairs": each.dimension, **deltas})
    return rows


def _kind_rows(shifts: NoiseShifts, scale: Scale) -> list[dict[str, Any]]:
    """The same for each kind of damage."""
    rows = []
    for kind in dict.fromkeys(kind for found in shifts.by_kind.values() for kind in found):
        deltas = {
            _label(solver, shifts): _shown(found[kind], scale) for solver, found in shifts.by_kind.items()
        }
        rows.append({f"pairs: {shifts.dimension}": kind, **deltas})
    return rows


def _label(solver: System, shifts: NoiseShifts) -> str:
    """The arm, and the model where there are several."""
    several = len({each.model for each in shifts.paired}) > 1
    return f"{solver.model} / {solver.arm}" if several else solver.arm


def _shown(delta: PairedDelta, scale: Scale) -> str:
    interval = f"{scale.show_change(delta.low)} … {scale.show_change(delta.high)}"
    return f"{scale.show_change(delta.estimate)} ({interval}; n {delta.pairs})"


def _as_json(shifts: NoiseShifts) -> dict[str, Any]:
    """Every figure in its stored unit: scores are shares of 1."""
    return {
        "dimension": shifts.dimension,
        "solvers": [
            {
                "model": solver.model,
                "arm": solver.arm,
                "paired": asdict(delta),
                "by_kind": {kind: asdict(found) for kind, found in shifts.by_kind[solver].items()},
                "sets": asdict(shifts.sets[solver]),
                "rank": asdict(shifts.ranks[solver]) if solver in shifts.ranks else None,
            }
            for solver, delta in shifts.paired.items()
        ],
    }
