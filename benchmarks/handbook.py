"""Measure the handbook search, and what a handbook does to answers.

python -m benchmarks.handbook search MANUAL QUESTIONS.jsonl   # recall, pages, abstention, time, an edit
python -m benchmarks.handbook calibrate MANUAL QUESTIONS MANUAL QUESTIONS ...   # the weights of abstention
python -m benchmarks.handbook study                           # five arms on the offline model

A line of questions is {"id", "question", "sections": [...], "pages": [...]}. A hit is right if the path of
its section contains one of `sections`; a question without sections lies outside the manual. The manuals are
not part of the repository: `handbook_questions/cfast.jsonl` asks about the LaTeX manuals of NIST's CFAST
(github.com/firemodels/cfast, Manuals; United States government work), `handbook_questions/openfast.jsonl` about eight
PDF manuals of OpenFAST (github.com/OpenFAST/openfast, docs; Apache-2.0). Both were written by someone who
knew the code, from tables of contents, before the search was first run on them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from ansatz.knowledge_base.handbook import HandbookSearch, index_handbook, is_index
from ansatz.knowledge_base.handbook.abstention import measure_fit
from ansatz.knowledge_base.handbook.splitting import SEPARATOR

TOP = 5
NUMBER = re.compile(r"(?<=> )(?:\d+|[A-Z](?=\.))(?:\.\d+)*[.)]?\s+")


def read_questions(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def measure_search(manual, questions, out, encoder="default"):
    """Print the time to index, recall@5, the share of right pages, and how often the search abstains."""
    folder = Path(out or tempfile.mkdtemp(prefix="handbook-"))
    started, cpu = time.perf_counter(), os.times()
    handbook, changes = index_handbook(Path(manual), folder, encoder)
    used = os.times()
    seconds = used.user - cpu.user + used.system - cpu.system
    pages = sum(each.last_page or 0 for each in handbook.files)
    print(f"{manual}: {pages or 'no'} pages, {len(handbook.passages)} passages, {changes.encoded} encoded")
    print(f"  index: {time.perf_counter() - started:.1f} s, {seconds:.1f} s of processors")
    started = time.perf_counter()
    index_handbook(Path(manual), folder, encoder)
    print(f"  again: {time.perf_counter() - started:.1f} s")
    search = HandbookSearch.load(folder)
    inside = [each for each in questions if each["sections"]]
    found = {each["id"]: search.search(each["question"], TOP, always=True) for each in inside}
    ranks = [find_rank(each, found[each["id"]]) for each in inside]
    for count in (1, 3, TOP):
        print(f"  recall@{count}: {np.mean([rank is not None and rank < count for rank in ranks]):.3f}")
    paged = [each for each in inside if each.get("pages")]
    if paged:
        right = [any(hit.passage.page in each["pages"] for hit in found[each["id"]][:1]) for each in paged]
        among = [any(hit.passage.page in each["pages"] for hit in found[each["id"]]) for each in paged]
        print(f"  page of the first hit right: {np.mean(right):.3f}; of one of {TOP}: {np.mean(among):.3f}")
    answered = [bool(search.search(each["question"])) for each in inside]
    refused = [not search.search(each["question"]) for each in questions if not each["sections"]]
    print(
        f"  inside answered: {np.mean(answered):.3f} of {len(answered)}; outside refused: {np.mean(refused):.3f} of {len(refused)}"
    )
    started = time.perf_counter()
    for each in inside:
        search.search(each["question"] + " ")
    print(f"  a question: {(time.perf_counter() - started) / len(inside) * 1000:.0f} ms")
    for each, rank in zip(inside, ranks, strict=True):
        if rank is None:
            print(f"  missed: {each['question']}")


def find_rank(question, hits):
    """Return the place of the first hit in a right section; None if there is none. Numbers do not count."""
    paths = (NUMBER.sub("", f"{SEPARATOR}{hit.passage.section}") for hit in hits)
    return next(
        (at for at, path in enumerate(paths) if any(each in path for each in question["sections"])), None
    )


def calibrate(pairs):
    """Print the weights of abstention, and how the weights of the other manuals do on each manual.

    Outside a manual are its own outside questions and those that other manuals answer.
    """
    measured = {}
    for manual, _ in pairs:
        path = Path(manual)
        search = HandbookSearch.load(path) if is_index(path) else HandbookSearch(index_handbook(path)[0])
        rows = []
        for other, name in pairs:
            for each in read_questions(name):
                if other == manual or each["sections"]:
                    matches = search.handbook.index.search(each["question"], 5)
                    fit = measure_fit(search.handbook.index, each["question"], matches)
                    rows.append((*fit, float(other == manual and bool(each["sections"]))))
        measured[manual] = np.array(rows)
    for columns in ([0, 1, 2], [1, 2]):
        print("weights", *fit_weights(np.concatenate(list(measured.values())), columns))
        for manual, rows in measured.items():
            others = [each for name, each in measured.items() if name != manual]
            weights, constant = fit_weights(np.concatenate(others), columns)
            score, inside = rows[:, columns] @ weights + constant, rows[:, 3] == 1
            print(
                f"  {manual}: {(score[inside] > 0).mean():.2f} answered, {(score[~inside] <= 0).mean():.2f} refused"
            )


def fit_weights(rows, columns):
    """Return the weights and the constant of a logistic regression with classes of equal weight."""
    x, inside = rows[:, columns], rows[:, 3] == 1
    centre, spread = x.mean(axis=0), x.std(axis=0)
    scaled = np.column_stack([np.ones(len(x)), (x - centre) / spread])
    weight = np.where(inside, 0.5 / inside.sum(), 0.5 / (~inside).sum()) * len(x)
    sign = np.where(inside, 1, -1)

    def loss(b):
        return (weight * np.logaddexp(0, -sign * (scaled @ b))).sum() + 0.5 * (b[1:] ** 2).sum()

    found = minimize(loss, np.zeros(scaled.shape[1])).x
    weights = found[1:] / spread
    return weights.round(2), round(float(found[0] - weights @ centre), 2)


def write_manual(folder, domains):
    """Write equations of the base as a manual in Markdown, a chapter for each domain."""
    from ansatz.knowledge_base.equation import library

    folder.mkdir()
    for domain in domains:
        entries = [each for each in library() if each.domain == domain]
        parts = [f"# {domain.replace('_', ' ').capitalize()}\n"]
        for number, each in enumerate(entries, 1):
            parts.append(
                f"## {each.name}\n\nAlso: {', '.join(each.aliases) or each.name}.\n\n```\n{each.sheet(number)}\n```\n"
            )
        (folder / f"{domain}.md").write_text("\n".join(parts), encoding="utf-8")


def run_study(limit):
    """Run five arms on the offline model: bare, a handbook with two controls, and equation retrieval."""
    import ansatz as az

    home = Path(tempfile.mkdtemp(prefix="handbook-study-"))
    write_manual(home / "right", ["newtonian", "shock", "boundary_layer", "heating", "viscous_interaction"])
    write_manual(home / "wrong", ["astro", "cycle"])
    study = az.Study(
        "handbook",
        models="offline:slide-rule",
        problems=az.benchmark("tps", instances=1),
        arms={
            "handbook": az.WithHandbook(home / "right", top=8, other=home / "wrong"),
            "equation_retrieval": az.EquationRetrieval(),
        },
        scorers=[az.Outcome()],
    )
    run = study.only(limit=limit).run(home / "run", progress=False)
    print(run)
    run.report()
    print(f"report: {home / 'run'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    search = commands.add_parser("search")
    search.add_argument("manual")
    search.add_argument("questions")
    search.add_argument("--out", help="keep the index in this folder")
    commands.add_parser("calibrate").add_argument("pairs", nargs="+")
    commands.add_parser("study").add_argument("--limit", type=int, default=60)
    given = parser.parse_args()
    if given.command == "search":
        measure_search(given.manual, read_questions(given.questions), given.out)
    elif given.command == "calibrate":
        calibrate(list(zip(given.pairs[::2], given.pairs[1::2], strict=True)))
    else:
        run_study(given.limit)


if __name__ == "__main__":
    sys.exit(main())
