"""Write the two pictures of the README: a problem under two arms, and the plot of all differences.

python benchmarks/screenshots.py runs/demo docs/pictures [--problem ID] [--arm ARM]
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import sync_playwright

import ansatz as az
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.view import write_view
from ansatz.experiments.view.show import losses

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("run", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--problem", help="the first that the arm lost, if not given")
    asked.add_argument("--arm", help="the last of the study, if not given")
    chosen = asked.parse_args()
    data = read_results(chosen.run)
    arm = chosen.arm or data.treatments[-1]
    lost = losses(data, arm)
    problem = chosen.problem or (lost[0]["problem"] if lost else data.problem_list[0].id)
    state = f"#/problem?{urlencode({'id': problem, 'arms': f'{data.baseline},{arm}'})}"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(f"file://{write_view(chosen.run).resolve()}{state}")
        page.wait_for_selector("main[data-shown] h1")
        page.wait_for_timeout(1000)  # equations are set after the view
        page.screenshot(path=chosen.out / "page.png")
        browser.close()
    az.Run(chosen.run).plot().savefig(chosen.out / "plot.png", dpi=130)
    for name in ("page.png", "plot.png"):
        path = chosen.out / name
        Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)
        print(path, f"{path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
