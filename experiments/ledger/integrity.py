"""Find damage in a ledger: in its structure by SQLite's check, in its rows by their hashes."""

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
"""The tables whose rows have a hash in the column `seal`. The key of a row of `text` is its hash."""

_KEYS = {"about": "key", "problem": "id", "attempt": "key", "reply": "request", "batch": "token"}
_KEYS |= {"payment": "rowid", "outcome": "attempt"}
_SEAL_BYTES = 8
_REFUSALS = (
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY),
    *(sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT),
)
"""Failures of the machine, such as a full disk, which are not damage of the file."""
_checked: dict[Path, object] = {}


def damage_error(path: Path, found: object) -> LedgerError:
    """Return the error that reports damage of any kind."""
    return LedgerError(
        f"{path} is damaged ({found}): restore a backup of it, "
        f"or save what can be read with `sqlite3 {path} .recover | sqlite3 NEW/{path.name}`"
    )


@contextmanager
def detecting_damage(path: Path) -> Iterator[None]:
    """Raise LedgerError for errors of a damaged file. Errors of the machine, such as a full disk, pass."""
    try:
        yield
    except sqlite3.Error as failure:
        if getattr(failure, "sqlite_errorcode", 0) & 0xFF in _REFUSALS:
            raise
        raise damage_error(path, failure) from failure
    except (zlib.error, json.JSONDecodeError, UnicodeDecodeError, RecursionError) as failure:
        raise damage_error(path, f"{type(failure).__name__}: {failure}") from failure


def is_damage(failure: BaseException) -> bool:
    """Return whether SQLite reports that the file is damaged."""
    return getattr(failure, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def columns_of(sql: sqlite3.Connection, table: str) -> list[str]:
    return [name for (name,) in sql.execute("SELECT name FROM pragma_table_info(?)", (table,))]


def seal_rows(sql: sqlite3.Connection) -> None:
    """Add triggers that seal every row of this connection, and seal rows of ledgers without seals."""
    sql.create_function("row_seal", -1, _hash_row, deterministic=True)
    for table in SEALED:
        names = columns_of(sql, table)
        if "seal" not in names:
            sql.execute(f"ALTER TABLE {table} ADD COLUMN seal BLOB")
            sql.execute(f"UPDATE {table} SET seal = {_seal_expression(names)}")
        names = [name for name in names if name != "seal"]
        key = _KEYS[table]
        for event, when in (("INSERT", "WHEN NEW.seal IS NULL"), (f"UPDATE OF {', '.join(names)}", "")):
            sql.execute(
                f"CREATE TEMP TRIGGER seal_{table}_{event[:6]} AFTER {event} ON main.{table} {when} BEGIN "
                f"UPDATE {table} SET seal = {_seal_expression(names)} WHERE {key} = NEW.{key}; END"
            )


def sealed_insert(sql: sqlite3.Connection, table: str) -> tuple[str, dict[str, None]]:
    """Return a statement that inserts rows with their seals, and an empty row by column.

    It is twice as quick as a trigger. Values must have the types of their columns: REAL takes no int.
    """
    names = [name for name in columns_of(sql, table) if name != "seal"]
    fields = ", ".join(f"'{name}', :{name}" for name in names)
    values = ", ".join(f":{name}" for name in names)
    columns = ", ".join([*names, "seal"])
    return f"INSERT INTO {table} ({columns}) VALUES ({values}, row_seal({fields}))", dict.fromkeys(names)


def rename_units(sql: sqlite3.Connection) -> None:
    """Rename table and column `unit`, as they were called before schema 4, to `attempt`."""
    if not columns_of(sql, "unit"):
        return
    sql.execute("BEGIN IMMEDIATE")
    sql.execute("ALTER TABLE unit RENAME TO attempt")
    sql.execute("ALTER TABLE outcome RENAME COLUMN unit TO attempt")
    names = columns_of(sql, "outcome")
    if "seal" in names:  # the hash of a row includes the names of its columns
        names.remove("seal")
        sql.create_function("row_seal", -1, _hash_row, deterministic=True)
        sql.execute(f"UPDATE outcome SET seal = {_seal_expression(names)}")
    sql.execute("COMMIT")


def check_ledger(sql: sqlite3.Connection, path: Path, *, sealed: bool) -> None:
    """Check structure and rows, once for each state of the file. Raises LedgerError."""
    state = _file_state(path)
    if _checked.get(path) == state:
        return
    with detecting_damage(path):
        # Unlike quick_check, this checks indexes too: a lookup by a damaged index finds no row.
        [found] = sql.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise damage_error(path, " ".join(found.split()))
        if sealed:
            sql.create_function("row_seal", -1, _hash_row, deterministic=True)
            for table in SEALED:
                is_old = table == "attempt" and columns_of(sql, "unit")
                _check_rows(sql, path, "unit" if is_old else table)
    _checked[path] = state


def _check_rows(sql: sqlite3.Connection, path: Path, table: str) -> None:
    names = columns_of(sql, table)
    if "seal" not in names:
        raise damage_error(path, f"the table {table} is missing or has no seals")
    names.remove("seal")
    wrong = f"SELECT count(*) FROM {table} WHERE seal IS NOT {_seal_expression(names)}"
    [count] = sql.execute(wrong).fetchone()
    if count:
        raise damage_error(path, f"{count} row{'s' * (count > 1)} of the table {table} changed")


def _seal_expression(names: list[str]) -> str:
    fields = ", ".join(f"'{name}', {name}" for name in names)
    return f"row_seal({fields})"


def _hash_row(*fields: object) -> bytes:
    """Hash a row, from its names and values in turn. NULLs are left out, so new columns change no hash."""
    pairs = [pair for pair in zip(fields[::2], fields[1::2], strict=True) if pair[1] is not None]
    return hashlib.sha256(repr(pairs).encode("utf-8", "surrogatepass")).digest()[:_SEAL_BYTES]


def _file_state(path: Path) -> object:
    files = (path, path.with_name(f"{path.name}-wal"))
    found = (each.stat() for each in files if each.exists())
    # Reading creates an empty write-ahead log and removes it again: empty files are left out.
    return [(each.st_ino, each.st_size, each.st_mtime_ns) for each in found if each.st_size]
