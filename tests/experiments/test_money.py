"""What requests cost, what a run was billed, and the budget that it keeps."""

import asyncio
import random
import re
import shutil
from dataclasses import replace

import pytest
from genai_prices import Usage as ListedUsage
from genai_prices import calc_price

import ansatz as az
from ansatz.agents import Usage
from ansatz.errors import BudgetSpent, StudyError
from ansatz.experiments.ledger import Ledger, Payer
from ansatz.experiments.ledger.prices import Price, find_price
from ansatz.experiments.run import Run
from ansatz.experiments.running.spending import Spending
from ansatz.experiments.study import Study
from tests.experiments.records import payments_of
from tests.experiments.served_study import answer, command, essence, run_command, write_study
from tests.experiments.test_kill import kill_after
from tests.fakes.behaviours import Answer, Failure, Slow, Tokens
from tests.fakes.openai_server import OpenAIServer

NO_PRICE = {"input_price": None, "output_price": None}
MOST = 0.25  # dollars that one may cost, about: the prompt's bytes, what the provider adds, 50 tokens
EACH = (20 * 100 + 6 * 1000) / 1e6  # dollars of a reply of `answer`


def priced_study(folder, server, **settings):
    """Each reply costs $0.008, and may cost up to about $0.3 for the prompt and 50 tokens of answer."""
    path = write_study(folder, server.base_url, settings=", max_tokens: 50", **settings)
    text = path.read_text().replace("concurrency:", "input_price: 100, output_price: 1000, concurrency:")
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "model", ["openai:gpt-5.2", "anthropic:claude-sonnet-4-5", "google_genai:gemini-2.5-pro"]
)
@pytest.mark.parametrize(
    ("read", "cached", "written", "reasoned"), [(2000, 0, 0, 0), (2000, 1500, 0, 200), (90_000, 1500, 80_000, 0)]
)  # fmt: skip
def test_a_listed_price_is_the_tables_own_reckoning(model, read, cached, written, reasoned):
    price = find_price(NO_PRICE, {"model": model})
    provider, _, name = model.partition(":")
    if price.cache_write_price is None:
        written = 0
    details = {
        "cache_read_tokens": cached,
        "cache_write_tokens": written,
        "output_reasoning_tokens": reasoned,
    }
    listed = ListedUsage(input_tokens=read, output_tokens=300, **details)
    used = Usage(input=read, output=300, cached_input=cached, cache_write=written, reasoning=reasoned)
    by_table = calc_price(listed, name, provider_id=provider).total_price
    assert price.dollars(used) == pytest.approx(float(by_table), rel=1e-9)
    assert name in price.source and "genai-prices" in price.source


def test_what_no_table_knows_is_unknown_and_the_study_goes_first():
    unknown = ["openai:gpt-nonsense", "nobody:x", "offline:slide-rule", "replay"]
    assert [find_price(NO_PRICE, {"model": model}) for model in unknown] == [None] * 4
    local = {"model": "openai:gpt-5.2", "base_url": "http://localhost:8000/v1"}
    assert find_price(NO_PRICE, local) is None
    assert find_price(NO_PRICE, {"model": "openai:gpt-5.2", "extra": {"service_tier": "priority"}}) is None
    assert find_price({"input_price": 1.0, "output_price": 2.0}, local) == Price(1.0, 2.0)
    tiered = find_price(NO_PRICE, {"model": "anthropic:claude-sonnet-4-5"})
    assert tiered.dollars(Usage(input=tiered.longest_prompt + 1, output=1)) is None
    assert tiered.dollars(Usage()) is None  # a server that counts nothing


@pytest.mark.parametrize("details", [{"cached_price": 1.0}, {"input_price": 1.0}])
def test_prices_that_do_not_go_together_are_refused(details):
    with pytest.raises(StudyError, match="input_price and output_price"):
        az.Model("openai:gpt-5.2", **details)


def test_a_run_is_billed_by_model_arm_and_what_providers_cache(tmp_path):
    tokens = Tokens(input=20, output=6, cached=10, reasoning=4)
    with OpenAIServer(lambda asked: Answer(answer(asked).text, tokens=tokens)) as server:
        path = priced_study(tmp_path, server, problems=3)
        path.write_text(path.read_text().replace("input_price", "cached_price: 10, input_price"))
        finished = run_command(path, tmp_path / "run")
    assert finished.returncode == 0, finished.stderr
    each = (10 * 100 + 10 * 10 + 6 * 1000) / 1e6
    table = Run(tmp_path / "run").spending
    assert set(table["arm"]) == {"baseline", "placebo"}
    assert table["requests"].to_list() == [3, 3] and table["of these cached"].to_list() == [30, 30]
    assert table["dollars"].to_list() == pytest.approx([3 * each] * 2)
    assert Run(tmp_path / "run").attempts()["dollars"].to_list() == pytest.approx([each] * 6)
    paid = "6 requests, 120 tokens in (60 cached), 36 out, $0.04"
    assert f"Paid: {paid}." in finished.stdout and paid in finished.stderr
    model = Ledger.open(tmp_path / "run", write=False).about("manifest")["study"]["models"][0]
    assert (model["cached_price"], model["source"]) == (10.0, "the study")


def test_an_unknown_price_is_called_unknown(tmp_path):
    with OpenAIServer(answer) as server:
        path = write_study(tmp_path, server.base_url, problems=1)
        run = Study.from_yaml(path).run(tmp_path / "run", progress=False)
        with pytest.raises(StudyError, match=r"budget: the price of the model openai:fake is unknown; give"):
            Study.from_yaml(path, ["budget.dollars=1"])
    assert run.spending["dollars"].to_list() == [None, None]
    assert "unknown dollars for openai:fake" in run.notes[0]
    assert "| unknown" in run.report().markdown.read_text()


def test_a_budget_stops_before_it_is_passed_and_goes_on_with_more(tmp_path):
    with OpenAIServer(answer, latency=0.01) as server:
        path = priced_study(tmp_path, server, problems=40, concurrency=16)
        stopped = run_command(path, tmp_path / "run", "--max-cost", "0.5")
        asked = len(server.requests)
        assert stopped.returncode == 1 and "Traceback" not in stopped.stderr
        [line] = [each for each in stopped.stderr.splitlines() if "stopped at" in each]
        assert 10 < asked < 0.5 / EACH
        assert Run(tmp_path / "run").counts == {"planned": 80, "scored": asked, "failed": 0}
        assert f"{asked} of 80 attempts are scored" in line
        rest = float(re.search(r"about \$([\d.]+)", line)[1])
        assert rest == pytest.approx((80 - asked) * EACH, rel=1e-3)
        enough = re.search(r"--max-cost ([\d.]+)", line)[1]
        finished = run_command(path, tmp_path / "run", "--max-cost", enough)
        assert finished.returncode == 0, finished.stderr
        assert len(server.requests) == 80


@pytest.mark.slow
def test_kills_do_not_lead_past_a_budget(tmp_path):
    """What was in flight may have been billed: it counts as the most that it can cost."""
    choose = random.Random(3)
    with OpenAIServer(answer, latency=0.05) as server:
        path = priced_study(tmp_path, server, problems=60, concurrency=4)
        for _ in range(3):
            kill_after([*command(path, tmp_path / "run"), "--max-cost", "2.4"], server, choose, (0, 1))
        stopped = run_command(path, tmp_path / "run", "--max-cost", "2.4")
        served = len(server.requests) * EACH
        assert served <= 2.4
        totals = payments_of(tmp_path / "run").values()
        promised = sum(each.promised for each in totals)
        known = sum(each.usage.input * 100 + each.usage.output * 1000 for each in totals) / 1e6
        assert served - 1e-9 <= known + promised <= 2.4
    assert stopped.returncode in (0, 1)


@pytest.mark.parametrize("answers_after", [2, None])
async def test_each_try_that_timed_out_stays_in_the_budget(tmp_path, answers_after):
    """Whether a later try is answered or none is: a provider may bill every one of them."""

    def script(request):
        is_late = answers_after is None or request.earlier < answers_after
        return Slow(5.0) if is_late else answer(request)

    tries = "timeout: 0.3, max_tokens: 50, retry: {tries: 3, initial_wait: 0.001, max_wait: 0.001}"
    with OpenAIServer(script) as server:
        path = priced_study(tmp_path, server, problems=1, concurrency=1)
        path.write_text(path.read_text().replace("max_tokens: 50", tries))
        run = await Study.from_yaml(path, ["budget.dollars=5"]).arun(tmp_path / "run", progress=False)
        sent = len(server.requests)
    [baseline, placebo] = payments_of(tmp_path / "run").values()
    answered = 0 if answers_after is None else 1
    assert baseline.requests + placebo.requests == sent == 6
    assert run.counts["scored"] == 2 * answered
    for paid in (baseline, placebo):
        late = 3 - answered
        assert paid.usage.input == 20 * answered
        assert paid.promised == pytest.approx(late * MOST, rel=0.5)


@pytest.mark.parametrize("tokens", [Tokens(-5, 6), Tokens(20, 2**63), Tokens(20.5, 6), Tokens("20", "6")])
async def test_an_odd_usage_is_stored_and_its_promise_stays(tmp_path, tokens):
    def script(request):
        return replace(answer(request), tokens=tokens)

    with OpenAIServer(script) as server:
        path = priced_study(tmp_path, server, problems=2, concurrency=2)
        run = await Study.from_yaml(path, ["budget.dollars=5"]).arun(tmp_path / "run", progress=False)
        again = await Study.from_yaml(path, ["budget.dollars=5"]).arun(tmp_path / "run", progress=False)
        assert len(server.requests) == 4
    assert run.counts == again.counts == {"planned": 4, "scored": 4, "failed": 0}
    totals = payments_of(tmp_path / "run").values()
    assert sum(each.requests for each in totals) == 4
    assert sum(each.promised for each in totals) == pytest.approx(4 * MOST, rel=0.5)


async def test_a_run_whose_requests_time_out_ends_at_its_budget(tmp_path):
    """At up to $0.25 a try, a budget of $0.6 pays for two tries."""
    tries = "timeout: 0.3, max_tokens: 50, retry: {tries: 6, initial_wait: 0.001, max_wait: 0.001}"
    with OpenAIServer(lambda request: Slow(5.0)) as server:
        path = priced_study(tmp_path, server, problems=4, concurrency=4)
        path.write_text(path.read_text().replace("max_tokens: 50", tries))
        with pytest.raises(BudgetSpent):
            await Study.from_yaml(path, ["budget.dollars=0.6"]).arun(tmp_path / "run", progress=False)
        sent = len(server.requests)
    promised = sum(each.promised for each in payments_of(tmp_path / "run").values())
    assert 1 < sent < 4
    assert sent * MOST == pytest.approx(promised, rel=0.5)
    assert promised <= 0.6


def study_of_dear_answers(folder, server, budget, **settings):
    """At $1 per 1000 tokens of answer, of which there may be 50, a request costs up to about $0.053."""
    path = priced_study(folder, server, **settings)
    path.write_text(path.read_text().replace("input_price: 100", "input_price: 1"))
    return Study.from_yaml(path, [f"budget.dollars={budget}"])


async def count_requests_at_once(spending, payer):
    """Of 30 requests, the number that the budget lets go before one has ended."""
    sent, may_end = [], asyncio.Event()

    async def send(number):
        async with spending.reserving(payer, 2000):
            sent.append(number)
            await may_end.wait()

    tasks = [asyncio.create_task(send(number)) for number in range(30)]
    for _ in tasks:
        await asyncio.sleep(0)
    at_once = len(sent)
    may_end.set()
    await asyncio.gather(*tasks)
    return at_once


async def test_a_reservation_follows_the_longest_of_eight_replies(tmp_path):
    """Never of a batch, and no longer after a timeout: its reply may be as long as allowed."""
    payer = Payer("openai:fake", "placebo")
    with OpenAIServer(answer) as server:
        study = study_of_dear_answers(tmp_path, server, 0.26, problems=1)
    with Ledger.open(tmp_path / "run") as ledger:
        spending = Spending(study.design, ledger, 0.26)
        for _ in range(7):
            spending.count(payer, Usage(input=20, output=1), 2000)
        assert await count_requests_at_once(spending, payer) == 4
        spending.count(payer, Usage(input=20, output=6), 2000)
        assert await count_requests_at_once(spending, payer) == 16
        batched = payer._replace(batched=True)
        for _ in range(8):
            spending.count(batched, Usage(input=20, output=1), 2000)
        assert await count_requests_at_once(spending, batched) == 9
        assert await count_requests_at_once(spending, payer._replace(arm="baseline")) == 4
        async with spending.reserving(payer, 2000) as promise:
            await promise.keep(renew=False)
        assert await count_requests_at_once(spending, payer) == 3


async def test_growing_replies_pass_a_budget_by_those_in_flight(tmp_path):
    """From the 41st on, each costs four times what was reserved."""

    def script(request):
        return replace(answer(request), tokens=Tokens(20, 6 if request.number < 40 else 50))

    with OpenAIServer(script, latency=0.01) as server:
        study = study_of_dear_answers(tmp_path, server, 0.5, problems=60, concurrency=16)
        with pytest.raises(BudgetSpent):
            await study.arun(tmp_path / "run", progress=False)
    assert len(server.requests) > 40
    usages = [each.usage for each in payments_of(tmp_path / "run").values()]
    paid = sum(each.input * 1 + each.output * 1000 for each in usages) / 1e6
    assert 0.4 < paid <= 0.5 + 16 * 0.053


async def test_a_rejected_request_costs_nothing(tmp_path):
    def flaky(request):
        return Failure(400) if "state Q = 1 J" in request.text else answer(request)

    with OpenAIServer(flaky) as server:
        path = priced_study(tmp_path, server, problems=2, concurrency=1)
        run = await Study.from_yaml(path, ["budget.dollars=1"]).arun(tmp_path / "run", progress=False)
    assert run.counts["failed"] == 2
    assert run.spending["requests"].to_list() == [1, 1]
    assert run.spending["dollars"].to_list() == pytest.approx([EACH] * 2)


def test_dollars_per_solved_problem(tmp_path):
    """Every third problem is missed under the bare arm, which so costs half as much again for each solved."""

    def some(request):
        right = answer(request)
        missed = int(right.text.split()[2]) % 3 == 0 and len(request.text) < 1000
        return Answer("Q = 0 J", tokens=right.tokens) if missed else right

    with OpenAIServer(some) as server:
        run = Study.from_yaml(priced_study(tmp_path, server, problems=30)).run(tmp_path / "r", progress=False)
    bare, placebo = run.per_solved.sort("arm").to_dicts()
    assert (bare["attempts"], bare["solved"], placebo["solved"]) == (30, 20, 30)
    assert bare["dollars_per_solved"] == pytest.approx(30 * EACH / 20)
    assert bare["low"] < 1.5 * EACH < bare["high"]
    assert placebo["dollars_per_solved"] == pytest.approx(EACH)
    assert "dollars per solved" in run.report().markdown.read_text()


def test_a_second_study_pays_nothing_for_equal_requests(tmp_path):
    with OpenAIServer(answer) as server:
        path = priced_study(tmp_path, server, problems=3)
        cached = [f"cache={tmp_path / 'replies'}"]
        first = Study.from_yaml(path, cached).run(tmp_path / "first", progress=False)
        assert len(server.requests) == 6
        second = Study.from_yaml(path, cached).run(tmp_path / "second", progress=False)
        more = Study.from_yaml(path, [*cached, "repeats=2"]).run(tmp_path / "more", progress=False)
        assert len(server.requests) == 12  # the second repeats are requests of their own
        shutil.rmtree(tmp_path / "replies")
        Study.from_yaml(path).run(tmp_path / "second", progress=False)  # whole without the cache
        assert len(server.requests) == 12
        Study.from_yaml(path).run(tmp_path / "alone", progress=False)  # off by default
        assert len(server.requests) == 18
    assert essence(tmp_path / "first") == essence(tmp_path / "second")
    assert second.spending.is_empty() and more.spending["requests"].sum() == 6
    assert second.attempts()["dollars"].to_list() == first.attempts()["dollars"].to_list()
