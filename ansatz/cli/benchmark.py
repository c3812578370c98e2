"""`ansatz benchmark`: show or write the problems of any benchmark; run the commands that a benchmark brings.

A benchmark registers its own commands, a `typer.Typer`, under the entry point `ansatz.benchmark_commands`.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ansatz.cli.console import AsJson, Steps, check_writable, print_rows
from ansatz.errors import BadInput

if TYPE_CHECKING:
    from ansatz.eval.problem import Problem

GROUP = "ansatz.benchmark_commands"


class _BenchmarkCommands(TyperGroup):
    """The commands of this module, and a group of each benchmark that registers one."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *sorted(entry_points(group=GROUP).names)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        for found in entry_points(group=GROUP, name=cmd_name):
            plain = typer.Typer(rich_markup_mode=None)
            plain.add_typer(found.load(), name=cmd_name)
            return typer.main.get_group(plain).commands[cmd_name]
        return super().get_command(ctx, cmd_name)


app = typer.Typer(cls=_BenchmarkCommands, no_args_is_help=True, help="Show, write and make problems.")


@app.command()
def problems(
    named: Annotated[
        str, typer.Argument(metavar="NAME[:SETTING=VALUE,…]|FILE", help="A benchmark, or problems (JSONL).")
    ],
    only: Annotated[str, typer.Option("--only", help="Only problems whose ids start with this.")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="A JSONL file to write them to instead, in the item schema.")
    ] = None,
) -> None:
    """Show problems with their solutions, bounds and traps, or write them to a file.

    `tps:set=core,language=zh` is the benchmark tps with these settings.
    """
    if out is not None:
        check_writable(out)
    found = [each for each in read_problems(named) if each.id.startswith(only)]
    if not found:
        raise BadInput(f"{named} has no problem whose id starts with {only!r}")
    if out is not None:
        from ansatz.eval.problem_files import dump

        dump(found, out)
        print(f"{len(found)} problems in {out}")
        return
    for each in found:
        _print_problem(each)


@app.command()
def difficulty(
    named: Annotated[
        str, typer.Argument(metavar="NAME[:SETTING=VALUE,…]|FILE", help="A benchmark, or problems (JSONL).")
    ],
    run: Annotated[
        Path | None, typer.Option("--run", help="A run: adds the share of its arms that are exactly right.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure difficulty: steps, laws, distance of the nearest trap, rank of the right law in a search."""
    from ansatz.eval.difficulty import measure_difficulty

    shares = _find_shares(run) if run else {}
    rows = []
    with Steps() as advance:
        found = read_problems(named)
        if run and not any(each.id in shares for each in found):
            raise BadInput(f"{run} has scored answers to none of the problems of {named}")
        for number, problem in enumerate(found, start=1):
            values = measure_difficulty(problem).items()
            measured = {name: None if value is None else round(value, 3) for name, value in values}
            solved = {"solved_by": shares.get(problem.id)} if run else {}
            rows.append({"id": problem.id, **measured, **solved})
            advance("Measuring", number, len(found))
    print_rows(rows, as_json)


def _find_shares(run: Path) -> dict[str, float]:
    """Return the share of a run's scored arms that are exactly right, by problem."""
    from ansatz.experiments.ledger.stored_results import read_results

    data = read_results(run)
    if "exact" not in data.dimension_names:
        raise BadInput(f"{run} has no dimension exact; score it with: ansatz score {run} --scorer outcome")
    means = [subset.mean_by_problem(data.values("exact")) for subset in data.subsets()]
    by_problem = zip(data.problem_list, zip(*means, strict=True), strict=True)
    scored = {problem.id: [share for share in found if not isnan(share)] for problem, found in by_problem}
    return {id: found.count(1.0) / len(found) for id, found in scored.items() if found}


def read_problems(named: str) -> tuple[Problem, ...]:
    """Read the problems of a file, or of a benchmark with settings."""
    from ansatz.eval.problem_files import load
    from ansatz.experiments.design import plugins
    from ansatz.experiments.design.study_file import parse_choice

    name, _, settings = named.partition(":")
    is_file = "=" not in settings and (Path(named).suffix or Path(named).exists())
    if is_file and name not in plugins.list_names("ansatz.benchmarks"):
        return load(named)
    found: tuple[Problem, ...] = plugins.load("ansatz.benchmarks", *parse_choice(named))
    return found


def _print_problem(problem: Problem) -> None:
    from ansatz.eval.benchmarks.templates.worked import solution_text
    from ansatz.eval.judging.request import format_reference

    is_worked = bool(problem.reference.final_answer)
    print(f"# {problem.id}", problem.ask().text, format_reference(problem), sep="\n\n", end="\n\n")
    if is_worked:
        print(solution_text(problem), end="\n\n")
