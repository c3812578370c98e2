"""The ledger keeps every outcome once, whatever happens."""

import hashlib
import sqlite3
from dataclasses import replace

import pytest
from langchain_core.messages import AIMessage

from ansatz.agents import AgentPlan, Question, Reply, Retry, run_agent
from ansatz.errors import LedgerError
from ansatz.eval import Problem, Score
from ansatz.eval.problem import NumberTarget
from ansatz.experiments.ledger.prices import read_bill
from ansatz.experiments.ledger.record import PlannedAttempt
from ansatz.experiments.ledger.store import Ledger
from ansatz.experiments.ledger.stored_results import describe_isolation
from tests.experiments.records import records_of
from tests.fakes.scripted_model import ScriptedModel

TARGET = NumberTarget(name="Q", unit="kJ", weight=1.0, value=42.0)
PROBLEM = Problem(id="heat#0", family="heat", benchmark="own", question="How much heat?", targets=(TARGET,))
WITHOUT_SEALS = "UPDATE about SET value = '2' WHERE key = 'schema_version';" + "".join(
    f"ALTER TABLE {table} DROP COLUMN seal;" for table in ("about", "problem", "attempt", "reply", "outcome")
)
"""As ledgers were before rows had hashes."""
ATTEMPT = PlannedAttempt("key", "m", "baseline", "heat#0", 0)
SCORES = (
    Score(dimension="exact", value=1.0, evidence="42 = 42"),
    Score(dimension="G1", value=None, evidence="none"),
)


async def test_a_record_comes_back_as_it_was_written(tmp_path):
    made = await run_agent(AgentPlan(), Question("?"), ScriptedModel(replies=[AIMessage("42 kJ")]))
    with Ledger.open(tmp_path) as ledger:
        ledger.plan([ATTEMPT], [PROBLEM])
        ledger.record(ATTEMPT, transcript=made, scores=SCORES)
    [record] = records_of(tmp_path)
    assert (record.transcript, record.scores, record.state) == (made, SCORES, "scored")
    with Ledger.open(tmp_path, write=False) as ledger:
        assert ledger.problems() == {"heat#0": PROBLEM}
        assert ledger.finished_keys() == {"key"}


def test_a_reader_sees_one_snapshot_during_writes(tmp_path):
    other = PlannedAttempt("other", "m", "calculator", "heat#1", 0)
    with Ledger.open(tmp_path) as ledger:
        ledger.plan([ATTEMPT], [PROBLEM])
        ledger.record(ATTEMPT, transcript=None, scores=SCORES)
        with Ledger.open(tmp_path, write=False) as seen:
            assert list(seen.problems()) == ["heat#0"]
            ledger.plan([other], [PROBLEM.model_copy(update={"id": "heat#1"})])
            ledger.record(other, transcript=None, scores=SCORES)
            assert [row["problem"] for row in seen.attempts()] == ["heat#0"]
        with Ledger.open(tmp_path, write=False) as later:
            assert [row["problem"] for row in later.attempts()] == list(later.problems()) == ["heat#1"]


def test_the_first_reply_to_a_request_stays(tmp_path):
    read = {"input_token_details": {"cache_read": 1}}
    usage = {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5, **read}
    first = Reply(AIMessage("42", usage_metadata=usage), 0.5, (Retry(reason="429", waited=1.0),))
    with Ledger.open(tmp_path) as ledger:
        assert ledger.find_reply("request") is None
        ledger.store_reply("request", first)
        ledger.store_reply("request", Reply(AIMessage("43"), seconds=0.1))
        assert ledger.find_reply("request") == replace(first, remembered=True)


def test_a_folder_without_a_ledger_is_refused_in_one_line(tmp_path):
    with pytest.raises(LedgerError, match="contains no run"):
        Ledger.open(tmp_path, write=False)
    assert list(tmp_path.iterdir()) == []
    with Ledger.open(tmp_path), pytest.raises(LedgerError, match="another run is writing"):
        Ledger.open(tmp_path)
    Ledger.open(tmp_path).close()
    file = tmp_path / "ledger.sqlite"
    with sqlite3.connect(file) as sql:
        sql.execute("UPDATE about SET value = '99' WHERE key = 'schema_version'")
    with pytest.raises(LedgerError, match="schema 99"):
        Ledger.open(tmp_path, write=False)
    file.write_text("not a database, but a long enough text to be read as one" * 20)
    with pytest.raises(LedgerError, match="not a database"):
        Ledger.open(tmp_path)


def test_reading_an_older_ledger_changes_no_byte(tmp_path):
    """As it was before payments were kept by request: a judge's in a table of their own, no column for writing."""
    path = tmp_path / "ledger.sqlite"
    with Ledger.open(tmp_path) as ledger:
        ledger.plan([ATTEMPT], [PROBLEM])
        ledger.record(ATTEMPT, transcript=None, scores=SCORES)
    with sqlite3.connect(path) as sql:
        sql.executescript(
            "DROP TABLE batch; DROP TABLE payment; ALTER TABLE outcome DROP COLUMN written_tokens;"
            f"{WITHOUT_SEALS}"
            "CREATE TABLE judging (model TEXT, input INTEGER, output INTEGER);"
            "INSERT INTO judging VALUES ('judge', 7, 3)"
        )
    sql.close()
    stored = path.read_bytes()
    for _ in range(2):
        with Ledger.open(tmp_path, write=False) as ledger:
            [attempt] = ledger.attempts()
            assert (attempt["model"], attempt["problem"], attempt["written_tokens"]) == ("m", "heat#0", None)
            assert [(each.model, each.usage.input) for each in read_bill(ledger)] == [("judge", 7)]
    assert path.read_bytes() == stored and {each.name for each in tmp_path.iterdir()} == {path.name, "lock"}
    with Ledger.open(tmp_path) as ledger:
        assert [(each.model, each.usage.input) for each in read_bill(ledger)] == [("judge", 7)]
    with (
        Ledger.open(tmp_path, write=False) as ledger,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        ledger.describe({"study": {}})


def test_a_ledger_of_schema_3_opens_and_stays_sealed(tmp_path):
    """Its table of planned attempts was `unit`, as was the column of `outcome` that refers to it."""

    def seal(*fields):
        pairs = [pair for pair in zip(fields[::2], fields[1::2], strict=True) if pair[1] is not None]
        return hashlib.sha256(repr(pairs).encode()).digest()[:8]

    with Ledger.open(tmp_path) as ledger:
        ledger.plan([ATTEMPT], [PROBLEM])
        ledger.record(ATTEMPT, transcript=None, scores=SCORES)
    with sqlite3.connect(tmp_path / "ledger.sqlite") as sql:
        sql.create_function("row_seal", -1, seal)
        sql.execute("ALTER TABLE attempt RENAME TO unit")
        sql.execute("ALTER TABLE outcome RENAME COLUMN attempt TO unit")
        sql.execute("UPDATE about SET value = '3' WHERE key = 'schema_version'")
        sql.execute("UPDATE about SET seal = row_seal('key', key, 'value', value)")
        names = [each[1] for each in sql.execute("PRAGMA table_info(outcome)") if each[1] != "seal"]
        fields = ", ".join(f"'{each}', {each}" for each in names)
        sql.execute(f"UPDATE outcome SET seal = row_seal({fields})")
    sql.close()
    for write in (False, True, False):
        with Ledger.open(tmp_path, write=write) as ledger:
            assert ledger.planned_attempts() == [ATTEMPT] and ledger.finished_keys() == {"key"}


def test_levels_of_isolation_accumulate_over_attempts(tmp_path):
    with Ledger.open(tmp_path) as ledger:
        assert not list(describe_isolation(ledger))
        ledger.add_isolation({"none"})
        assert list(describe_isolation(ledger)) == [
            "Code in answers ran in plain subprocesses, without isolation."
        ]
        ledger.add_isolation(set())
        ledger.add_isolation({"full"})
        assert list(describe_isolation(ledger)) == ["Code in answers ran at isolation level full and none."]
