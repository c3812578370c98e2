"""Credentials: in whatever field one stands, no file of a run and no text shows it, and none is identity."""

import json
import sqlite3
import zipfile
import zlib

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ansatz as az
from ansatz.agents.credentials import fill_in_environment, hide_credentials, hide_in_text
from ansatz.agents.identity import identity
from ansatz.agents.models import connect
from ansatz.agents.models.failures import clean_message
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.experiments.export import FORMATS, write_inspect_logs, write_tables
from tests.experiments.studies import problem
from tests.fakes.behaviours import Answer, Failure
from tests.fakes.openai_server import OpenAIServer

URL = "http://127.0.0.1:9/v1"
PLANTED = [f"planted{number:02}x9f3ad81c7be{number:02}" for number in range(40)]


def settings(secrets):
    """Model settings with a different credential in every field that takes one."""
    give = iter(secrets)
    return {
        "default_headers": {name: next(give) for name in ("x-api-secret", "X-Gateway", "Cookie", "x-a-key", "Z")},
        "default_query": {name: next(give) for name in ("sig", "code", "subscription-key", "v")},
        "organization": next(give),
        "extra_body": {
            "session_token": next(give), "user_secret": next(give),
            "gateway": {"password": next(give), "via": f"Bearer {next(give)}", "list": [f"sk-{next(give)}"]},
        },
        "model_kwargs": {
            "extra_headers": {name: next(give) for name in ("Ocp-Apim-Subscription-Key", "x-functions-key", "Y")},
            "extra_query": {name: next(give) for name in ("token", "w")},
        },
    }  # fmt: skip


def everything_in(folder, published=False):
    """All texts of a run folder, those of the ledger unpacked; or of what is published alone."""
    if not published:
        yield from texts_of_ledger(folder)
    for file in folder.rglob("*"):
        if not file.is_file() or file.name.startswith("ledger.sqlite"):
            continue
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as log:
                yield from (log.read(name).decode(errors="replace") for name in log.namelist())
        elif file.suffix == ".parquet":
            yield str(polars.read_parquet(file).to_dicts())
        else:
            yield file.read_bytes().decode(errors="replace")


def texts_of_ledger(folder):
    kept = sqlite3.connect(folder / "ledger.sqlite")
    tables = [name for (name,) in kept.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        for row in kept.execute(f"SELECT * FROM {table}"):
            for cell in row:
                packed = isinstance(cell, bytes) and cell[:2] in (b"\x78\x01", b"\x78\x9c", b"\x78\xda")
                yield zlib.decompress(cell).decode() if packed else str(cell)
    kept.close()


def echoing(request):
    """An error that repeats all headers for the arm with its own, else an answer that repeats the key."""
    if "x-arm" in request.headers:
        return Failure(400, " ".join(request.headers.values()))
    return Answer(f"I was sent {request.headers['authorization']}.\n\nP = 1 kW")


async def test_a_run_shows_no_planted_credential(tmp_path, monkeypatch, capsys):
    """Headers, query, body, environment, arm, judge, tool and MCP server, each with its own value."""
    models, judges, rest = PLANTED[:20], PLANTED[20:28], PLANTED[28:]
    for name, value in zip(("OPENAI_API_KEY", "HEADER", "SOME_TOKEN"), rest, strict=False):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("VERSION", "v1")
    address = f"http://me:{rest[3]}@127.0.0.1:9/page?key={rest[4]}"

    def look_up(question: str, api_key: str = rest[5], page: str = address) -> str:
        """Look a question up."""
        return "p = rho g h"

    with OpenAIServer(echoing) as server:
        extra = settings(models)
        extra["default_headers"]["x-named"] = "${HEADER}"
        root = server.base_url.removesuffix("/v1")
        asked = {"base_url": f"{root}/${{VERSION}}", "retry": {"tries": 1}, "extra": extra}
        headers = {"default_headers": {f"h{n}": each for n, each in enumerate(judges)}}
        chosen = az.JudgeModel(name="openai:judge", settings={"base_url": server.base_url, "extra": headers})
        judge = az.ModelGraded("Is it clear?", model=chosen)
        study = az.Study(
            "planted",
            models=az.Model("openai:local", settings=asked),
            problems=[problem(1)],
            arms={
                "headers": az.WithModelSettings(extra={"default_headers": {"x-arm": rest[6], "y": rest[7]}}),
                "tool": az.WithRetriever(look_up),
            },
            scorers=[az.Outcome(), judge],
        )
        run = await study.arun(tmp_path / "run")
    assert run.counts["failed"] == 1, run.errors.rows()
    run.report()
    run.view()
    for kind in FORMATS:
        write_tables(run, kind, tmp_path / "run" / kind)
    write_inspect_logs(run.folder, tmp_path / "run" / "inspect")
    with pytest.raises(az.AnsatzError) as broken:
        az.WithMCP(f"no-such-program --token {rest[8]} {rest[9]}").identity  # noqa: B018
    refused = str(broken.value)
    published = [*capsys.readouterr(), refused, str(run), *everything_in(tmp_path / "run", published=True)]
    assert not {secret for secret in PLANTED for text in published if secret in text}
    stored = {secret for secret in PLANTED for text in everything_in(tmp_path / "run") if secret in text}
    assert stored == {rest[0]}, "the ledger alone keeps an answer as it came"
    assert len(published) > 20


STUDY = """
name: planted
models:
  - name: openai:local
    settings:
      base_url: {url}
      retry: {{tries: 1}}
      extra: {{default_headers: {{x-gateway: {0}, x-named: "${{HEADER}}"}}, default_query: {{sig: {1}}},
        extra_body: {{session_token: {2}, via: Bearer {3}}}}}
problems: {{benchmark: file, settings: {{path: problems.jsonl}}}}
arms:
  headers: {{model_settings: {{extra: {{default_headers: {{x-arm: {4}}}}}}}}}
"""


def test_a_study_file_is_stored_without_credentials(tmp_path, monkeypatch):
    """It resumes with the study file; without it, one line names what is missing."""
    monkeypatch.setenv("HEADER", PLANTED[9])
    (tmp_path / "problems.jsonl").write_text('{"question": "How much is P?", "answer": "1 kW"}')
    with OpenAIServer(lambda _: Answer("P = 1 kW")) as server:
        (tmp_path / "study.yaml").write_text(STUDY.format(*PLANTED[:5], url=server.base_url))
        for _ in range(2):
            run = az.Study.from_yaml(tmp_path / "study.yaml").run(tmp_path / "run", progress=False)
        assert (run.counts["scored"], len(server.requests)) == (2, 2)
        assert PLANTED[0] in {each.headers.get("x-gateway") for each in server.requests}
    assert not {each for each in PLANTED for text in everything_in(tmp_path / "run") if each in text}
    with pytest.raises(az.AnsatzError, match="resume with the study file") as refused:
        az.Study.from_run(tmp_path / "run")
    assert "\n" not in str(refused.value)


NAMES = [
    "api_key",
    "apiKey",
    "x-api-key",
    "Authorization",
    "client_secret",
    "password",
    "passwd",
    "cookie",
    "Ocp-Apim-Subscription-Key",
    "token",
    "credentials",
    "x-functions-key",
    "access_key",
    "private_key",
    "session_token",
    "auth-token",
    "refreshToken",
    "team_token",
    "gateway-token",
]
PLACES = ["extra_body", "model_kwargs", "metadata", "tools", "headers", "extra_query", [], ()]


@given(
    path=st.lists(st.sampled_from(PLACES), max_size=5),
    name=st.sampled_from(NAMES),
    secret=st.from_regex(r"[A-Za-z]{4}[0-9][A-Za-z0-9]{7,30}", fullmatch=True),
)
def test_no_credential_is_identity_however_deep(path, name, secret):
    planted = {name: secret}
    for place in path:
        planted = {place: planted} if isinstance(place, str) else type(place)([planted])
    assert secret not in json.dumps(identity({"extra": planted}))


@pytest.mark.parametrize(
    "unit", ["sk-", "sk_a", "a-", "?key=", "Bearer ", "sk-a1b2c3d4e5-", "pk-" + "x" * 50, "1a"]
)
def test_hiding_takes_time_linear_in_the_text(unit):
    """A quadratic pattern would take minutes."""
    assert len(hide_credentials(unit * 100_000)) + len(hide_in_text(unit * 100_000)) > 0


@pytest.mark.parametrize("secret", ["first-value-1", "another-value-2"])
def test_a_rotated_credential_is_no_other_identity(secret):
    extra = {"default_headers": {"x-api-secret": secret}, "default_query": {"sig": secret}}
    found = connect("openai:local", {"base_url": URL, "extra": extra}).identity
    assert found["extra"] == {"default_headers": {}, "default_query": {"sig": "[key]"}}


def test_a_header_from_the_environment_is_stored_as_its_name(monkeypatch):
    monkeypatch.setenv("BETA", "tools-2026")
    extra = {"default_headers": {"x-beta": "${BETA}"}}
    found = connect("openai:local", {"base_url": URL, "extra": extra}).identity
    assert found["extra"] == extra
    assert fill_in_environment(extra) == {"default_headers": {"x-beta": "tools-2026"}}


async def test_an_unset_variable_is_one_line_before_payment(monkeypatch):
    monkeypatch.delenv("NOT_THERE", raising=False)
    with pytest.raises(az.AnsatzError, match="NOT_THERE, which is not set") as raised:
        connect("openai:local", {"base_url": URL, "extra": {"default_headers": {"x": "${NOT_THERE}"}}})
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"stop_token": "<a>"}, {"stop_token": "<b>"}),
        ({"pad_token": "<a>"}, {"pad_token": "<b>"}),
        ({"eos_token": "<|end_of_text_1|>"}, {"eos_token": "<|end_of_text_2|>"}),
        ({"max_tokens": 5}, {"max_tokens": 6}),
        ("use sk-learn-1.2.0", "use sk-learn-1.5.1"),
        ("use sk-learn-contrib-2024", "use sk-learn-contrib-2025"),
        ({"base_url": f"{URL}/gpt-4o-mini-2024-07-18"}, {"base_url": f"{URL}/gpt-4o-2024-08-06"}),
    ],
)
def test_plain_settings_are_no_credentials(one, other):
    assert identity(one) != identity(other)


@pytest.mark.parametrize(
    "value",
    [
        "sk-proj-abcdefgh12345678ABCDEF",
        "sk-ant-api03-AbCdEf0123456789-xyz",
        "gsk_0123456789abcdefghij",
        "Bearer abc.def.ghi",
        "https://me:hunter2@host/v1",
    ],
)
def test_what_has_the_form_of_a_key_is_hidden_anywhere(value):
    shown = identity({"note": value})["note"]
    assert not {part for part in ("12345678", "0123456789", "abc.def", "hunter2") if part in shown}


def test_a_credential_in_settings_is_hidden_in_messages():
    secret = "unusual-value-7"
    extra = {"default_headers": {"x-gw": secret}}
    connect("openai:local", {"base_url": URL, "seed": 1, "extra": extra})
    assert secret not in clean_message(f"the gateway refuses {secret}")


def test_settings_accept_a_key_only_by_its_variable():
    with pytest.raises(az.AnsatzError, match=r"api_key: \$\{NAME\}") as raised:
        ModelSettings.of({"extra": {"api_key": "value-that-must-not-show"}})
    assert "must-not-show" not in str(raised.value)
    assert ModelSettings.of({"extra": {"api_key": "${NAME}"}}).extra == {"api_key": "${NAME}"}
