"""Published answers of real models, compared as a run: `ansatz score --from jsonl`, report, page and pictures.

    python benchmarks/published_answers.py DATA OUT

DATA is a folder with ThermoQA's published questions and answers (tierN-questions.jsonl, tierN-responses-MODEL-runR.jsonl;
docs/studies/published-answers.md says where to get them). OUT gets the two kinds of file that the command reads, and the run.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import ansatz as az
from ansatz.eval.problem_files import dump

NAMED = re.compile(r"tier(\d)-responses-(.+)-run(\d+)\.jsonl")


def write_inputs(data: Path, out: Path) -> tuple[Path, list[Path]]:
    """Questions in the item schema, and by model a file of answers; a model is an arm, a run a repeat."""
    out.mkdir(parents=True, exist_ok=True)
    dump(az.benchmark("thermoqa", questions=str(data)), out / "problems.jsonl")
    lines: dict[str, list[str]] = {}
    for path in sorted(data.glob("tier*-responses-*.jsonl")):
        _, model, run = NAMED.fullmatch(path.name).groups()  # type: ignore[union-attr]
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            told = {
                "problem_id": row["id"],
                "text": row.get("response_text") or row["raw_response"],
                "model": "published",
            }
            kept = {name: row[name] for name in ("input_tokens", "output_tokens")}
            told |= kept | {"arm": model, "repeat": int(run) - 1, "seconds": row["latency_s"]}
            lines.setdefault(model, []).append(json.dumps(told))
    files = [out / f"{model}.jsonl" for model in lines]
    for file, rows in zip(files, lines.values(), strict=True):
        file.write_text("\n".join(rows), encoding="utf-8")
    return out / "problems.jsonl", files


def main(data: Path, out: Path) -> None:
    problems, files = write_inputs(data, out)
    run = out / "run"
    scorers = ("--scorer", "outcome", "--scorer", "thermoqa")
    for words in (
        [
            "score",
            "--from",
            "jsonl",
            *map(str, files),
            "--problems",
            str(problems),
            *scorers,
            "--out",
            str(run),
        ],
        ["report", str(run)],
        ["view", str(run)],
    ):
        print("$ ansatz", *words, flush=True)
        subprocess.run([sys.executable, "-m", "ansatz.cli", *words], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
