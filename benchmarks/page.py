"""Time the page of a large run in a browser: a generated ledger of 100,000 attempts on 12 dimensions.

    python benchmarks/page.py [--attempts 100000] [--dimensions 12] [--keep FOLDER]

Times are medians of five in headless Chromium, from the moment an address or a filter is set until the view is drawn.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from report import write_ledger

from ansatz.experiments.view import write_view

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
# Sets the address and resolves with the milliseconds until the view of it is drawn.
DRAWN = """hash => new Promise((done) => {
    const main = document.querySelector('main'), started = performance.now();
    new MutationObserver((_, observer) => {
        if (main.dataset.shown !== hash) return;
        observer.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - started)));
    }).observe(main, { attributes: true, attributeFilter: ['data-shown'] });
    location.hash = hash;
})"""
PAINTED = "() => performance.getEntriesByType('paint').at(-1).startTime"
STATES = {
    "matrix, first": ["#/matrix"],
    "filter by tag": [f"#/matrix?tag.level=L{number}" for number in (1, 2, 3, 4, 1)],
    "filter by result": [f"#/matrix?result={kind}&arm={arm}" for kind, arm in (("won", "a"), ("lost", "b"), ("won", "c"), ("lost", "d"), ("tied", "a"))],
    "find": [f"#/matrix?find=p{number}" for number in (1, 12, 123, 9, 77)],
    "sort": [f"#/matrix?sort=least&arm={arm}" for arm in "abcda"],
    "another dimension": [f"#/matrix?dim=d{number}" for number in range(1, 6)],
    "problem": [f"#/problem?id=p{number}&arms=baseline,a" for number in (17, 5003, 9999, 14001, 19000)],
}  # fmt: skip


def measure(index: Path, report: Callable[[str, float], None]) -> None:
    with sync_playwright() as driver:
        chromium = shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        report("first paint", statistics.median(_first_paint(browser.new_page(), index) for _ in range(5)))
        page = browser.new_page()
        page.goto(f"file://{index}#/overview")
        page.wait_for_selector("main[data-shown] h1")
        for name, states in STATES.items():
            report(name, statistics.median(page.evaluate(DRAWN, state) for state in states))
        browser.close()


def _first_paint(page: Page, index: Path) -> float:
    """Wait until the heading of the overview is painted."""
    started = time.perf_counter()
    page.goto(f"file://{index}")
    page.wait_for_selector("main[data-shown] svg")
    taken = max(page.evaluate(PAINTED), (time.perf_counter() - started) * 1000)
    page.close()
    return taken


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--attempts", type=int, default=100_000)
    asked.add_argument("--dimensions", type=int, default=12)
    asked.add_argument(
        "--keep", type=Path, help="A folder for ledger and page, used again where it holds them."
    )
    chosen = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = chosen.keep or Path(name)
        if not (folder / "ledger.sqlite").is_file():
            write_ledger(folder, chosen.attempts, chosen.dimensions)
        started = time.perf_counter()
        index = write_view(folder).resolve()
        size = sum(file.stat().st_size for file in index.parent.rglob("*.*"))
        print(f"page written {time.perf_counter() - started:12.1f} s, {size / 1e6:.0f} MB")
        measure(index, lambda name, taken: print(f"{name:20} {taken:6.0f} ms"))


if __name__ == "__main__":
    main()
