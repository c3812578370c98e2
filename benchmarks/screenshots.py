"""A walk through the page of a run, with a picture of each state: overview, matrix, problem, phone, dark, wide.

python benchmarks/screenshots.py runs/demo pictures [--problem ID] [--arm ARM]
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from ansatz.experiments.stored_results import read_results
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
    chosen = asked.parse_args()
    data = read_results(chosen.run)
    arm = chosen.arm or data.treatments[-1]
    lost = losses(data, arm)
    problem = chosen.problem or (lost[0]["problem"] if lost else data.asked[0].id)
    beside = urlencode({"id": problem, "arms": f"{data.baseline},{arm}"})
    states = {"overview": "#/overview", "matrix": "#/matrix", "lost": f"#/matrix?{urlencode({'result': 'lost', 'arm': arm})}", "problem": f"#/problem?{beside}"}  # fmt: skip
    index = write_view(chosen.run, chosen.out / "page").resolve()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
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


if __name__ == "__main__":
    main()
