"""Put the zygote's memory into huge pages: most of a fork's time goes into copying its page tables.

It stops no attack. It halves the time of fork and exit with SymPy loaded, and more with CoolProp. Where the
kernel cannot (before Linux 6.1, or without transparent huge pages) nothing changes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from ansatz.sandbox.syscalls import Unsupported, library_call

_HUGE = 2 * 1024 * 1024
_COLLAPSE = 25  # MADV_COLLAPSE


def collapse(maps: int) -> None:
    """Collapse the private memory listed in /proc/<pid>/maps, which is open as `maps`."""
    text = b"".join(iter(lambda: os.read(maps, 1 << 16), b"")).decode()
    for start, end in _private_memory(text):
        start, end = -(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE
        if end > start:
            with contextlib.suppress(Unsupported):
                library_call("madvise", start, end - start, _COLLAPSE)


def _private_memory(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every writable private range that no file backs, the heap's among them."""
    for line in text.splitlines():
        span, rights, _, _, inode, *name = line.split(maxsplit=5)
        if rights == "rw-p" and inode == "0" and name in ([], ["[heap]"]):
            start, _, end = span.partition("-")
            yield int(start, 16), int(end, 16)
