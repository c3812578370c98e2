"""`ansatz kb`: commands on the equation knowledge base."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from ansatz.cli.console import FAILED, AsJson

app = typer.Typer(no_args_is_help=True, help="Look into the equation knowledge base.")


@app.command()
def search(
    query: str,
    top: Annotated[int, typer.Option("-k", min=1, help="How many equations.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Find equations for a question, with their conditions and the excluded traps."""
    from ansatz.knowledge_base.search import searcher

    found = searcher().search(query, top)
    print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) if as_json else found.sheet())


@app.command()
def show(id: str, as_json: AsJson = False) -> None:
    """Show one equation in full."""
    from ansatz.knowledge_base.library import library
    from ansatz.knowledge_base.sheet import page

    equation = library().get(id)
    print(equation.model_dump_json(indent=2, exclude_defaults=True) if as_json else page(equation))


@app.command()
def check(
    prefixes: Annotated[list[str] | None, typer.Argument(help="Ids or domains; all by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Put every entry through the gates: dimensions, test vectors, limits, bounds, references."""
    from ansatz.knowledge_base.gates import check_all

    wanted = tuple(prefixes or [""])
    checked = {id: found for id, found in check_all().items() if id.startswith(wanted)}
    faults = {id: found for id, found in checked.items() if found}
    if as_json:
        print(json.dumps(faults, indent=2, ensure_ascii=False))
    else:
        for id, found in faults.items():
            print("\n".join(f"{id}: {fault}" for fault in found))
        print(f"{len(checked)} entries, {len(faults)} with faults")
    if faults:
        raise typer.Exit(FAILED)
