"""`ansatz benchmark tps`: make the fine-tuning set DFA-TPS."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ansatz.cli.console import AsJson, Steps, print_found
from ansatz.errors import BadInput

app = typer.Typer(no_args_is_help=True, help="Thermal protection: make the fine-tuning set.")


@app.command()
def dfa(
    out: Annotated[Path | None, typer.Option("--out", help="The folder to write.")] = None,
    items: Annotated[
        Path | None, typer.Option("--items", help="JSONL to split and take; by default the core set of tps.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the split and of the examples.")] = 0,
    ratio: Annotated[str, typer.Option("--ratio", help="Shares of train, dev and test.")] = "60/20/20",
    as_json: AsJson = False,
) -> None:
    """Make the fine-tuning set DFA-TPS from the train split; it teaches which formula a regime requires.

    `ansatz data split` with the same items, seed and ratio makes the same split. Without --out, the command
    prints only the counts. The folder gets openai/train.jsonl (chats) and, for Hugging Face datasets,
    data/train.jsonl with its card.
    """
    from ansatz.eval.benchmarks import tps
    from ansatz.eval.benchmarks.tps.dfa.examples import make_examples
    from ansatz.eval.benchmarks.tps.dfa.export import summary, write_examples
    from ansatz.eval.curation.splits import parse_ratio, split_problems
    from ansatz.eval.problem_files import load

    shares = parse_ratio(ratio)
    problems = load(str(items)) if items else tps.load(set="core", seed=seed)
    made = split_problems(problems, seed, shares)
    train = made.select("train", problems)
    with Steps() as advance:
        examples = make_examples(train, seed, lambda done: advance("Examples", done, len(train)))
    if not examples:
        raise BadInput("no item of the train split has a gold equation that is confused with another")
    figures = summary(examples, made.select("test", problems))
    print_found(write_examples(examples, figures, made, seed, out) if out else figures, as_json)
