"""The page in a real Chromium, opened from disk: every view, filter, link and key, and hostile transcripts."""

import json
import shutil
from pathlib import Path

import pytest

from ansatz.eval.score import PERCENT
from ansatz.experiments import view
from ansatz.experiments.view import write_view
from tests.experiments.view_run import ARMS, LONG, PROBLEMS, write_run

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
EVEN = list(range(0, PROBLEMS, 2))
ALL_ARMS = "#/problem?id=pump.4%230&arms=baseline,calculator,sheet"
VIEWS = ("#/overview", "#/matrix", ALL_ARMS)
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine (apt-get install chromium)"),
    pytest.mark.xdist_group("page of a run"),
]


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def opened(browser, written_page):
    page = browser.new_page()
    page.set_default_timeout(20_000)
    page.index, page.messages = f"file://{written_page}/index.html", []
    page.on("console", lambda message: page.messages.append(message.text))
    page.on("pageerror", lambda failure: page.messages.append(str(failure)))
    return page


@pytest.fixture
def page(opened):
    """The page; what it complains of fails the test."""
    opened.set_viewport_size({"width": 1300, "height": 900})
    yield opened
    assert opened.messages == [] and opened.evaluate("window.broken") is None


def visit(page, state, width=None):
    """Show a state by its link; the view is there when its address is noted."""
    if width:
        page.set_viewport_size({"width": width, "height": 900})
    page.goto(page.index + state)
    settled(page)


def settled(page):
    page.wait_for_selector(f"main[data-shown={json.dumps(page.evaluate('location.hash'))}]")


def press(page, key):
    page.keyboard.press(key)
    settled(page)


def rows(page):
    return page.eval_on_selector_all("#grid [role=rowheader]", "each => each.map((one) => one.textContent)")


def test_numbers_are_rounded_as_in_the_terminal(page):
    source = (Path(view.__file__).with_name("static") / "dom.js").read_text(encoding="utf-8")
    plain = source[source.index("const rounded") : source.index("function shown")]
    for value in (21.25, 21.75, -2.25, 3.35, 0.05):
        shown = page.evaluate(f"(() => {{ {plain} return plain({value}, 1); }})()")
        assert shown == f"{value:.1f}".replace("-", "−")


def test_the_overview_shows_effects_endings_and_failures(page):
    visit(page, "")
    text = page.inner_text("main")
    assert "Do calculator and sheet help one and two (simulated) with 16 problems" in text
    assert page.locator("svg[role=img]").count() == 2
    assert page.get_attribute("svg[role=img] >> nth=1", "aria-label").startswith(
        "Change on outcome against dollars"
    )
    assert page.locator("table.arms >> nth=0 >> tbody tr th").all_inner_texts() == [
        "calculator",
        "sheet",
        "baseline",
    ]
    assert "helps" in page.inner_text("table.arms tbody tr:first-child")
    assert page.locator("#models").inner_text() == "Models: change on outcome"
    assert page.locator("table.arms >> nth=1 >> thead th").all_inner_texts() == [
        "arm",
        "one",
        "two simulated",
    ]
    assert page.locator("svg[role=img] >> nth=1 >> text").all_text_contents()[-3:] == [
        "calculator",
        "sheet",
        "baseline",
    ]
    assert "Missing pairs" in text
    assert "the smallest effect this study could detect is" in page.inner_text("table.arms")
    assert "ModelUnavailable: 503 <b>later</b>" in text and "truncated" in text
    assert "simulated" not in page.inner_text("main > p >> nth=0")
    page.select_option("#top select", "two")
    settled(page)
    assert "rule-based solver" in page.inner_text("main") and "model=two" in page.url


def test_the_matrix_tells_won_lost_tied_and_unscored(page):
    visit(page, "#/matrix?sort=plan")
    assert len(rows(page)) == PROBLEMS
    cell = "#grid [role=row] >> nth={} >> [role=gridcell] >> nth={}"
    assert page.inner_text(cell.format(1, 1)) == "▲ +100.0"
    assert page.inner_text(cell.format(5, 1)) == "▼ −100.0"
    assert page.inner_text(cell.format(6, 1)) == "="
    assert page.get_attribute(cell.format(7, 2), "class") == "unscored s0"
    assert page.inner_text("#grid .head >> [role=columnheader] >> nth=2").startswith("calculator")
    assert "14 won · 1 lost" in page.inner_text("#grid .head")


def test_the_matrix_begins_with_the_largest_changes(page):
    visit(page, "#/matrix")
    cells = page.locator("#grid .rows [role=row]").all_inner_texts()
    tied = [("▲" not in cell and "▼" not in cell) for cell in cells]
    assert len(tied) == PROBLEMS and tied == sorted(tied)


def test_a_breakdown_has_the_mean_change_by_tag(page):
    """The sheet is wrong wherever it has a score, the baseline is right at 4 and 5."""
    visit(page, "")
    table = page.locator("section:has(#breakdown) tbody tr").all_inner_texts()
    assert [row.split() for row in table] == [
        ["L1", "12.5", "n", "8", "+75.0", "n", "8", "−14.3", "n", "7"],
        ["L2", "12.5", "n", "8", "+87.5", "n", "8", "−14.3", "n", "7"],
    ]
    page.select_option("select[name=by]", "domain")
    settled(page)
    assert "by=domain" in page.url and page.locator("section:has(#breakdown) tbody tr").count() == 2
    page.click("section:has(#breakdown) tbody a >> nth=1")
    settled(page)
    assert "tag.domain=pumps" in page.url and len(rows(page)) == len(EVEN)


def test_notes_stay_in_the_browser_and_are_downloaded_as_lines(page):
    visit(page, "#/problem?id=pump.4%230&arms=baseline,calculator")
    page.fill("textarea >> nth=1", "odd – why?")
    visit(page, "#/matrix")
    visit(page, "#/problem?id=pump.4%230&arms=calculator")
    assert page.input_value("textarea") == "odd – why?"
    with page.expect_download() as download:
        page.click("text=1 note")
    [line] = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    attempt = {"model": "one", "arm": "calculator", "problem": "pump.4#0", "repeat": 0}
    assert json.loads(line) == {**attempt, "note": "odd – why?"}
    page.fill("textarea", "")
    assert not page.is_visible("#notes")


def test_on_a_phone_arms_need_no_sideways_scrolling(page):
    visit(page, "#/overview", 390)
    assert page.evaluate(
        "(t => t.scrollWidth <= t.parentElement.clientWidth)(document.querySelector('.arms'))"
    )


def test_on_a_phone_evidence_has_the_whole_width(page):
    visit(page, ALL_ARMS, 390)
    widths = page.eval_on_selector_all("table.scores td", "each => each.map((one) => one.clientWidth)")
    assert (
        min(widths) > 300
        and page.locator("table.scores td >> nth=1").get_attribute("data-name") == "calculator"
    )
    visit(page, "#/matrix", 390)
    assert (
        page.evaluate("getComputedStyle(document.querySelector('#grid [role=rowheader]')).direction") == "ltr"
    )


def test_unknown_tokens_and_seconds_are_no_zeros(page):
    visit(page, "")
    attempt = "{transcript: {seconds: null, stop: 'answered', tool_calls: [], model_calls: [{usage: {input: 0, output: 0}, retries: []}]}, at: 0}"
    text = page.evaluate(f"costTable({{}}, [{{name: 'a', attempt: {attempt}}}]).textContent")
    assert "input tokens–" in text and "output tokens–" in text and "seconds–" in text


def test_ends_are_rounded_as_in_the_report(page):
    visit(page, "")
    dimension = """{role: 'quality', scale: {factor: 100, offset: 0, decimals: 1}}"""
    for value in (0.0004, -0.000003, 0.00049, 0.052):
        shown = page.evaluate(f"shownEnd({dimension}, {{significant: true}}, {value})")
        assert shown == PERCENT.show_end(value)


def test_small_costs_have_digits(page):
    visit(page, "")
    dollars = """{role: 'resource', scale: {factor: 1, offset: 0, decimals: 4}}"""
    shown = [page.evaluate(f"shownChange({dollars}, {value})") for value in (0.0000012, -0.00034, 0.5, 0)]
    assert shown == ["+0.0000012", "−0.00034", "+0.5000", "0.0000"]


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("find=pump.4", [4]),
        ("tag.level=L1", EVEN),
        ("tag.domain=pumps", EVEN),
        ("family=family5", [5]),
        ("stop=truncated", [7]),
        ("stop=error", [3]),
        ("fault=arithmetic&arm=calculator", [4]),
        ("result=lost&arm=calculator", [4]),
        ("result=tied&arm=calculator", [5]),
        ("result=unscored&arm=sheet", [3, 6]),
        ("from=2100-01-01T00:00", []),
        ("to=2100-01-01T00:00&find=pump.5", [5]),
        ("text=so IT is", list(range(PROBLEMS))),
        ("text=🚀", [5]),
        ("text=by 9 m&find=pump.4", [4]),
        ("text=nowhere", []),
        ("arm=calculator&sort=least&tag.level=L1", [4, *(n for n in EVEN if n != 4)]),
        ("dim=slips&result=lost&arm=calculator", [4]),
    ],
)
def test_every_filter_has_a_link(page, query, kept):
    visit(page, f"#/matrix?{query}")
    numbers = [int(name.removesuffix("#0").replace("&", ".").rpartition(".")[2]) for name in rows(page)]
    assert (numbers if "sort" in query else sorted(numbers)) == kept
    if kept and "stop" not in query:
        assert page.inner_text("[role=status]").startswith(f"{len(kept)} of {PROBLEMS} problems")


def test_filters_are_set_by_hand_and_cleared(page):
    visit(page, "#/matrix")
    press(page, "/")
    page.keyboard.type("pump.4")
    settled(page)
    assert len(rows(page)) == 1 and "find=pump.4" in page.url
    assert page.evaluate("document.activeElement.id") == "find"
    page.keyboard.press("Escape")
    page.click("text=Clear filters")
    settled(page)
    page.select_option("select[name=result]", "lost")
    settled(page)
    assert len(rows(page)) == 2
    page.click("#grid a.lost >> nth=0")
    settled(page)
    assert "#/problem?result=lost" in page.url


def test_arrows_move_in_the_matrix_and_enter_opens_a_cell(page):
    visit(page, "#/matrix")
    page.focus("#grid")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("pump.1#0, calc")
    press(page, "Enter")
    assert page.inner_text("h1") == "pump.1#0"


def test_a_problem_shows_its_arms_side_by_side(page):
    visit(page, ALL_ARMS)
    assert page.locator("h2.arm").all_inner_texts() == list(ARMS)
    assert page.inner_text(".pill.lost").startswith("▼ lost by 100.0")
    values = page.inner_text("table.values tbody tr")
    assert "441.3 J" in values and "7 J" in values
    assert page.locator("mark.right").first.inner_text() == "441.3"
    assert page.locator("mark.wrong").first.inner_text() == "7"
    assert page.locator("mark.finding").first.inner_text().startswith("2*3 = 7")
    assert "comes to 6, stated 7" in page.inner_text("ol.findings >> nth=0")
    page.wait_for_selector("math")
    assert page.inner_text("ins") == "Use the sheet."
    assert page.get_attribute("mark.right >> nth=0", "title").endswith("probably here")
    assert "tool run_python" in page.inner_text("main")
    assert page.locator("table.scores tbody th").count() == 3
    assert "output tokens" in page.inner_text("table.cost")
    visit(page, "#/problem?id=pump.5%230&arms=baseline")
    stored = page.locator("mark.right").first
    assert stored.inner_text() == "529.56" and stored.get_attribute("title") == "read as W = 529.56 J"
    assert stored.evaluate("each => each.previousSibling.textContent") == "🚀 "
    visit(page, "#/problem?id=pump.8%230&arms=baseline,calculator")
    assert "not stated" in page.inner_text("table.values")


def test_keys_lead_from_problem_to_problem(page):
    visit(page, "#/problem?id=pump.2%230&arms=baseline,calculator")
    press(page, "j")
    assert page.inner_text("h1") == "pump.3#0"
    press(page, "k")
    assert page.inner_text("h1") == "pump.2#0"
    press(page, "l")
    assert page.inner_text("h1") == "pump.4#0"
    page.keyboard.press("e")
    assert page.locator("details.step[open]").count() == page.locator("details.step").count() > 0
    press(page, "m")
    assert page.inner_text("h1") == "Arms by problem"
    press(page, "o")
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.keyboard.press("?")
    assert "next problem where the arm" in page.inner_text("dialog[open]")
    page.click("dialog button")
    assert page.locator("dialog[open]").count() == 0


def test_hostile_texts_stay_texts(page):
    visit(page, "#/matrix")
    page.click("#grid [role=rowheader] >> nth=0")
    settled(page)
    page.keyboard.press("e")
    text = page.inner_text("main")
    assert "<script>window.broken = 1</script>" in text and "␛[31mred␇␀" in text and "‹U+202E›" in text
    assert page.locator("main img, main script, main a[href^=javascript]").count() == 0
    assert page.inner_text("h1") == "pump/<b>&0#0"


def test_a_long_answer_is_shown_in_part_and_on_demand_in_full(page):
    visit(page, "#/problem?id=pump.1%230&arms=baseline,calculator")
    assert page.evaluate("document.querySelector('main').textContent.length") < 300_000
    assert page.locator("mark.right").first.inner_text() == "176.52"
    page.click("button.more >> nth=0")
    assert page.evaluate("document.querySelector('main').textContent.length") > len(LONG)


@pytest.mark.parametrize("width", [390, 2560])
@pytest.mark.parametrize("state", VIEWS)
def test_no_view_is_wider_than_the_screen(page, width, state):
    visit(page, state, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_is_focused_or_drawn_has_a_name(page):
    for state in VIEWS:
        visit(page, state)
        nameless = """each => each.filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim()
            || one.labels?.length || one.title)).map((one) => one.outerHTML)"""
        every = "a, button, input, select, svg, [tabindex]:not(main)"
        assert page.eval_on_selector_all(every, nameless) == []


def test_printing_opens_what_is_folded(page):
    visit(page, "#/problem?id=pump.4%230&arms=baseline,calculator")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("main details:not([open])").count() == 0
    page.emulate_media(media="print")
    assert not page.is_visible("#top")
    page.emulate_media(media="screen")


@pytest.mark.slow
def test_a_live_page_follows_its_run(browser, tmp_path):
    run, view = write_run(tmp_path / "run", done=9), tmp_path / "view"
    index = write_view(run, view, live=True)
    page = browser.new_page()
    page.goto(f"file://{index}#/overview")
    page.wait_for_selector("text=9 of 288 attempts")
    write_view(write_run(run, done=288), view)
    page.wait_for_selector("text=282 of 288 attempts")
    assert not page.is_visible("text=9 of 288 attempts")
    page.close()
