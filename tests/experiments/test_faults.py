"""Against a server with every fault: infrastructure failures carry no score, are counted, and are completed."""

import pytest

from ansatz.experiments.ledger.store import Ledger
from tests.experiments.records import records_of
from tests.experiments.served_study import answer, run_command, write_study
from tests.fakes.anthropic_server import AnthropicServer
from tests.fakes.behaviours import Answer, Dropped, Failure, Raw, Slow
from tests.fakes.openai_server import OpenAIServer

FAULTS = [
    Failure(429, "slow down", headers={"retry-after": "0.01"}),
    Failure(500),
    Failure(503),
    Dropped(),
    Dropped(midway=True),
    Raw(b'{"choices": [{"mess'),
    Slow(3.0, then=Answer("Q = 0 J")),
]
PATIENCE = ", timeout: 0.5, retry: {tries: 2, first_wait: 0.01, longest_wait: 0.02}"


@pytest.mark.parametrize(("provider", "serve"), [("openai", OpenAIServer), ("anthropic", AnthropicServer)])
@pytest.mark.parametrize("lasting", [True, False], ids=["lasting", "passing"])
def test_every_fault_is_counted_and_a_resume_completes_the_run(tmp_path, provider, serve, lasting):
    """A passing fault is over at the next try; a lasting one outlives the retries and is an error."""
    healthy = False

    def script(request):
        kind = hash_of(request) % (len(FAULTS) + 2)
        if healthy or kind >= len(FAULTS) or (request.earlier and not lasting):
            return answer(request)
        return FAULTS[kind]

    with serve(script) as server:
        study = write_study(tmp_path, server.base_url, problems=27, settings=PATIENCE, provider=provider)
        first = run_command(study, tmp_path / "run")
        records = read(tmp_path / "run")
        errors = [record for record in records if record.state == "error"]
        assert len(records) == 54
        assert all(record.scores == () and record.error for record in errors)
        assert all(record.scores[0].value == 1.0 for record in records if record.state == "scored")
        if lasting:
            assert first.returncode == 1
            assert len(errors) == 42
            assert "42 failed" in first.stdout
            assert all("ModelUnavailable" in record.error for record in errors)
        else:
            assert (first.returncode, errors) == (0, [])
            assert (
                sum(len(call.retries) for record in records for call in record.transcript.model_calls) == 42
            )
        healthy, asked = True, len(server.requests)
        assert run_command(study, tmp_path / "run").returncode == 0
        assert len(server.requests) - asked == len(errors)
    assert [record.state for record in read(tmp_path / "run")] == ["scored"] * 54


def hash_of(request):
    """The number of the problem: each fault hits three problems, in both arms."""
    return int(request.text.split("Problem ")[1].split(":")[0])


def read(folder):
    with Ledger.open(folder, write=False) as ledger:
        return records_of(ledger)
