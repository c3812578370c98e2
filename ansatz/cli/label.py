"""`ansatz label`: pages on which people score answers of a run, and the state of their labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ansatz.cli.console import AsJson, RunFolder, Seed, check_writable, print_found
from ansatz.errors import BadInput

app = typer.Typer()

# The options that select answers:
Double = Annotated[
    float, typer.Option(min=0, max=1, help="The share of answers that every annotator scores.")
]
Pick = Annotated[
    Literal["random", "doubtful"],
    typer.Option(
        help="doubtful: more often where the scores of the run disagree or are undecided, with known "
        "probabilities that the estimates correct for."
    ),
]

# The options that read labels:
Labels = Annotated[
    list[Path] | None,
    typer.Option(help="Label files for --status, --adjudicate and --final; default RUN/labels/*.jsonl."),
]
Final = Annotated[
    Path | None, typer.Option(help="Write one JSONL of all labels, adjudicated, with arms and scores.")
]


@app.command()
def label(
    folder: RunFolder,
    dimension: Annotated[
        list[str] | None,
        typer.Option(help="What to score: a dimension of the run, such as G4; repeat it for several."),
    ] = None,
    criteria: Annotated[
        Path | None, typer.Option(help="Your own criteria: a rubric file (.yaml, .md) instead of dimensions.")
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="The number of answers to draw.")] = 30,
    annotator: Annotated[
        list[str] | None, typer.Option(help="Who scores; repeat it for several, each with a page.")
    ] = None,
    double: Double = 0.2,
    pick: Pick = "random",
    findings: Annotated[bool, typer.Option("--findings", help="Offer the findings of the verifier.")] = False,
    seed: Seed = 0,
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="Write a page of the answers on which annotators disagree.")
    ] = False,
    status: Annotated[bool, typer.Option("--status", help="Print how far the labels are.")] = False,
    labels: Labels = None,
    final: Final = None,
    as_json: AsJson = False,
) -> None:
    """Write a page for people to score a random part of the answers, blind to model and arm.

    The page works offline. Put the file that it downloads into RUN/labels. Then use --status, and pass the
    file to `ansatz report RUN --labels` and `ansatz judge calibrate --run RUN`.
    """
    from ansatz.experiments.labelling import commands

    if sum((status, adjudicate, final is not None)) > 1:
        raise BadInput("choose one of --status, --adjudicate and --final")
    if final is not None:
        check_writable(final)
        print(f"{commands.write_final(folder, labels or (), final)} labels: {final}")
    elif status:
        print_found(commands.describe_status(folder, labels or ()), as_json)
    elif adjudicate:
        for page in commands.write_adjudication(
            folder, labels or (), dimension or (), criteria, annotator or ()
        ):
            print(page)
    else:
        annotators = tuple(annotator or ("annotator",))
        request = commands.LabelRequest(
            tuple(dimension or ()), criteria, n, annotators, double, pick, findings, seed
        )
        written = commands.write_pages(folder, request)
        for page in written.pages:
            print(page)
        typer.echo(written.summary, err=True)
