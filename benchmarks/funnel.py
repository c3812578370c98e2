"""Measure the tool funnel on conversations whose tool calls were judged before.

    python -m benchmarks.funnel --transcripts tests/experiments/judged/held2.jsonl
    python -m benchmarks.funnel [--attempts 10000]

The first form reads conversations that were written and judged by hand, and compares each field of each tool
call. A field is right, wrong, or unknown where the judgement is certain; where the judgement is in doubt,
only "unknown" is right. The second form measures speed and the attempts that
`tests/experiments/planted_transcripts.py` generates. Times are processor times of one core.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ansatz.experiments.attribution.frames import call_records
from ansatz.experiments.attribution.funnel import read_tool_use
from ansatz.experiments.ledger.stored_results import read_results
from tests.experiments.judged_transcripts import FIELDS, Judged, judge, read_conversations
from tests.experiments.planted_run import write_planted_run
from tests.experiments.planted_transcripts import plant


def print_judged(judged: Sequence[Judged]) -> None:
    """Print the counts by field and by kind, the confusions by kind, and the share of each."""
    results = ("right", "wrong", "unknown", "overconfident")
    for title, names in (("field", ["right", "recovered", *FIELDS]), ("kind", _list_kinds(judged))):
        print(f"\n| {title} | {' | '.join(results)} | right of certain |\n|---|{'---:|' * 5}")
        for name in [*names, "all"]:
            own = [each for each in judged if name in ("all", each.field if title == "field" else each.kind)]
            counts = Counter(each.result for each in own)
            certain = sum(each.expected is not None for each in own)
            share = sum(each.result == "right" and each.expected is not None for each in own) / max(
                certain, 1
            )
            print(f"| {name} | {' | '.join(str(counts[each]) for each in results)} | {share:.1%} |")
    print("\n| kind | field | expected | found | calls |\n|---|---|---|---|---:|")
    confused = Counter(
        (each.kind, each.field, str(each.expected), str(each.found))
        for each in judged
        if each.result != "right"
    )
    for key, count in sorted(confused.items()):
        print(f"| {' | '.join(key)} | {count} |")
    faulty = {each.conversation for each in judged if each.result == "wrong"}
    doubtful = {each.conversation for each in judged if each.result != "right"} - faulty
    everything = {each.conversation for each in judged}
    print(
        f"\n{len(everything)} conversations: {len(everything) - len(faulty | doubtful)} right in every field, "
        f"{len(doubtful)} differ only in what is in doubt, {len(faulty)} have a wrong field"
    )


def _list_kinds(judged: Sequence[Judged]) -> list[str]:
    return list(dict.fromkeys(each.kind for each in judged))


def measure_transcripts(path: Path, shows_wrong: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        judged = list(judge(read_conversations(path), Path(folder)))
    print_judged(judged)
    for each in judged if shows_wrong else ():
        if each.result != "right":
            print(each.conversation, each.kind, each.field, each.call, each.expected, "->", each.found)


def measure_planted(attempts: int) -> None:
    """Print the share of generated attempts that are classified right, and the times."""
    planted = [each for seed in range(max(attempts // 200, 1)) for each in plant(seed)]
    with tempfile.TemporaryDirectory() as folder:
        write_planted_run(Path(folder), planted)
        data = read_results(Path(folder))
        started = time.process_time()
        found = read_tool_use(data)
        traced = time.process_time() - started
        found.rows()
        counted = time.process_time() - started
        calls = {(row["problem"], row["number"]): row for row in call_records(found)}
    wrong: Counter[str] = Counter()
    for number, each in enumerate(planted):
        wrong[each.kind] += any(
            calls[f"p{number}", call][name] != value
            for call, expected in each.expected.items()
            for name, value in expected.items()
        )
    print(f"{len(planted):,} attempts: {1 - wrong.total() / len(planted):.2%} classified right")
    print(f"funnel: {counted:.1f} s, of which {traced:.1f} s to read and trace the conversations")
    print({kind: count for kind, count in wrong.items() if count})


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--attempts", type=int, default=10_000)
    asked.add_argument("--transcripts", type=Path, help="a file of judged conversations")
    asked.add_argument("--list", action="store_true", help="list what is not right")
    chosen = asked.parse_args()
    if chosen.transcripts:
        measure_transcripts(chosen.transcripts, chosen.list)
    else:
        measure_planted(chosen.attempts)


if __name__ == "__main__":
    main()
