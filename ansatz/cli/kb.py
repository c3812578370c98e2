"""`ansatz kb`: commands on the equation knowledge base."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from ansatz.cli.console import FAILED, AsJson, Steps, console, print_json, print_rows
from ansatz.errors import BadInput

if TYPE_CHECKING:
    from ansatz.knowledge_base.search import Searcher

app = typer.Typer(no_args_is_help=True, help="Search, show and check the equation knowledge base.")

Encoder = Annotated[
    str,
    typer.Option(help="default, sentence-transformers:NAME, or package.module:object."),
]


@app.command()
def search(
    query: Annotated[str | None, typer.Argument(help="A question or keywords.")] = None,
    queries: Annotated[
        Path | None, typer.Option(help='Many questions as JSON Lines: {"id", "question"} each.')
    ] = None,
    top: Annotated[int, typer.Option("-k", min=1, help="How many equations.")] = 5,
    ranker: Annotated[str, typer.Option(help="The ranker, such as bm25.")] = "regime",
    encoder: Encoder = "default",
    reranker: Annotated[
        str | None, typer.Option(help="Orders the best: sentence-transformers:NAME or package.module:object.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find equations for a question, with their conditions and the excluded traps."""
    if (query is None) == (queries is None):
        raise BadInput("name either a question or --queries FILE")
    if queries is None:
        if query is None or not query.strip():
            raise BadInput("the question is empty")
        found = _open_searcher(ranker, encoder, reranker).search(query, top)
        if as_json:
            print_json(found.to_dict())
        else:
            print(found.sheet())
        return
    from ansatz.knowledge_base.search.evaluation import Query, read_questions

    asked = read_questions(Query, queries)
    searcher = _open_searcher(ranker, encoder, reranker)
    results = [(each.id, searcher.search(each.question, top)) for each in asked]
    if as_json:
        rows = [{"id": id, **found.to_dict()} for id, found in results]
        print_json({"queries": rows})
    else:
        print("\n\n".join(f"== {id}\n{found.sheet()}" for id, found in results))


def _open_searcher(ranker: str, encoder: str, reranker: str | None) -> Searcher:
    """Return a searcher. Without the default ranker's sentence model, it searches by words, with a note."""
    from ansatz.errors import WeightsError
    from ansatz.knowledge_base.search import Searcher, check_ranker

    try:
        check_ranker(ranker, encoder)
    except WeightsError as missing:
        if ranker != "regime":
            raise
        console(stderr=True).print(f"Searching by words alone: {missing}", markup=False)
        return Searcher(ranker="bm25", reranker=reranker)
    _encode_base(encoder)
    return Searcher(ranker=ranker, encoder=encoder, reranker=reranker)


def _encode_base(encoder: str) -> None:
    """Encode the base with another encoder, with a progress bar; later searches read the stored vectors."""
    from ansatz.knowledge_base.equation import library
    from ansatz.knowledge_base.search import encode_base

    with Steps() as steps:
        encode_base(library(), encoder, steps)


@app.command()
def show(id: str, as_json: AsJson = False) -> None:
    """Show one equation in full."""
    from ansatz.knowledge_base.equation import format_page, library

    equation = library().get(id)
    print(
        equation.model_dump_json(indent=2, exclude_defaults=True, by_alias=True)
        if as_json
        else format_page(equation)
    )


@app.command()
def check(
    prefixes: Annotated[
        list[str] | None, typer.Argument(help="Ids, or the first parts of ids; all by default.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check every entry: dimensions, test vectors, limits, bounds, references."""
    from ansatz.knowledge_base.equation import FOLDER
    from ansatz.knowledge_base.gates import check_base
    from ansatz.quantities.did_you_mean import nearest

    wanted = tuple(prefixes or [""])
    files = (file.relative_to(FOLDER).with_suffix("") for file in FOLDER.rglob("*.yaml"))
    ids = [file.as_posix().replace("/", ".") for file in files]
    for prefix in wanted:
        if not any(id.startswith(prefix) for id in ids):
            hint = nearest(prefix.rstrip("."), sorted({id.split(".")[0] for id in ids}))
            raise BadInput(f"no entry begins with {prefix.rstrip('.')!r}{hint}")
    with Steps() as steps:
        found = check_base(lambda id: id.startswith(wanted), steps)
    if as_json:
        print_json(found.to_dict())
    else:
        for id, lines in found.failures.items():
            print("\n".join(f"{id}: {line.removeprefix(f'{id}: ')}" for line in lines))
        for name, count in found.by_domain.items():
            print(f"{name:22} {count:5} entries")
        print(
            f"{found.entries} entries, {found.unique_formulas} unique formulas, {found.instances} instances "
            f"of families; {len(found.failures)} with faults"
        )
    if found.failures:
        raise typer.Exit(FAILED)


@app.command()
def browse(
    folder: Annotated[Path, typer.Argument(help="The folder of the site; it is created if necessary.")],
    run: Annotated[
        list[Path] | None, typer.Option(help="A run whose answers the entries link to; may be repeated.")
    ] = None,
) -> None:
    """Write the base as a static site: a searchable index, a page for each domain and for each entry."""
    from ansatz.knowledge_base.equation import library

    if folder.is_dir() and any(folder.iterdir()) and not (folder / "index.html").is_file():
        raise BadInput(f"{folder} has other files; name a new folder for the site")
    try:
        from ansatz.knowledge_base.browse import write_site

        with Steps() as steps:
            pages = write_site(library(), folder, steps, _find_uses(run or [], folder))
    except ModuleNotFoundError as missing:
        raise BadInput(f"kb browse needs {missing.name}: pip install 'ansatz-eval[browse]'") from missing
    print(f"{pages} pages; open {folder / 'index.html'}")


def _find_uses(runs: list[Path], site: Path) -> dict[str, list[tuple[str, str]]]:
    """Return, for each entry, links to the problems of runs whose answers calculate with it."""
    from ansatz.experiments.run import Run
    from ansatz.knowledge_base.regime import find_used_entries

    found: dict[str, dict[str, str]] = {}
    for run in runs:
        if not (page := run / "view" / "index.html").is_file():
            raise BadInput(f"{run} has no page to link to; write it first: ansatz view {run}")
        link = f"{os.path.relpath(page, site / 'entries')}#/problem?id="
        for problem, answer in Run(run).attempts().select("problem", "answer").iter_rows():
            for entry in find_used_entries(answer or ""):
                found.setdefault(entry.id, {})[f"{problem} ({run.name})"] = link + quote(problem)
    return {id: list(pages.items()) for id, pages in found.items()}


@app.command()
def facts(text: str, as_json: AsJson = False) -> None:
    """Show the facts that a question states about its regime, with confidence and source text."""
    from ansatz.knowledge_base.equation import library
    from ansatz.knowledge_base.regime import find_facts as extract

    rows = extract(text, library()).rows()
    print_rows(rows, as_json)
    if not rows and not as_json:
        print("no fact of a regime is stated")


@app.command()
def evaluate(
    queries: Annotated[Path | None, typer.Option(help="JSON Lines; default: the shipped set.")] = None,
    ranker: Annotated[list[str] | None, typer.Option(help="Only this ranker; may be repeated.")] = None,
    encoder: Encoder = "default",
    misses: Annotated[bool, typer.Option("--misses", help="List what each ranker gets wrong.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare rankers on questions whose equations are known: recall, traps, false exclusions.

    A line of the file is {"id", "question", "gold": [names], "traps": [names], "domain"}; names are ids,
    names or aliases of entries. A list of names within `gold` names alternatives.
    """
    from ansatz.knowledge_base.equation import library
    from ansatz.knowledge_base.search import list_rankers
    from ansatz.knowledge_base.search.evaluation import FILE, LabelledQuestion, read_questions
    from ansatz.knowledge_base.search.evaluation import evaluate_rankers as run

    questions = read_questions(LabelledQuestion, queries or FILE)
    _encode_base(encoder)
    with Steps() as steps:
        found = run(questions, library(), ranker or list_rankers(), steps, encoder)
    if as_json:
        print_json(found.to_dict())
        return
    for number, rows in enumerate(found.tables()):
        if number:
            print()
        print_rows(rows, as_json=False)
    for line in found.remarks(misses):
        print(line)
