"""`ansatz handbook`: index your own manuals, search them, and show what an index has."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ansatz.cli.console import AsJson, Steps, print_json, print_rows
from ansatz.errors import BadInput

app = typer.Typer(no_args_is_help=True, help="Index and search your own manuals.")
IndexFolder = Annotated[Path, typer.Argument(metavar="INDEX", help="A folder that `handbook index` wrote.")]


@app.command()
def index(
    path: Annotated[
        Path, typer.Argument(help="A PDF, Markdown, HTML, text or LaTeX file, or a folder of them.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="INDEX", help="The folder of the index.")],
    encoder: Annotated[
        str,
        typer.Option(help="The encoder, such as sentence-transformers:BAAI/bge-m3, or none for words only."),
    ] = "default",
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Leave out files, such as 'figures/*'; repeatable."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Split documents into passages with section and page, and index them; again after an edit.

    Only changed files are read again, and only changed passages encoded. If a file cannot be read, the
    index stays as it was; repair the file, or leave it out with --exclude.
    """
    from ansatz.knowledge_base.handbook import count_other_types, index_handbook

    if out.is_file():
        raise BadInput(f"--out: {out} is a file; name a folder")
    if path.is_dir() and out.resolve().is_relative_to(path.resolve()) and not out.name.startswith("."):
        raise BadInput(f"--out: {out} is inside {path}; name a folder elsewhere")
    started = time.monotonic()
    with Steps() as steps:
        found, changes = index_handbook(
            path, out, None if encoder == "none" else encoder, steps, exclude or ()
        )
    rows = [asdict(each) for each in found.files]
    left_out = count_other_types(path) if path.is_dir() else {}
    if as_json:
        result = {"digest": found.digest, "files": rows, **asdict(changes), "left_out": left_out}
        print_json({**result, "seconds": round(time.monotonic() - started, 2)})
        return
    print_rows(rows, as_json=False)
    if left_out:
        print(f"left out as other types: {', '.join(f'{kind} {count}' for kind, count in left_out.items())}")
    print(
        f"{out}: {len(found.passages)} passages; {changes.added} added, {changes.replaced} replaced, "
        f"{changes.removed} removed, {changes.encoded} encoded in {time.monotonic() - started:.1f} s"
    )


@app.command()
def search(
    index: IndexFolder,
    query: Annotated[str | None, typer.Argument(help="A question.")] = None,
    queries: Annotated[
        Path | None, typer.Option(help='Many questions as JSON Lines: {"id", "question"} each.')
    ] = None,
    top: Annotated[int, typer.Option("-k", min=1, help="How many sections.")] = 5,
    reranker: Annotated[
        str | None, typer.Option(help="A cross-encoder that sorts the best passages again.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find the sections that answer a question, with file and page; none if nothing in the handbook fits."""
    from ansatz.knowledge_base.handbook import HandbookQuery, HandbookSearch, read_queries

    if (query is None) == (queries is None):
        raise BadInput("name either a question or --queries FILE")
    if query is not None and not query.strip():
        raise BadInput("the question is empty")
    asked = read_queries(queries) if queries else [HandbookQuery(id="1", question=query or "")]
    searcher = HandbookSearch.load(index, reranker)
    with Steps() as steps:
        found = []
        for number, each in enumerate(asked, 1):
            found.append((each.id, searcher.search(each.question, top)))
            steps("search", number, len(asked))
    if as_json:
        print_json({"queries": [{"id": id, "hits": [hit.to_dict() for hit in hits]} for id, hits in found]})
        return
    for id, hits in found:
        if queries:
            print(f"== {id}")
        print("\n\n".join(hit.format() for hit in hits) or "nothing in this handbook fits the question")


@app.command()
def show(
    index: IndexFolder,
    file: Annotated[str | None, typer.Argument(help="Show the sections of this file.")] = None,
    section: Annotated[
        str | None, typer.Option(help="Show the passages of sections whose path contains this text.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the files of an index, the sections of a file, or the passages of sections."""
    from ansatz.knowledge_base.handbook import Handbook
    from ansatz.quantities import nearest

    found = Handbook.load(index)
    names = [each.file for each in found.files]
    if file is not None and file not in names:
        raise BadInput(f"{index} has no file {file!r}{nearest(file, names)}")
    passages = [each for each in found.passages if file in (None, each.file)]
    if section is not None:
        chosen = [each for each in passages if section.lower() in each.section.lower()]
        if not chosen:
            sections = list(dict.fromkeys(each.section for each in passages))
            raise BadInput(f"no section contains {section!r}{nearest(section, sections)}")
        if as_json:
            print_json({"passages": [asdict(each) for each in chosen]})
        else:
            print("\n\n".join(f"[{each.source}]\n{each.text}" for each in chosen))
    elif file is not None:
        rows: dict[str, dict[str, object]] = {}
        for each in passages:
            row = rows.setdefault(
                each.section, {"section": each.section, "page": each.page, "passages": 0, "words": 0}
            )
            row["passages"] = int(str(row["passages"])) + 1
            row["words"] = int(str(row["words"])) + len(each.text.split())
        print_json({"sections": list(rows.values())}) if as_json else print_rows(list(rows.values()), False)
    elif as_json:
        print_json({"digest": found.digest, "files": [asdict(each) for each in found.files]})
    else:
        print_rows([asdict(each) for each in found.files], as_json=False)
