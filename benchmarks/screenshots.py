"""A walk through the page of a run, with a picture of each state: overview, matrix, problem, phone, dark, wide.

    python benchmarks/screenshots.py runs/demo pictures [--problem ID] [--arm ARM]

With --readme docs/pictures, the two that the README shows instead, in few colours: a problem, and the differences.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import ansatz as az
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.view import write_view
from ansatz.experiments.view.show import losses

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
SIZES = {"desk": (1400, 1000), "phone": (390, 844), "wide": (2560, 1400)}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("run", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--problem")
    asked.add_argument("--arm")
    asked.add_argument("--readme", action="store_true")
    chosen = asked.parse_args()
    data = read_results(chosen.run)
    arm = chosen.arm or data.treatments[-1]
    lost = losses(data, arm)
    problem = chosen.problem or (lost[0]["problem"] if lost else data.asked[0].id)
    beside = urlencode({"id": problem, "arms": f"{data.baseline},{arm}"})
    states = {"overview": "#/overview", "matrix": "#/matrix", "lost": f"#/matrix?{urlencode({'result': 'lost', 'arm': arm})}", "problem": f"#/problem?{beside}"}  # fmt: skip
    index = write_view(chosen.run).resolve()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        if chosen.readme:
            for_the_readme(browser, f"file://{index}{states['problem']}", chosen)
            return
        for size, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
                page.on("console", lambda message: print("console:", message.text))
                for name, state in states.items():
                    page.goto(f"file://{index}{state}")
                    page.wait_for_selector(f'main[data-shown="{state}"]')
                    page.wait_for_timeout(300)  # equations are set after the view
                    path = chosen.out / f"{name}-{size}-{scheme}.png"
                    page.screenshot(path=path, full_page=name in ("overview", "problem"))
                    print(path)
                page.close()
        browser.close()


def for_the_readme(browser: Browser, address: str, chosen: argparse.Namespace) -> None:
    """The top of a problem under two arms, and the plot of all differences, in 128 colours."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.goto(address)
    page.wait_for_selector("main[data-shown] h1")
    page.wait_for_timeout(1000)  # equations are set after the view
    page.screenshot(path=chosen.out / "page.png")
    az.Run(chosen.run).plot().savefig(chosen.out / "plot.png", dpi=130)
    for name in ("page.png", "plot.png"):
        path = chosen.out / name
        Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)
        print(path, f"{path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
