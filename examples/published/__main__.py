"""Derive the stored scores of a published set from a clone, and write its study page.

python -m examples.published jeebench                      # the page, from the stored scores
python -m examples.published jeebench --clone jeebench/    # first the stored scores, from a clone
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from . import chembench, engdesign, fembench, jeebench, mathcoder, psebench, thermoqa
from .clone import MissingFile

MODULES = {
    each.SET.name: each for each in (chembench, engdesign, fembench, jeebench, mathcoder, psebench, thermoqa)
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m examples.published",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("name", choices=MODULES)
    parser.add_argument("--clone", type=Path, help="a clone of the publisher's repository")
    chosen = parser.parse_args()
    module = MODULES[chosen.name]
    if chosen.clone:
        try:
            module.SET.update(chosen.clone)
        except MissingFile as missing:
            parser.error(f"--clone: {missing}")
    with tempfile.TemporaryDirectory() as folder:
        print(module.write_page(module.SET.run(Path(folder) / chosen.name)))


if __name__ == "__main__":
    main()
