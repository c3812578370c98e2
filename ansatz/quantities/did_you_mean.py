"""Suggest the nearest valid value at the end of an error message."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(wrong: str, valid: Iterable[str], shown: int = 12, cutoff: float = 0.5) -> str:
    """Return the end of an error message: the valid value most similar to `wrong`, then the valid values.

    Parameters:
        wrong: The invalid value.
        valid: The valid values.
        shown: The largest number of valid values to list.
        cutoff: The least similarity (0 to 1, by difflib) of a suggestion.
    """
    names = [str(name) for name in valid]
    folded = {name.lower(): name for name in reversed(names)}
    close = get_close_matches(wrong.lower(), list(folded), n=1, cutoff=cutoff)
    meant = f"; did you mean {folded[close[0]]!r}?" if close else ""
    if not shown:
        return meant
    more = ", …" if len(names) > shown else ""
    return f"{meant} (valid: {', '.join(names[:shown]) or 'none'}{more})"


def advise_on_unknown(kind: object, name: str) -> str:
    """Return where a setting belongs that `kind` lacks: its `advice_on_unknown`, or an empty text."""
    return str(getattr(kind, "advice_on_unknown", "")).replace("NAME", name)
