"""Finds damage in a ledger: its structure by SQLite's own check, its rows by the hash that each one has."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ansatz.errors import LedgerError

SEALED = ("about", "problem", "attempt", "reply", "payment", "batch", "outcome")
"""The tables whose rows have a hash in the column `seal`. A row of `text` has its hash as key."""

_KEYS = {"about": "key", "problem": "id", "attempt": "key", "reply": "request", "batch": "token"}
_KEYS |= {"payment": "rowid", "outcome": "attempt"}
_SEAL_BYTES = 8
_REFUSALS = (
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY),
    *(sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT),
)
"""What is no damage: the machine refuses to read or write."""
_checked: dict[Path, object] = {}


def damage(path: Path, found: object) -> LedgerError:
    """The one error for every kind of damage."""
    return LedgerError(
        f"{path} is damaged ({found}): restore a backup of it, "
        f"or save what can be read with `sqlite3 {path} .recover | sqlite3 NEW/{path.name}`"
    )


@contextmanager
def detecting_damage(path: Path) -> Iterator[None]:
    """Raises LedgerError for whatever reading a damaged file raises; what the machine refuses passes."""
    try:
        yield
    except sqlite3.Error as failure:
        if getattr(failure, "sqlite_errorcode", 0) & 0xFF in _REFUSALS:
            raise
        raise damage(path, failure) from failure
    except (zlib.error, json.JSONDecodeError, UnicodeDecodeError, RecursionError) as failure:
        raise damage(path, f"{type(failure).__name__}: {failure}") from failure


def is_damage(failure: BaseException) -> bool:
    """Whether SQLite found the file itself to be wrong."""
    return getattr(failure, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def columns_of(sql: sqlite3.Connection, table: str) -> list[str]:
    return [name for (name,) in sql.execute("SELECT name FROM pragma_table_info(?)", (table,))]


def seal_rows(sql: sqlite3.Connection) -> None:
    """Have every row that this connection writes sealed; rows from before seals existed are sealed now."""
    sql.create_function("row_seal", -1, _row_seal, deterministic=True)
    for table in SEALED:
        names = columns_of(sql, table)
        if "seal" not in names:
            sql.execute(f"ALTER TABLE {table} ADD COLUMN seal BLOB")
            sql.execute(f"UPDATE {table} SET seal = {_expression(names)}")
        names = [name for name in names if name != "seal"]
        key = _KEYS[table]
        for event in ("INSERT", f"UPDATE OF {', '.join(names)}"):
            sql.execute(
                f"CREATE TEMP TRIGGER seal_{table}_{event[:6]} AFTER {event} ON main.{table} BEGIN "
                f"UPDATE {table} SET seal = {_expression(names)} WHERE {key} = NEW.{key}; END"
            )


def rename_units(sql: sqlite3.Connection) -> None:
    """Before schema 4, the table of planned attempts was `unit`, as was the column that refers to it."""
    if not columns_of(sql, "unit"):
        return
    sql.execute("BEGIN IMMEDIATE")
    sql.execute("ALTER TABLE unit RENAME TO attempt")
    sql.execute("ALTER TABLE outcome RENAME COLUMN unit TO attempt")
    names = columns_of(sql, "outcome")
    if "seal" in names:  # the hash of a row includes the names of its columns
        names.remove("seal")
        sql.create_function("row_seal", -1, _row_seal, deterministic=True)
        sql.execute(f"UPDATE outcome SET seal = {_expression(names)}")
    sql.execute("COMMIT")


def check_ledger(sql: sqlite3.Connection, path: Path, *, sealed: bool) -> None:
    """Raises LedgerError for damaged structure or rows. A file is checked once for each of its states."""
    state = _state_of(path)
    if _checked.get(path) == state:
        return
    with detecting_damage(path):
        [found] = sql.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise damage(path, " ".join(found.split()))
        if sealed:
            sql.create_function("row_seal", -1, _row_seal, deterministic=True)
            for table in SEALED:
                is_old = table == "attempt" and columns_of(sql, "unit")
                _check_rows(sql, path, "unit" if is_old else table)
    _checked[path] = state


def _check_rows(sql: sqlite3.Connection, path: Path, table: str) -> None:
    names = columns_of(sql, table)
    if "seal" not in names:
        raise damage(path, f"the table {table} is missing or has no seals")
    names.remove("seal")
    wrong = f"SELECT count(*) FROM {table} WHERE seal IS NOT {_expression(names)}"
    [count] = sql.execute(wrong).fetchone()
    if count:
        raise damage(path, f"{count} row{'s' * (count > 1)} of the table {table} changed")


def _expression(names: list[str]) -> str:
    fields = ", ".join(f"'{name}', {name}" for name in names)
    return f"row_seal({fields})"


def _row_seal(*fields: object) -> bytes:
    """The hash of a row, from its names and values in turn. NULL counts as absent: a new column has it."""
    stated = [pair for pair in zip(fields[::2], fields[1::2], strict=True) if pair[1] is not None]
    return hashlib.sha256(repr(stated).encode("utf-8", "surrogatepass")).digest()[:_SEAL_BYTES]


def _state_of(path: Path) -> object:
    files = (path, path.with_name(f"{path.name}-wal"))
    found = (each.stat() for each in files if each.exists())
    # Reading makes an empty write-ahead log and removes it.
    return [(each.st_ino, each.st_size, each.st_mtime_ns) for each in found if each.st_size]
