"""Measure the handbook search, and what a handbook does to answers.

python -m benchmarks.handbook time MANUAL                             # the first index, and one after an edit
python -m benchmarks.handbook search INDEX --questions FILE.jsonl     # recall, pages, abstention, time
python -m benchmarks.handbook calibrate INDEX FILE INDEX FILE ...     # the weights of abstention
python -m benchmarks.handbook study                                   # five arms on the offline model

INDEX is a folder that `ansatz handbook index` wrote, or a manual. A line of questions has `id`, `question`, and one of

- `gold`: [{"file", "section", "page"}, ...], of which any is right; empty if the question lies outside the manual
- `sections`: [...] and, where it is known, `pages`: [...], with the same meaning

A hit is right if the path of its section, with or without numbers, contains that of a right section; letters and digits
are compared. The manuals are not part of the repository: `handbook_questions/cfast.jsonl` asks about the LaTeX manuals of NIST's CFAST
(github.com/firemodels/cfast, Manuals; United States government work), `handbook_questions/openfast.jsonl` about eight
PDF manuals of OpenFAST (github.com/OpenFAST/openfast, docs; Apache-2.0). Both were written by someone who
knew the code, from tables of contents, before the search was first run on them.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from ansatz.knowledge_base.handbook import HandbookSearch, index_handbook, is_index
from ansatz.knowledge_base.handbook.abstention import measure_fit, split_sentences
from ansatz.knowledge_base.handbook.reading import SUFFIXES
from ansatz.knowledge_base.handbook.splitting import SEPARATOR

TOP = 5
INSIDE, OUTSIDE, OTHER = range(3)
KIND, WHOLE = 4, 6  # columns of `measure_questions`, after the measures
NUMBER = re.compile(r"(?<=> )(?:\d+|[A-Z](?=\.))(?:\.\d+)*[.)]?\s+")  # of a heading
EDITED = "The grease of the test bench is changed after 1234 hours."


def read_questions(path):
    """Read questions; the `gold` of each is a list of (file, section, page), whose parts may be None."""
    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    for row in rows:
        places = row.get("gold") or [
            {"section": each, "pages": row.get("pages")} for each in row.get("sections", [])
        ]
        row["gold"] = [
            (
                each.get("file"),
                simplify(each["section"]),
                each.get("pages") or ([each["page"]] if "page" in each else None),
            )
            for each in places
        ]
    return rows


def simplify(text):
    return re.sub(r"[\W_]", "", text).casefold()


def open_search(path):
    """Open an index, or index a manual in memory."""
    path = Path(path)
    return HandbookSearch.load(path) if is_index(path) else HandbookSearch(index_handbook(path)[0])


def measure_time(manual):
    """Print how long the first index takes, one without a change, and one after an edit of one file."""
    home = Path(tempfile.mkdtemp(prefix="handbook-"))
    copy, out = home / "manual", home / "index"
    copy.mkdir()
    for file in Path(manual).rglob("*") if Path(manual).is_dir() else [Path(manual)]:
        if file.suffix.lower() in SUFFIXES:
            target = copy / (file.relative_to(manual) if Path(manual).is_dir() else file.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    for name in ("first index", "again, unchanged", "again, one file edited"):
        if "edited" in name:
            edit_file(max(copy.rglob("*"), key=lambda file: file.stat().st_size if file.is_file() else 0))
        started, cpu = time.perf_counter(), os.times()
        handbook, changes = index_handbook(copy, out)
        used = os.times()
        seconds = used.user - cpu.user + used.system - cpu.system
        pages = sum(each.last_page or 0 for each in handbook.files)
        print(
            f"{name}: {time.perf_counter() - started:.1f} s, {seconds:.1f} s of processors; {pages or 'no'} pages, "
            f"{len(handbook.passages)} passages, {changes.encoded} encoded",
            flush=True,
        )
    found = HandbookSearch.load(out).search(EDITED, 1)
    print("the edit is found:", bool(found) and EDITED in found[0].passage.text)


def edit_file(file):
    """Add a sentence to the end of a document: of a PDF, on a new page."""
    if file.suffix.lower() != ".pdf":
        file.write_text(f"{file.read_text(encoding='utf-8')}\n\n{EDITED}\n", encoding="utf-8")
        return
    import pypdfium2
    import pypdfium2.raw as pdfium

    pdf = pypdfium2.PdfDocument(file)
    page = pdf.new_page(600, 800)
    text = pdfium.FPDFPageObj_NewTextObj(pdf, b"Helvetica", 10)
    written = (EDITED + "\0").encode("utf-16-le")
    pdfium.FPDFText_SetText(text, ctypes.cast(ctypes.create_string_buffer(written), pdfium.FPDF_WIDESTRING))
    pdfium.FPDFPageObj_Transform(text, 1, 0, 0, 1, 50, 400)
    pdfium.FPDFPage_InsertObject(page, text)
    page.gen_content()
    pdf.save(file.with_suffix(".edited"))
    pdf.close()
    file.with_suffix(".edited").replace(file)


def measure_search(index, questions, misses):
    """Print recall of sections, the share of right pages, and how often the search abstains."""
    search = open_search(index)
    inside = [each for each in questions if each["gold"]]
    found = {each["id"]: search.search(each["question"], TOP, always=True) for each in inside}
    ranks = [find_rank(each, found[each["id"]]) for each in inside]
    for count in (1, 3, TOP):
        print(f"section recall@{count}: {np.mean([rank < count for rank in ranks]):.3f} of {len(inside)}")
    paged = [each for each in inside if all(pages for *_, pages in each["gold"])]
    if paged:
        right = [[is_page(each, hit) for hit in found[each["id"]]] for each in paged]
        first, among = np.mean([each[0] for each in right]), np.mean([any(each) for each in right])
        print(f"page right: {first:.3f} of the first hits, {among:.3f} among {TOP} hits")
    answered = [bool(search.search(each["question"])) for each in inside]
    refused = [not search.search(each["question"]) for each in questions if not each["gold"]]
    print(f"inside answered: {np.mean(answered):.3f} of {len(answered)}")
    print(f"outside refused: {np.mean(refused):.3f} of {len(refused)}")
    started = time.process_time()
    for each in inside:
        search.search(each["question"] + " ")
    print(f"a question: {(time.process_time() - started) / len(inside) * 1000:.0f} ms of processors")
    for each, rank in zip(inside, ranks, strict=True) if misses else ():
        if rank == math.inf:
            print(f"missed: {each['question']}")


def find_rank(question, hits):
    """Return the place of the first hit in a right section, or infinity."""
    places = (at for at, hit in enumerate(hits) if any(is_section(gold, hit) for gold in question["gold"]))
    return next(places, math.inf)


def is_section(gold, hit):
    file, section, _ = gold
    path = f"{SEPARATOR}{hit.passage.section}"
    paths = simplify(path), simplify(NUMBER.sub("", path))
    return file in (None, hit.passage.file) and any(section in each for each in paths)


def is_page(question, hit):
    return any(
        file in (None, hit.passage.file) and hit.passage.page in pages for file, _, pages in question["gold"]
    )


def calibrate(pairs):
    """Print the weights of abstention, and how the weights of the other manuals do on each manual.

    The weights are fitted to whole questions. The constant is a rule for new manuals: with weights that do not know a
    manual, the whole rule with its sentences refuses as many inside questions as it answers outside ones, on average.
    For the figures of a manual, its questions choose neither the weights nor the constant.
    """
    measured = {manual: measure_questions(manual, pairs) for manual, _ in pairs}
    for columns in ([0, 1, 2, 3], [1, 2]):
        weights, constant = fit_weights(list(measured.values()), columns)
        least = choose_least(list(score_left_out(measured, columns).values()))
        print("weights", weights.round(2), "least", round(least - constant, 2))
        for manual, classes in score_left_out(measured, columns).items():
            others = {name: rows for name, rows in measured.items() if name != manual}
            least = choose_least(list(score_left_out(others, columns).values()))
            answered, own, other = (np.mean(each > least) for each in classes)
            print(f"  {manual}: {answered:.2f} answered, {1 - own:.2f} and of others {1 - other:.2f} refused")


def score_left_out(measured, columns):
    """Return the scores of the questions of each manual, with the weights of the others."""
    scores = {}
    for manual, rows in measured.items():
        others = [each for name, each in measured.items() if name != manual]
        weights, constant = fit_weights(others, columns)
        scores[manual] = list_scores(rows, rows[:, columns] @ weights + constant)
    return scores


def measure_questions(manual, pairs):
    """Return a row for each question and sentence: its measures, the class, the question, and whether it is whole.

    The classes are INSIDE the manual, OUTSIDE of it by its own questions, and answered by OTHER manuals.
    """
    index, rows, number = open_search(manual).handbook.index, [], 0
    for other, name in pairs:
        for each in read_questions(name):
            if other != manual and not each["gold"]:
                continue
            kind = OTHER if other != manual else INSIDE if each["gold"] else OUTSIDE
            texts = [each["question"], *split_sentences(each["question"])]
            for place, text in enumerate(texts):
                rows.append((*measure_fit(index, text), kind, number, place == 0))
            number += 1
    return np.array(rows, dtype=float)


def list_scores(rows, scores):
    """Return the scores of the questions of each class; that of a question is that of its best sentence."""
    first = np.flatnonzero(rows[:, WHOLE])
    best = np.maximum.reduceat(scores, first)
    return [best[rows[first, KIND] == kind] for kind in (INSIDE, OUTSIDE, OTHER)]


def choose_least(scores):
    """Return the score at which, on the average manual, both errors are equal: inside refused, outside answered."""

    def compare_errors(least):
        return np.mean(
            [(classes[INSIDE] <= least).mean() - (classes[OUTSIDE] > least).mean() for classes in scores]
        )

    tried = np.sort(np.concatenate([each for classes in scores for each in classes[:OTHER]]))
    return min(tried, key=lambda least: abs(compare_errors(least)))


def fit_weights(manuals, columns):
    """Return the weights and the constant of a logistic regression with manuals and classes of equal weight."""
    manuals = [rows[rows[:, WHOLE] == 1] for rows in manuals]
    weight = np.concatenate([weigh_classes(rows[:, KIND]) for rows in manuals])
    rows = np.concatenate(manuals)
    x, inside = rows[:, columns], rows[:, KIND] == INSIDE
    centre, spread = x.mean(axis=0), x.std(axis=0)
    scaled = np.column_stack([np.ones(len(x)), (x - centre) / spread])
    weight *= len(x) / weight.sum()
    sign = np.where(inside, 1, -1)

    def loss(b):
        return (weight * np.logaddexp(0, -sign * (scaled @ b))).sum() + 0.5 * (b[1:] ** 2).sum()

    found = minimize(loss, np.zeros(scaled.shape[1])).x
    weights = found[1:] / spread
    return weights, float(found[0] - weights @ centre)


def weigh_classes(kinds):
    """Return the weights of questions: a half inside, a quarter outside, and a quarter of other manuals."""
    shares = {INSIDE: 0.5, OUTSIDE: 0.25, OTHER: 0.25}
    return sum((kinds == kind) * share / (kinds == kind).sum() for kind, share in shares.items())


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
    commands.add_parser("time").add_argument("manual")
    search = commands.add_parser("search")
    search.add_argument("index")
    search.add_argument("--questions", required=True)
    search.add_argument("--misses", action="store_true", help="list the questions without a right section")
    commands.add_parser("calibrate").add_argument("pairs", nargs="+")
    commands.add_parser("study").add_argument("--limit", type=int, default=60)
    given = parser.parse_args()
    if given.command == "time":
        measure_time(given.manual)
    elif given.command == "search":
        measure_search(given.index, read_questions(given.questions), given.misses)
    elif given.command == "calibrate":
        calibrate(list(zip(given.pairs[::2], given.pairs[1::2], strict=True)))
    else:
        run_study(given.limit)


if __name__ == "__main__":
    sys.exit(main())
