"""The file of a ledger: found, locked, opened and known to be one."""

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
    damage,
    detecting_damage,
    is_damage,
    rename_units,
    seal_rows,
)

SCHEMA_VERSION = 4
_WITHOUT_SEALS = 2
_NAME = "ledger.sqlite"
_SCHEMA = (Path(__file__).with_name("schema.sql")).read_text(encoding="utf-8")


def opened(folder: Path) -> tuple[sqlite3.Connection, Path, FileLock]:
    """A connection that writes, and the lock that keeps others from writing. Raises LedgerError."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(folder / "lock", timeout=0, thread_local=False, mode=0o600)
        lock.acquire()
    except Timeout:
        told = f"another run is writing to {folder}; wait for it, or choose another --out"
        raise LedgerError(told) from None
    except OSError as failure:
        raise LedgerError(f"{folder}: no run can be kept there: {failure.strerror}") from None
    path = folder / _NAME
    try:
        create_private_file(path)
        with _known(sql := _connected(path), path):
            if sql.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                check_ledger(sql, path, sealed=_is_sealed(sql, folder))
            # WAL with NORMAL: a commit survives the death of the process, and costs no disk flush.
            sql.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
            _complete(sql)
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
    """A connection to a run that is there, which changes nothing of it. Raises LedgerError.

    All that is read by it is of one moment, whatever is written meanwhile. Its folder need not be writable.
    A ledger of an older schema is completed in memory.
    """
    path = folder / _NAME
    if not path.is_file() or not path.stat().st_size:
        raise LedgerError(f"{folder} holds no run; start one with `ansatz run STUDY --out {folder}`")
    ahead = path.with_name(f"{_NAME}-wal")
    writable = os.access(folder, os.W_OK)
    if not writable and ahead.is_file() and ahead.stat().st_size:
        raise LedgerError(f"{folder} holds a run that was broken off and cannot be written; copy it first")
    # In a folder that can be written not `mode=ro`, which leaves the files of the write-ahead log behind.
    uri = f"{path.absolute().as_uri()}?mode={'rw' if writable else 'ro&immutable=1'}"
    # Tables are streamed to files by threads of another library, one at a time.
    with _known(sql := _connected(uri, uri=True, check_same_thread=False), path):
        sql.execute("BEGIN")
        check_ledger(sql, path, sealed=_is_sealed(sql, folder))
        if not _is_complete(sql):
            sql.execute("COMMIT")
            stored, sql = sql, sqlite3.connect(":memory:", isolation_level=None)
            stored.backup(sql)
            stored.close()
            _complete(sql)
        sql.execute("PRAGMA query_only = ON")
    return sql, path, None


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Whoever writes into a run folder says in one line that it cannot, such as where the disk is full."""
    try:
        yield
    except (sqlite3.Error, OSError) as failure:
        if is_damage(failure):
            raise damage(folder / _NAME, failure) from failure
        why = failure.strerror if isinstance(failure, OSError) and failure.strerror else failure
        kept = "what is finished is kept; the same command goes on from there"
        raise LedgerError(f"{folder} cannot be written: {why}; {kept}") from failure


@contextmanager
def private_files() -> Iterator[None]:
    """Files and folders made within, by any thread, are readable by their owner alone."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def back_up(folder: Path, out: Path) -> Path:
    """Copy the ledger of a run to another folder, as it is at one moment, also while the run is written.

    Raises LedgerError where the run is damaged, or the other folder holds a ledger.
    """
    copy = out / _NAME
    if copy.exists():
        raise LedgerError(f"{out} holds a ledger already; name another folder with --out")
    sql, _, _ = open_to_read(folder)
    part = copy.with_suffix(".part")
    try:
        out.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.unlink(missing_ok=True)
        create_private_file(part)
        with writing(out), closing(sqlite3.connect(part)) as target:
            sql.backup(target)
        os.replace(part, copy)
    finally:
        sql.close()
        part.unlink(missing_ok=True)
    return copy


def create_private_file(path: Path) -> None:
    """Make an empty file that its owner alone reads and writes; one that is there stays as it is."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as failure:
        raise LedgerError(f"{path} cannot be opened: {failure.strerror}") from None


def _connected(address: Path | str, **how: bool) -> sqlite3.Connection:
    try:
        return sqlite3.connect(address, isolation_level=None, **how)
    except sqlite3.Error as failure:
        raise LedgerError(f"{address} cannot be opened: {failure}") from None


@contextmanager
def _known(sql: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Closes a connection that leads to no ledger of this schema."""
    try:
        with detecting_damage(path):
            yield
    except LedgerError:
        sql.close()
        raise
    except sqlite3.Error as failure:
        sql.close()
        raise LedgerError(f"{path} cannot be opened: {failure}") from None


def _is_complete(sql: sqlite3.Connection) -> bool:
    held = {*columns_of(sql, "outcome"), *columns_of(sql, "payment")}
    return (
        {"written_tokens", "batched"} <= held
        and not columns_of(sql, "judging")
        and not columns_of(sql, "unit")
    )


def _complete(sql: sqlite3.Connection) -> None:
    """Create the tables, or bring those of an earlier schema to the present one."""
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
    """Whether rows have seals, as the schema tells. Raises LedgerError for one that cannot be read here."""
    row = sql.execute("SELECT value FROM about WHERE key = 'schema_version'").fetchone()
    version = str(row[0]) if row else str(_WITHOUT_SEALS)  # one that is only just begun
    if not version.isdecimal():
        raise damage(folder / _NAME, f"its schema version is {version!r:.40}")
    if not _WITHOUT_SEALS <= int(version) <= SCHEMA_VERSION:
        origin = "a newer Ansatz" if int(version) > SCHEMA_VERSION else "Ansatz 0.1"
        raise LedgerError(
            f"{folder} has ledger schema {version}, this version reads {SCHEMA_VERSION}: use {origin}"
        )
    return int(version) > _WITHOUT_SEALS or "seal" in columns_of(sql, "about")
