"""Apply `checked` to real answers: perfect answers that are sent back, and errors that are found.

PYTHONPATH=. .venv/bin/python benchmarks/checked.py DATA [--show]

DATA contains `thermoqa/` (see reading.py); only question and answer are read. An answer is perfect if the publisher
passes every item. False findings, which a human judged by their wording, are listed in FALSE below.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ansatz.interventions.checked import find_errors
from ansatz.quantities.findings import Finding
from benchmarks.reading import MODELS, TIERS, Data

FALSE = {
    "298.15 * 0.0070 = 2.10 kJ/kg": "0.0070 may be rounded from 0.00704",
}


def answers(data: Data) -> Iterator[tuple[int, str, bool, list[Finding]]]:
    """Yield tier, name, whether it is perfect, and the findings of every answer."""
    for tier in TIERS:
        for model in MODELS:
            for problem, response in data.responses(tier, model):
                found = find_errors(response["response_text"], problem.ask().text)
                yield tier, f"{model} {problem.id}", response["question_score"] > 0.999, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder that holds thermoqa/")
    parser.add_argument("--show", action="store_true", help="every finding with its words")
    chosen = parser.parse_args()
    counts: Counter[tuple[int, str]] = Counter()
    for tier, name, perfect, found in answers(Data(chosen.data)):
        kind = "perfect" if perfect else "failed"
        counts[tier, kind] += 1
        counts[tier, f"{kind} sent back"] += bool(found)
        counts[tier, f"{kind} with a true fault named"] += any(each.quote not in FALSE for each in found)
        for each in found if chosen.show else ():
            verdict = FALSE.get(each.quote, "true as it stands")
            print(f"tier {tier} {kind} {name}: {each.kind} “{each.quote}”: {each.message} [{verdict}]")
    for kind in ("perfect", "failed"):
        for what in (f"{kind} sent back", f"{kind} with a true fault named"):
            by_tier = ", ".join(f"tier {t} {counts[t, what]}/{counts[t, kind]}" for t in TIERS)
            good, of = (sum(counts[tier, name] for tier in TIERS) for name in (what, kind))
            print(f"{what}: {good} of {of} = {good / (of or 1):.2%} ({by_tier})")


if __name__ == "__main__":
    main()
