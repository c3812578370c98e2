"""The command line."""

from __future__ import annotations

import typer

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Which help really helps a language model?"
)


@app.callback()
def ansatz() -> None:
    """Measure which interventions help a language model with engineering work."""


def main() -> None:
    app()
