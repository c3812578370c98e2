"""What makes two studies the same work: equal attempt keys, and so nothing to pay for again."""

import functools
import sqlite3
import threading
import zlib

import pytest
from langchain_anthropic import ChatAnthropic
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import tool
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_openai import ChatOpenAI

import ansatz as az
from ansatz.experiments.design.plugins import load_reference
from tests.experiments.studies import problem

SLIDE_RULE = "offline:slide-rule"
SCRIPT = '''
ROUGHNESS = 0.045
calls = 0

def _area(d: float) -> float:
    return 0.785 * d * d

def loss(d: float, {default}) -> float:
    """Loss in a pipe of diameter d."""
    global calls
    calls += 1
    return ROUGHNESS * _area(d) * factor

def made(slope):
    def loss(d: float) -> float:
        """Loss in a pipe of diameter d."""
        return slope * d
    return loss
'''


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """Loads `loss` or `made` of a script as it would be after an edit."""

    def load(name="loss", default="factor: float = 1.0", **edits):
        text = SCRIPT.format(default=default)
        for old, new in edits.values():
            assert old in text
            text = text.replace(old, new)
        folder = tmp_path_factory.mktemp("script")
        (folder / "pipe.py").write_text(text)
        return load_reference(f"pipe.py:{name}", folder)

    return load


class Handbook(BaseRetriever):
    """Finds the same page for every question."""

    page: str = "p = rho g h"

    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(self.page, metadata={"source": "handbook"})]


def remote(**parameters):
    known = {"model": "local", "base_url": "http://127.0.0.1:9/v1", "api_key": "unused"}
    return ChatOpenAI(**{**known, **parameters})


def keys(models=SLIDE_RULE, arms=None, problems=(1, 2), **settings):
    arms = {"tool": az.WithTools(_scale)} if arms is None else arms
    study = az.Study("x", models=models, problems=[problem(each) for each in problems], arms=arms, **settings)
    return {attempt.key for attempt in study.design.attempts}


def _scale(x: float) -> float:
    """Twice x."""
    return 2 * x


def arm(*switches):
    return {"arms": {"a": list(switches)}}


def model(*models):
    return {"models": list(models)}


TEXT = az.WithPrompt("Use SI units.")
PAIRS = {  # name: (one, other, same attempts)
    "a switch's setting": (lambda s: arm(az.EquationRetrieval(top=3)), lambda s: arm(az.EquationRetrieval(top=4)), False),
    "its default spelled out": (lambda s: arm(az.EquationRetrieval()), lambda s: arm(az.EquationRetrieval(top=5)), True),
    "a whole number for a float": (lambda s: arm(az.Calculator(timeout_seconds=20)), lambda s: arm(az.Calculator(timeout_seconds=20.0)), True),
    "limits as a file has them": (lambda s: {"limits": az.Limits(seconds=60)}, lambda s: {"limits": {"seconds": 60}}, True),
    "a tool's source": (lambda s: arm(az.WithTools(s())), lambda s: arm(az.WithTools(s(e=("_area(d) *", "_area(d) /")))), False),
    "a tool's file moved": (lambda s: arm(az.WithTools(s())), lambda s: arm(az.WithTools(s())), True),
    "a helper of a tool": (lambda s: arm(az.WithTools(s())), lambda s: arm(az.WithTools(s(e=("0.785", "0.7854")))), False),
    "a constant of a tool": (lambda s: arm(az.WithTools(s())), lambda s: arm(az.WithTools(s(e=("0.045", "0.046")))), False),
    "a variable that a tool counts in": (lambda s: arm(az.WithTools(s())), lambda s: arm(az.WithTools(s(e=("calls = 0", "calls = 7")))), True),
    "another function of the script": (lambda s: arm(az.WithTools(s())), lambda s: arm(az.WithTools(s(e=("slope * d", "slope + d")))), True),
    "a default argument": (lambda s: arm(az.WithTools(s())), lambda s: arm(az.WithTools(s(default="factor: float = 2.0"))), False),
    "a value closed over": (lambda s: arm(az.WithTools(s("made")(1.0))), lambda s: arm(az.WithTools(s("made")(1.1))), False),
    "the same value closed over": (lambda s: arm(az.WithTools(s("made")(1.0))), lambda s: arm(az.WithTools(s("made")(1.0))), True),
    "a partial's argument": (lambda s: arm(az.WithRetriever(functools.partial(str.__add__, "a"))), lambda s: arm(az.WithRetriever(functools.partial(str.__add__, "b"))), False),
    "a lambda next to another": (lambda s: arm(az.WithRetriever(lambda q: "a" + q)), lambda s: arm(az.WithRetriever(lambda q: "b" + q)), False),
    "a LangChain tool's description": (lambda s: arm(tool("scale")(_scale)), lambda s: arm(tool("scale", description="Double.")(_scale)), False),
    "a function and the same as a switch": (lambda s: arm(_scale), lambda s: arm(az.WithTools(_scale)), True),
    "a retriever's field": (lambda s: arm(Handbook()), lambda s: arm(Handbook(page="F = m a")), False),
    "limits": (lambda s: {}, lambda s: {"limits": az.Limits(model_calls=3)}, False),
    "temperature by setting": (lambda s: model(az.Model("openai:m", settings={"base_url": "http://127.0.0.1:9", "temperature": 0})), lambda s: model(az.Model("openai:m", settings={"base_url": "http://127.0.0.1:9", "temperature": 1})), False),
    "base_url by setting": (lambda s: model(az.Model("openai:m", "m", settings={"base_url": "http://127.0.0.1:9"})), lambda s: model(az.Model("openai:m", "m", settings={"base_url": "http://127.0.0.1:8"})), False),
    "retries and timeout": (lambda s: model(az.Model("openai:m", settings={"base_url": "http://127.0.0.1:9"})), lambda s: model(az.Model("openai:m", settings={"base_url": "http://127.0.0.1:9", "timeout": 9, "retry": {"tries": 1}})), True),
    "an object's temperature": (lambda s: model(remote(temperature=0)), lambda s: model(remote(temperature=1)), False),
    "an object's base_url": (lambda s: model(remote()), lambda s: model(remote(base_url="http://127.0.0.1:8/v1")), False),
    "an object's key, retries, headers of access": (lambda s: model(remote(default_headers={})), lambda s: model(remote(api_key="another", max_retries=0, timeout=5, default_headers={"Authorization": "Bearer x"})), True),
    "an object's further header's value": (lambda s: model(remote(default_headers={"X-Beta": "1"})), lambda s: model(remote(default_headers={"X-Beta": "2"})), True),
    "the SDK's address in the environment": (lambda s: model(_in_environment("http://127.0.0.1:9/v1")), lambda s: model(_in_environment("http://127.0.0.1:8/v1")), False),
    "a label, prices, concurrency": (lambda s: model(SLIDE_RULE), lambda s: model(az.Model(SLIDE_RULE, "the rule", concurrency=2, input_price=1, output_price=2)), True),
    "a recording": (lambda s: model(SLIDE_RULE), lambda s: model(az.Model(SLIDE_RULE, record="exchanges.jsonl")), True),
    "order of models": (lambda s: model(SLIDE_RULE, remote()), lambda s: model(remote(), SLIDE_RULE), True),
    "an arm's name": (lambda s: {"arms": {"a": TEXT}}, lambda s: {"arms": {"b": TEXT}}, True),
    "the baseline's name": (lambda s: {"arms": {"bare": [], "a": TEXT}, "baseline": "bare"}, lambda s: {"arms": {"a": TEXT}}, True),
    "order of arms": (lambda s: {"arms": {"a": TEXT, "b": _scale}}, lambda s: {"arms": {"b": _scale, "a": TEXT}}, True),
    "order of switches": (lambda s: arm(TEXT, _scale), lambda s: arm(_scale, TEXT), True),
    "order of problems": (lambda s: {"problems": (1, 2)}, lambda s: {"problems": (2, 1)}, True),
    "scorers": (lambda s: {"scorers": [az.Outcome()]}, lambda s: {"scorers": [az.Verifier()]}, True),
    "the seed": (lambda s: {}, lambda s: {"seed": 1}, False),
}  # fmt: skip


def _in_environment(url):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", url)
        return ChatOpenAI(model="local", api_key="unused")


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_part_of_identity_and_what_is_not(name, script):
    one, other, same = PAIRS[name]
    first, second = keys(**one(script)), keys(**other(script))
    assert (first == second) == same
    assert same or len(first & second) <= len(first) / 2, "the baseline's attempts alone may stay"


def test_a_changed_setting_concerns_its_own_arm_alone():
    first = keys(arms={"a": az.EquationRetrieval(top=3), "b": TEXT})
    second = keys(arms={"a": az.EquationRetrieval(top=4), "b": TEXT})
    assert len(first & second) == 4 and len(first - second) == 2
    both = keys(arms={"a": az.EquationRetrieval(top=3), "b": az.EquationRetrieval(top=4)})
    assert len(both) == 6, "arms that differ in a setting alone are two treatments"


def test_an_index_of_random_ids_needs_a_name():
    store = InMemoryVectorStore.from_texts(["p = rho g h"], DeterministicFakeEmbedding(size=4))
    with pytest.raises(az.StudyError, match="WithRetriever has no usable identity: give it a name"):
        keys(**arm(store.as_retriever()))
    other = InMemoryVectorStore.from_texts(["p = rho g h"], DeterministicFakeEmbedding(size=4))
    assert keys(**arm(store.as_retriever(name="a"))) == keys(**arm(other.as_retriever(name="a")))
    few = store.as_retriever(name="a", search_kwargs={"k": 1})
    assert keys(**arm(few)) != keys(**arm(store.as_retriever(name="a")))


def test_what_cannot_be_told_from_another_needs_a_name():
    lock = threading.Lock()

    def guarded(question: str) -> str:
        """A page."""
        with lock:
            return question

    for kind in (az.WithRetriever, az.WithTools):
        named = r'give it a name, as in name="my own v2" \(a _thread.lock cannot'
        with pytest.raises(az.StudyError, match=named) as refusal:
            keys(**arm(kind(guarded)))
        assert "\n" not in str(refusal.value)
        assert keys(**arm(kind(guarded, name="v1"))) != keys(**arm(kind(guarded, name="v2")))


async def test_no_secret_lands_in_a_run_folder(tmp_path):
    hidden = "hush-7f3a"
    chats = [
        ChatOpenAI(
            model="one", api_key=hidden, base_url=f"http://me:{hidden}@127.0.0.1:9/v1", max_retries=0,
            default_headers={"Authorization": f"Bearer {hidden}"}, default_query={"api-key": hidden},
            openai_proxy=f"http://me:{hidden}@127.0.0.1:9",
        ),
        ChatAnthropic(
            model="two", api_key=hidden, base_url="http://127.0.0.1:9", max_retries=0,
            default_headers={"x-api-key": hidden}, mcp_servers=[{"type": "url", "url": f"https://x?key={hidden}", "name": "x", "authorization_token": hidden}],
        ),
    ]  # fmt: skip
    models = [az.Model(chat, settings={"retry": {"tries": 1}}) for chat in chats]

    def ask(question: str, api_key: str = hidden) -> str:
        """Ask somebody."""
        return question + api_key

    study = az.Study("secret", models=models, problems=[problem(1)], arms={"a": az.WithRetriever(ask)})
    run = await study.arun(tmp_path / "run")
    assert run.counts["failed"] == 4
    kept = sqlite3.connect(tmp_path / "run" / "ledger.sqlite")
    texts = [zlib.decompress(row[0]).decode() for row in kept.execute("SELECT content FROM text")]
    texts += [str(row) for table in ("about", "outcome") for row in kept.execute(f"SELECT * FROM {table}")]
    kept.close()
    texts += [file.read_bytes().decode(errors="replace") for file in (tmp_path / "run").iterdir()]
    assert not [text for text in texts if hidden in text]
    assert len(texts) > 10
