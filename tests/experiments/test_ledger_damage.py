"""A damaged ledger is one line that names the file: never another result, never a traceback."""

import json
import random
import re
import resource
import shutil
import sqlite3

import pytest
from langchain_core.messages import AIMessage

from ansatz.agents import Reply
from ansatz.errors import LedgerError
from ansatz.experiments.ledger import Ledger, integrity
from ansatz.experiments.ledger.cache import ReplyCache
from ansatz.experiments.ledger.stored_results import read_results
from tests.commands import ansatz, one_line
from tests.experiments.quiet import ran
from tests.test_cli import STUDY


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    (folder / "study.yaml").write_text(STUDY)
    ran(folder / "study.yaml", folder / "run")
    with Ledger.open(folder / "run") as ledger:
        ledger.store_reply("request", Reply(AIMessage("42"), 0.5, ()))
    return folder / "run"


def everything_in(folder):
    """All that can be read from a run: rows, scores, texts, counts, bill."""
    data = read_results(folder)
    with Ledger.open(folder, write=False) as ledger:
        whole = {
            "attempts": list(ledger.attempts()),
            "bill": [(payer, str(paid)) for payer, paid in ledger.payments.totals().items()],
            "about": [ledger.about(key) for key in ("study", "source", "manifest", "scored_by", "looks")],
            "problems": [each.model_dump_json() for each in ledger.problems().values()],
            "finished": sorted(ledger.finished_keys()),
            "transcripts": [str(ledger.transcript(attempt.key)) for attempt in ledger.planned_attempts()],
            "reply": str(ledger.find_reply("request")),
        }
    whole["texts"] = data.read_evidence.conversations(slice(None))
    whole["findings"] = list(data.read_evidence(range(len(data.attempts))))
    return json.dumps(whole, default=str)


def flip(path, place, bit):
    with path.open("r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))


def test_a_damaged_index_loses_no_row_silently(finished, tmp_path):
    """An id is in its table and in the table's index: each place is damaged in turn."""
    sound, path = everything_in(finished), tmp_path / "ledger.sqlite"
    content = (finished / "ledger.sqlite").read_bytes()
    identifier = next(iter(read_results(finished).problems)).encode()
    places = [found.start() for found in re.finditer(re.escape(identifier), content)]
    assert len(places) > 2
    refused = 0
    for place in places:
        shutil.copy(finished / "ledger.sqlite", path)
        flip(path, place + len(identifier) - 1, 0)
        try:
            assert everything_in(tmp_path) == sound
        except LedgerError:
            refused += 1
    assert refused > 2


@pytest.mark.parametrize("count", [40, pytest.param(300, marks=pytest.mark.slow)])
def test_no_flipped_bit_changes_what_is_read_silently(finished, tmp_path, count):
    sound, places, found, wrong = everything_in(finished), random.Random(count), 0, []
    size = (finished / "ledger.sqlite").stat().st_size
    for number in range(count):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = shutil.copy(finished / "ledger.sqlite", folder / "ledger.sqlite")
        flip(path, places.randrange(size), places.randrange(8))
        try:
            read = everything_in(folder)
        except LedgerError as failure:
            read, line = sound, str(failure)
            found += 1
            wrong += [line] if str(path) not in line or "\n" in line else []
        assert read == sound
        shutil.rmtree(folder)
    assert found and not wrong


DAMAGE = {
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "header": lambda path: path.write_bytes(b"x" * 100 + path.read_bytes()[100:]),
    "zeros": lambda path: path.write_bytes(path.read_bytes()[:8192] + bytes(path.stat().st_size - 8192)),
    "another file": lambda path: path.write_bytes(b"no database " * 1000),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_gross_damage_is_one_line_for_reading_and_writing(finished, tmp_path, kind):
    path = shutil.copy(finished / "ledger.sqlite", tmp_path / "ledger.sqlite")
    DAMAGE[kind](path)
    for write in (False, True):
        with pytest.raises(LedgerError, match=r"is damaged .*restore a backup") as raised:
            Ledger.open(tmp_path, write=write)
        assert "\n" not in str(raised.value)


def test_a_changed_score_is_found_in_a_sound_database(finished, tmp_path):
    path = shutil.copy(finished / "ledger.sqlite", tmp_path / "ledger.sqlite")
    with sqlite3.connect(path) as sql:
        sql.execute("UPDATE outcome SET seconds = seconds + 1")
    sql.close()
    with pytest.raises(LedgerError, match="table outcome changed"):
        read_results(tmp_path)


def test_a_backup_of_a_run_that_goes_on_is_whole(finished, tmp_path):
    run = shutil.copytree(finished, tmp_path / "run")
    with Ledger.open(run) as ledger:
        ledger.describe({"scored_by": "before"})
        made = ansatz("export", run, "--to", "ledger", "--out", tmp_path / "backup")
        ledger.describe({"scored_by": "after"})
    assert made.returncode == 0 and made.stdout.split() == [str(tmp_path / "backup" / "ledger.sqlite")]
    with Ledger.open(run) as ledger:
        ledger.describe({"scored_by": "before"})
    assert everything_in(tmp_path / "backup") == everything_in(run)
    assert (tmp_path / "backup" / "ledger.sqlite").stat().st_mode & 0o077 == 0
    assert "has a ledger" in one_line(ansatz("export", run, "--to", "ledger", "--out", tmp_path / "backup"))


def test_too_few_descriptors_are_one_line(finished, tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (40, hard))
    try:
        done = ansatz("run", finished.parent / "study.yaml", "--out", tmp_path / "run")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2)


def test_a_file_is_checked_once_for_each_of_its_states(finished, tmp_path, monkeypatch):
    run = shutil.copytree(finished, tmp_path / "run")
    checked = []
    monkeypatch.setattr(integrity, "_check_rows", lambda sql, path, table: checked.append(table))
    for _ in range(3):
        Ledger.open(run, write=False).close()
    assert len(checked) == len(integrity.SEALED)
    with Ledger.open(run) as ledger:
        ledger.describe({"scored_by": None})
    Ledger.open(run, write=False).close()
    assert len(checked) == 2 * len(integrity.SEALED)


def test_a_damaged_write_ahead_log_loses_the_last_commits_only(finished, tmp_path):
    run = shutil.copytree(finished, tmp_path / "run")
    with Ledger.open(run) as ledger:
        for number in range(20):
            ledger.describe({"scored_by": number})
        left = shutil.copytree(run, tmp_path / "left")  # as after kill -9
    log = left / "ledger.sqlite-wal"
    flip(log, log.stat().st_size // 2, 3)
    for _ in range(2):
        with Ledger.open(left) as ledger:
            assert ledger.about("scored_by") in range(20)
        assert len(read_results(left).attempts) == len(read_results(finished).attempts)


def test_a_folder_without_a_run_names_runs_near_it(finished, tmp_path):
    shutil.copytree(finished, tmp_path / "pumps")
    for wrong in (tmp_path / "pump", tmp_path):
        with pytest.raises(LedgerError, match=rf"contains no run; did you mean '{tmp_path}/pumps'"):
            read_results(wrong)
    with pytest.raises(LedgerError, match="is a file, not a run folder"):
        read_results(tmp_path / "pumps" / "ledger.sqlite")


def test_an_emptied_ledger_contains_no_run(finished, tmp_path):
    (tmp_path / "ledger.sqlite").touch()
    with pytest.raises(LedgerError, match="contains no run"):
        Ledger.open(tmp_path, write=False)
    Ledger.open(tmp_path).close()


def test_an_odd_schema_version_is_one_line(finished, tmp_path):
    path = shutil.copy(finished / "ledger.sqlite", tmp_path / "ledger.sqlite")
    with sqlite3.connect(path) as sql:
        sql.execute("UPDATE about SET value = 'abc' WHERE key = 'schema_version'")
    sql.close()
    for write in (False, True):
        with pytest.raises(LedgerError, match="schema version is 'abc'"):
            Ledger.open(tmp_path, write=write)


def test_files_of_a_run_are_for_their_owner_alone(finished):
    assert {path.name for path in finished.iterdir() if path.stat().st_mode & 0o077} == set()


def test_a_damaged_reply_cache_is_a_miss_with_one_notice(tmp_path):
    reply = Reply(AIMessage("42"), 0.5, ())
    cache = ReplyCache(tmp_path)
    for name in ("a", "b"):
        cache.put(name, reply)
        assert cache.get(name).message.content == "42"
    cache._sql.execute("UPDATE reply SET reply = substr(reply, 1, 30)")
    with pytest.warns(UserWarning, match="made again") as noticed:
        assert cache.get("a") is None and cache.get("b") is None
    assert len(noticed) == 1
    cache.put("a", reply)
    assert cache.get("a").message.content == "42"
    cache.close()
    (tmp_path / "replies.sqlite").write_bytes(b"no database " * 1000)
    with pytest.warns(UserWarning, match="made again"):
        cache = ReplyCache(tmp_path)
    assert cache.get("a") is None
