"""Open, lock, check, upgrade and copy the file of a ledger."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ansatz.errors import LedgerError
from ansatz.experiments.ledger.integrity import (
    check_ledger,
    columns_of,
    damage_error,
    detecting_damage,
    is_damage,
    rename_units,
    seal_rows,
)
from ansatz.quantities.did_you_mean import nearest

SCHEMA_VERSION = 4
_WITHOUT_SEALS = 2
_NAME = "ledger.sqlite"
_SCHEMA = (Path(__file__).with_name("schema.sql")).read_text(encoding="utf-8")


def open_to_write(folder: Path) -> tuple[sqlite3.Connection, Path, FileLock]:
    """Return a connection for writing, the path, and the lock against other writers. Raises LedgerError."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(folder / "lock", timeout=0, thread_local=False, mode=0o600)
        lock.acquire()
    except Timeout:
        message = f"another run is writing to {folder}; wait for it, or choose another --out"
        raise LedgerError(message) from None
    except OSError as failure:
        raise LedgerError(f"{folder}: no run can be stored there: {failure.strerror}") from None
    path = folder / _NAME
    try:
        create_private_file(path)
        with _closing_on_error(sql := _connect(path), path):
            if sql.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                check_ledger(sql, path, sealed=_is_sealed(sql, folder))
            # WAL with NORMAL: a commit survives the death of the process, without a disk flush.
            sql.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
            _upgrade_schema(sql)
            sql.execute("BEGIN IMMEDIATE")
            seal_rows(sql)
            version = ("schema_version", str(SCHEMA_VERSION))
            sql.execute("INSERT OR REPLACE INTO about (key, value) VALUES (?, ?)", version)
            sql.execute("COMMIT")
    except LedgerError:
        lock.release()
        raise
    return sql, path, lock


def open_to_read(folder: Path) -> tuple[sqlite3.Connection, Path, None]:
    """Return a read-only connection to an existing run. Raises LedgerError.

    All reads see one snapshot, even if the run goes on. The folder need not be writable. A ledger of an
    older schema is upgraded in memory.
    """
    path = folder / _NAME
    if not path.is_file() or not path.stat().st_size:
        raise LedgerError(_describe_missing_run(folder))
    write_ahead_log = path.with_name(f"{_NAME}-wal")
    writable = os.access(folder, os.W_OK)
    if not writable and write_ahead_log.is_file() and write_ahead_log.stat().st_size:
        raise LedgerError(
            f"{folder}: the run was interrupted, and the folder is read-only; copy it to a writable folder"
        )
    # `mode=ro` would leave the files of the write-ahead log behind in a writable folder.
    uri = f"{path.absolute().as_uri()}?mode={'rw' if writable else 'ro&immutable=1'}"
    # Polars streams tables to files in threads, one at a time.
    with _closing_on_error(sql := _connect(uri, uri=True, check_same_thread=False), path):
        sql.execute("BEGIN")
        check_ledger(sql, path, sealed=_is_sealed(sql, folder))
        if not _is_present_schema(sql):
            sql.execute("COMMIT")
            stored, sql = sql, sqlite3.connect(":memory:", isolation_level=None)
            stored.backup(sql)
            stored.close()
            _upgrade_schema(sql)
        sql.execute("PRAGMA query_only = ON")
    return sql, path, None


def _describe_missing_run(folder: Path) -> str:
    """Return a message that a folder is no run, with the runs in it or else next to it."""
    if folder.is_file():
        return f"{folder} is a file, not a run folder; `ansatz run STUDY` writes one, by default in runs/"
    places = (folder.glob(f"*/{_NAME}"), folder.glob(f"runs/*/{_NAME}"), folder.parent.glob(f"*/{_NAME}"))
    runs = next(filter(None, ([str(each.parent) for each in sorted(place)] for place in places)), [])
    advice = nearest(str(folder), runs) if runs else f"; start one with `ansatz run STUDY --out {folder}`"
    return f"{folder} contains no run{advice}"


@contextmanager
def reporting_write_errors(folder: Path) -> Iterator[None]:
    """Raise LedgerError, in one line, if the run folder cannot be written: a full disk, for example."""
    try:
        yield
    except (sqlite3.Error, OSError) as failure:
        if is_damage(failure):
            raise damage_error(folder / _NAME, failure) from failure
        why = failure.strerror if isinstance(failure, OSError) and failure.strerror else failure
        advice = "finished attempts are stored; run the same command again to continue"
        raise LedgerError(f"{folder} cannot be written: {why}; {advice}") from failure


@contextmanager
def private_files() -> Iterator[None]:
    """Give new files and folders to their owner alone, for all threads of the process."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def back_up(folder: Path, out: Path) -> Path:
    """Copy a snapshot of a run's ledger to another folder, also while the run goes on.

    Raises LedgerError if the run is damaged, or if the other folder has a ledger.
    """
    copy = out / _NAME
    if copy.exists():
        raise LedgerError(f"{out} has a ledger; name another folder with --out")
    sql, _, _ = open_to_read(folder)
    part = copy.with_suffix(".part")
    try:
        out.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.unlink(missing_ok=True)
        create_private_file(part)
        with reporting_write_errors(out), closing(sqlite3.connect(part)) as target:
            sql.backup(target)
        os.replace(part, copy)
    finally:
        sql.close()
        part.unlink(missing_ok=True)
    return copy


def create_private_file(path: Path) -> None:
    """Create an empty file for its owner alone. An existing file does not change."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as failure:
        raise LedgerError(f"{path} cannot be opened: {failure.strerror}") from None


def _connect(address: Path | str, **how: bool) -> sqlite3.Connection:
    try:
        return sqlite3.connect(address, isolation_level=None, **how)
    except sqlite3.Error as failure:
        raise LedgerError(f"{address} cannot be opened: {failure}") from None


@contextmanager
def _closing_on_error(sql: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Close the connection and raise LedgerError if the file is not a readable ledger."""
    try:
        with detecting_damage(path):
            yield
    except LedgerError:
        sql.close()
        raise
    except sqlite3.Error as failure:
        sql.close()
        raise LedgerError(f"{path} cannot be opened: {failure}") from None


def _is_present_schema(sql: sqlite3.Connection) -> bool:
    columns = {*columns_of(sql, "outcome"), *columns_of(sql, "payment")}
    old_tables = [*columns_of(sql, "judging"), *columns_of(sql, "unit")]
    return {"written_tokens", "batched"} <= columns and not old_tables


def _upgrade_schema(sql: sqlite3.Connection) -> None:
    """Create the tables, or upgrade those of an earlier schema."""
    rename_units(sql)
    sql.executescript(_SCHEMA)
    if "written_tokens" not in columns_of(sql, "outcome"):
        sql.execute("ALTER TABLE outcome ADD COLUMN written_tokens INTEGER")
    if "batched" not in columns_of(sql, "payment"):
        sql.execute("ALTER TABLE payment ADD COLUMN batched INTEGER NOT NULL DEFAULT 0")
    if columns_of(sql, "judging"):
        columns = "NULL AS arm, input, output, NULL AS cached, NULL AS written, NULL AS reasoning"
        billed = f"SELECT model, {columns}, NULL AS promised, 0 AS batched FROM judging"
        sql.executescript(f"BEGIN IMMEDIATE; INSERT INTO payment {billed}; DROP TABLE judging; COMMIT")


def _is_sealed(sql: sqlite3.Connection, folder: Path) -> bool:
    """Return whether rows of this schema have seals. Raises LedgerError for an unsupported schema."""
    row = sql.execute("SELECT value FROM about WHERE key = 'schema_version'").fetchone()
    version = str(row[0]) if row else str(_WITHOUT_SEALS)  # a new ledger has no version yet
    if not version.isdecimal():
        raise damage_error(folder / _NAME, f"its schema version is {version!r:.40}")
    if not _WITHOUT_SEALS <= int(version) <= SCHEMA_VERSION:
        origin = "a newer Ansatz" if int(version) > SCHEMA_VERSION else "Ansatz 0.1"
        raise LedgerError(
            f"{folder} has ledger schema {version}, this version reads {SCHEMA_VERSION}: use {origin}"
        )
    return int(version) > _WITHOUT_SEALS or "seal" in columns_of(sql, "about")
