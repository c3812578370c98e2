"""Commands on studies and runs: plan, run, report, solve, list."""

from __future__ import annotations

import asyncio
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from ansatz.cli.console import (
    FAILED,
    INTERRUPTED,
    AsJson,
    BaseUrl,
    Names,
    RunFolder,
    console,
    print_json,
    print_rows,
    run_until_terminated,
)
from ansatz.errors import BadInput

app = typer.Typer()

StudyPath = Annotated[Path, typer.Argument(help="A study file (YAML), or a run folder to resume.")]
Changes = Annotated[
    Names,
    typer.Option("-o", "--set", help="Change a setting of the study: repeats=3, max_identical_failures=3."),
]
_DRAWN = (".png", ".svg", ".pdf")
_SIMULATED = "{} is simulated: a rule-based solver, not a language model"


class StudyCommand(TyperCommand):
    """A command that changes settings of a study: its help lists them."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        from ansatz.experiments.design.study_settings import StudySettings

        with formatter.section("Settings of a study"):
            fields = StudySettings.model_fields.items()
            formatter.write_dl(
                [(name, " ".join((field.description or "").split())) for name, field in fields]
            )


@app.command(cls=StudyCommand)
def run(
    study: StudyPath,
    out: Annotated[Path | None, typer.Option("--out", help="Run folder; default runs/<study name>.")] = None,
    model: Annotated[Names, typer.Option("--model", help="Only this model; may be repeated.")] = None,
    arm: Annotated[
        Names, typer.Option("--arm", help="Only this arm and the baseline; may be repeated.")
    ] = None,
    problem: Annotated[Names, typer.Option("--problem", help="Only this problem; may be repeated.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="N problems, spread over families.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="N problems, drawn over families.")] = None,
    set_: Changes = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", metavar="DOLLARS", help="Stop before the run costs more.")
    ] = None,
    batch: Annotated[
        bool,
        typer.Option("--batch", help="Use the provider's batch interface: half the price, hours later."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show models and arms, and stop.")] = False,
) -> None:
    """Run a study, or resume it: finished attempts in the run folder are not repeated."""
    from ansatz.experiments.running.progress import Progress
    from ansatz.experiments.study import Study

    if study.is_dir() and out and out.resolve() != study.resolve():
        raise BadInput(f"{study} is a run and is resumed where it is; --out is for a study file")
    changes = [*(set_ or ()), *([] if max_cost is None else [f"budget.dollars={max_cost!r}"])]
    whole = Study.from_run(study, changes) if study.is_dir() else Study.from_yaml(study, changes)
    chosen = whole.only(models=model, arms=arm, problems=problem, limit=limit, sample=sample)
    chosen = chosen.by_batches() if batch else chosen
    if dry_run:
        print("\n".join([chosen.outline(), *chosen.warnings]))
        return
    screen = console(stderr=True)
    folder = study if study.is_dir() else out
    try:
        done = asyncio.run(run_until_terminated(chosen.arun(folder, progress=Progress(screen, chosen.name))))
    except (KeyboardInterrupt, asyncio.CancelledError):
        screen.print("Interrupted. Finished attempts are stored; run the same command again to continue.")
        raise typer.Exit(INTERRUPTED) from None
    counts = done.counts
    for warning in done.warnings:
        print(warning)
    print(
        f"{done.folder}: {counts['scored']} of {counts['planned']} attempts scored, {counts['failed']} failed"
    )
    simulated = [_SIMULATED.format(each.title) for each in chosen.models.values() if each.is_simulated]
    for note in (*simulated, *done.notes):
        print(note)
    if counts["failed"]:
        screen.print("Failed attempts have no score; run the same command again to retry them.")
        raise typer.Exit(FAILED)
    where = shlex.quote(str(done.folder))
    screen.print(f"Next: ansatz report {where}; ansatz view {where} --open", markup=False, highlight=False)


@app.command(cls=StudyCommand)
def plan(
    study: StudyPath,
    pilot: Annotated[
        Path | None, typer.Option("--pilot", metavar="RUN", help="A finished run of a part of the study.")
    ] = None,
    set_: Changes = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw power over the number of problems: power.png.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Estimate requests, cost and the smallest detectable differences of a study. Asks no model."""
    from ansatz.experiments.study import Study

    whole = Study.from_run(study, set_ or ()) if study.is_dir() else Study.from_yaml(study, set_ or ())
    found = whole.plan(pilot)
    if plot:
        if plot.suffix not in _DRAWN:
            raise BadInput(f"--plot: {plot} has to end in one of {', '.join(_DRAWN)}")
        found.plot().savefig(plot)
        console(stderr=True).print(f"Written: {plot}", highlight=False, markup=False)
    if as_json:
        print_json(found.to_json())
    else:
        print(found)


@app.command()
def graph(
    study: Annotated[Path | None, typer.Argument(help="A study file (YAML), or a run folder.")] = None,
    arm: Annotated[str | None, typer.Argument(help="The arm of the study.")] = None,
    with_: Annotated[
        Names,
        typer.Option(
            "--with",
            help="Without a study: an intervention, name or name:setting=value,…; "
            "see `ansatz list interventions NAME`.",
        ),
    ] = None,
) -> None:
    """Print an arm's graph as Mermaid: before, answer, vote, checks, critic."""
    from ansatz.agents import build_graph
    from ansatz.experiments.design.resolution import build_arm, load_arm
    from ansatz.experiments.solve import parse_interventions

    if (study is None) == (with_ is None) or (study is not None and arm is None):
        raise BadInput("give a study and one of its arms, or interventions by --with")
    shown = load_arm(study, arm or "") if study else build_arm("graph", parse_interventions(with_ or []))
    print(build_graph(shown.plan).get_graph().draw_mermaid())


@app.command()
def report(
    folder: RunFolder,
    labels: Annotated[
        list[Path] | None,
        typer.Option(help="JSONL with human scores of answers: adds the error of judges."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="Compare with this arm; written to a separate folder.")
    ] = None,
    holm: Annotated[
        bool, typer.Option("--holm", help="Adjust p after Holm instead of Westfall and Young.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Every dimension and table, here and in report.md.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print differences from the baseline, and write report.md, deltas.csv and deltas.png into the run."""
    from dataclasses import replace

    from threadpoolctl import threadpool_limits

    from ansatz.eval.calibration import read_labels
    from ansatz.experiments.labelling.answers import attach_labels
    from ansatz.experiments.ledger.stored_results import read_results
    from ansatz.experiments.report import Summary, to_json, write_report
    from ansatz.experiments.results import safe_file_name

    results = read_results(folder)
    if against is not None:
        results, folder = results.with_baseline(against), folder / f"against_{safe_file_name(against)}"
    if holm:
        results = replace(results, correction="holm")
    if labels:
        results = replace(results, labels=attach_labels(results, folder, read_labels(labels)))
    threadpool_limits(1, user_api="blas")  # threads are slower than one for such small products
    if as_json:
        print_json(to_json(results))
        return
    screen = console()
    screen.print(Summary(results, full=full))
    try:
        written = write_report(results, folder, full=full)
    except OSError:  # the tables are printed even if the folder is read-only
        screen.print("The report could not be written.")
        raise
    more = written.listed() if full else f"{written.markdown}; --full shows every dimension here"
    screen.print(f"Written: {more}.", highlight=False, markup=False)


@app.command()
def solve(
    question: Annotated[str, typer.Argument(help="The question, with its values and units; - reads stdin.")],
    model: Annotated[
        str, typer.Option(help='"provider:model", or offline:slide-rule.')
    ] = "offline:slide-rule",
    with_: Annotated[
        Names,
        typer.Option(
            "--with",
            help="An intervention instead of the default ones: name or name:setting=value,…; "
            "see `ansatz list interventions NAME`.",
        ),
    ] = None,
    set_: Annotated[
        Names, typer.Option("-o", "--set", help="A setting of the model: temperature=0, max_tokens=2000.")
    ] = None,
    base_url: BaseUrl = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show the whole conversation, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Answer one question, and list what the answer is based on and what remains uncertain.

    By default, the model has property tools, equation tools, a calculator, a protocol and checks. Exit
    status 0: every quantity asked for as `symbol = ___ unit` is stated, and no check finds a fault. 1:
    otherwise.
    """
    from ansatz.experiments.design.yaml_file import apply_settings
    from ansatz.experiments.solve import DEFAULT_SWITCHES, print_trace, solve_question
    from ansatz.experiments.solved import Solved

    text = sys.stdin.read() if question == "-" else question
    settings = apply_settings({"base_url": base_url} if base_url else {}, set_ or ())
    screen = console(stderr=True)

    def print_wait(line: str) -> None:
        screen.print(line, markup=False, highlight=False)

    switches = list(DEFAULT_SWITCHES if with_ is None else with_)
    transcript = asyncio.run(solve_question(text, model, switches, settings, on_wait=print_wait))
    solved = Solved(text, transcript, model.startswith("offline:"))
    if as_json:
        print_json(solved.to_json())
    else:
        if trace:
            print_trace(transcript, console())
        print(solved)
    if solved.simulated:
        print(_SIMULATED.format(model), file=sys.stderr if as_json else sys.stdout)
    if not solved.is_complete:
        raise typer.Exit(FAILED)


@app.command("list")
def list_(
    kind: Annotated[
        str | None, typer.Argument(help="interventions, benchmarks, scorers, rankers or models; else all.")
    ] = None,
    name: Annotated[str | None, typer.Argument(help="One of them: its settings and what they mean.")] = None,
    as_json: AsJson = False,
) -> None:
    """List everything that a study can name, with one line on each, or describe the settings of one."""
    from ansatz.experiments.design.plugins import describe_plugin, list_plugins

    if kind and name:
        described = describe_plugin(kind, name)
        if as_json:
            print_json(described)
            return
        print(f"{name}: {described['what it does']}\n")
        print_rows(described["settings"], as_json)
        return
    rows = list_plugins(kind)
    if not as_json:  # long lists are cut
        for row in rows:
            if len(several := row.get("dimensions", ())) > 3:
                row["dimensions"] = f"{', '.join(several[:3])}, … ({len(several)})"
    print_rows(rows, as_json)
