"""A run written straight into a ledger: two models, three arms, repeats, endings, faults and hostile texts."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

from ansatz.agents import ModelCall, ToolCall, Transcript, Usage
from ansatz.eval import Dimension, Problem, Score
from ansatz.eval.problem import NumberTarget
from ansatz.experiments.ledger import Ledger, PlannedAttempt

ARMS = ("baseline", "calculator", "sheet")
MODELS = ("one", "two")
PROBLEMS = 16
HOSTILE = (
    "<script>window.broken = 1</script><img src=x onerror='window.broken = 2'>\x1b[31mred\x07\x00 "
    "\u202egnisrever\u202c שלום עולם مرحبا \ufffd </pre><!-- $\\href{javascript:window.broken=3}{x}$ "
    "__proto__ constructor\u2028\u2029"
)
LONG = "x = 1 + 1\n" * 50_000  # longer than the page shows at once
DIMENSIONS = (
    Dimension("outcome", "credit for final values"),
    Dimension("exact", "within 1 %", detail=True),
    Dimension("slips", "slips of arithmetic", better="lower", role="error"),
)


def write_run(folder: Path, *, done: int | None = None) -> Path:
    """The run, or the first `done` of its attempts."""
    problems = [_problem(number) for number in range(PROBLEMS)]
    places = product(range(3), problems, MODELS, ARMS)
    attempts = [
        PlannedAttempt(f"{m}/{arm}/{p.id}/{repeat}", m, arm, p.id, repeat) for repeat, p, m, arm in places
    ]
    with Ledger.open(folder) as ledger:
        ledger.describe({"study": _study(), "manifest": {"arms": _plans(), "isolation": ["landlock"]}})
        ledger.plan(attempts, problems)
        for attempt in attempts[:done]:
            _record(ledger, attempt)
    return folder


def _study():
    model = {"simulated": False, "identity": {}, "input_price": 1.0, "output_price": 5.0}
    return {
        "name": "pumps", "baseline": "baseline", "seed": 0, "repeats": 3, "judges": [], "scorers": [],
        "models": [{**model, "title": name, "name": name, "simulated": name == "two"} for name in MODELS],
        "arms": [{"name": arm, "switches": {} if arm == "baseline" else {arm: {}}, "builds_on": False} for arm in ARMS],
        "dimensions": [each.to_json() for each in DIMENSIONS],
    }  # fmt: skip


def _plans():
    tool = {"type": "function", "function": {"name": "run_python", "description": "Runs.", "parameters": {}}}
    return {arm: {"tools": [tool] if arm == "calculator" else []} for arm in ARMS}


def _problem(number: int) -> Problem:
    return Problem(
        id=f"pump/<b>&{number}#0" if number == 0 else f"pump.{number}#0",
        family=f"family{number}",
        benchmark="own",
        question=HOSTILE if number == 0 else f"A pump lifts {number} kg by 9 m. Work $W = m g h$?",
        targets=(NumberTarget(name="W", unit="J", weight=1.0, value=88.26 * (number + 1)),),
        tags={"level": f"L{number % 2 + 1}", "domain": ("pumps", "energy")[number % 2 :]},
    )


def _record(ledger: Ledger, attempt: PlannedAttempt) -> None:
    number = int(attempt.problem.removesuffix("#0").rpartition("&" if "&" in attempt.problem else ".")[2])
    if attempt.arm == "sheet" and number == 3:
        ledger.record(attempt, transcript=None, error="ModelUnavailable: 503 <b>later</b>")
        return
    right = (attempt.arm == "calculator" and number != 4) or (attempt.arm == "baseline" and number in (4, 5))
    told = _transcript(attempt, number, right)
    read = {
        "value": 88.26 * (number + 1) if right else None if number == 8 else 7.0,
        "unit": "J",
        "unit_ok": True,
        "band": "exact" if right else "wrong",
        "credit": float(right),
        "at": [2, 8] if number == 5 and right else None,  # the first time, where a search would find the last
    }
    finding = {"kind": "arithmetic", "quote": "2*3 = 7", "message": "comes to 6, stated 7"}
    scores = [
        Score(dimension="outcome", value=None if attempt.arm == "sheet" and number == 6 else float(right),
              evidence="W: stated so", details={"targets": {"W": read}}),
        Score(dimension="exact", value=float(right), evidence="W: stated so"),
        Score(dimension="slips", value=0.0 if right else 1.0, evidence="2*3 is 6", details={"findings": [] if right else [finding]}),
    ]  # fmt: skip
    ledger.record(attempt, transcript=told, scores=scores)


def _transcript(attempt: PlannedAttempt, number: int, right: bool) -> Transcript:
    value = f"{88.26 * (number + 1):.6g}" if right else "7"
    answer = f"\\[ W = m g h \\]\nFirst {'2*3 = 6' if right else '2*3 = 7'}.\nW = {value} J"
    if number == 5:
        answer = f"🚀 {value} J\n{answer}"
    if number == 0:
        answer = f"{HOSTILE}\n{answer}"
    if number == 1 and attempt.model == "one" and attempt.repeat == 0 and attempt.arm != "sheet":
        answer = LONG + answer
    if attempt.repeat == 2 and not right:
        answer += "\nSo it is."
    told = "Answer.\nUse the sheet." if attempt.arm == "sheet" else "Answer."
    messages: list[dict] = [{"role": "system", "content": told}, {"role": "user", "content": "the question"}]
    calls: list[ToolCall] = []
    if attempt.arm == "calculator":
        arguments = {"code": f"print({number})  # {HOSTILE}", "__proto__": {"x": 1}}
        function = {"name": "run_python", "arguments": json.dumps(arguments)}
        call = {"id": "1", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "name": "run_python", "tool_call_id": "1", "content": HOSTILE},
        ]
        calls.append(ToolCall(name="run_python", arguments=arguments, result=HOSTILE, ok=True, seconds=0.014))
    # What number 9 answers was handed in by a tool, and is not in its last message.
    messages.append({"role": "assistant", "content": "Done." if number == 9 else answer})
    asked = ModelCall(node="model", seconds=0.1, usage=Usage(input=100, output=50 if right else 400))
    stop = "truncated" if attempt.arm == "sheet" and number == 7 else "answered"
    spent = {"model_calls": (asked,), "tool_calls": tuple(calls), "seconds": 0.2}
    return Transcript(answer=answer, stop=stop, messages=tuple(messages), **spent)
