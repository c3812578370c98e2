"""A served model that answers TPBench problems well or badly, by arm and level, and grades them as well."""

from __future__ import annotations

import hashlib
from collections import Counter

import yaml

from ansatz.eval.benchmarks.tpbench import load
from tests.eval.tpbench_answers import CASES
from tests.fakes.behaviours import Answer

PROBLEMS = load()
ARMS = {
    "simple_prompt": ["simple_prompt"],
    "symbolic_check": ["simple_prompt", "symbolic_check"],
}
SKILL = {"zero-shot": 0.9, "simple": 0.9, "checked": 1.1}
CHECK = "The derivative by computer algebra:\n\n```sympy\nfrom sympy import *\nx = symbols('x')\nprint(diff(sin(x)**2, x))\n```"
_WRONG = {
    problem.targets[0].name: [
        case.answer
        for case in CASES
        if case.function == problem.targets[0].name and case.label not in ("correct", "timeout")
    ]
    for problem in PROBLEMS
}


class ServedPhysicist:
    """Replies by what it is shown; equal requests get other attempts, as a model that samples would give."""

    def __init__(self):
        self.asked = Counter()
        self.texts = []

    def __call__(self, request):
        text = "\n".join(str(message["content"]) for message in request.body["messages"])
        self.texts.append(text)
        if "record_grade" in str(request.body.get("tools")):
            return grade(text)
        problem = next(each for each in PROBLEMS if each.question in text)
        arm = arm_of(text)
        if arm == "checked" and "Results of the checks:" not in text:
            return Answer(CHECK)
        key = f"{problem.id}/{arm}"
        self.asked[key] += 1
        return Answer(attempt(problem, SKILL[arm], f"{key}/{self.asked[key]}"))


def arm_of(text):
    if "```sympy" in text:
        return "checked"
    return "simple" if '"Final answer:"' in text else "zero-shot"


def attempt(problem, skill, seed):
    """Right with a chance that falls with the level, else one of the wrong ways there are."""
    draw = int(hashlib.sha256(seed.encode()).hexdigest()[:8], 16) / 16**8
    target = problem.targets[0]
    if draw < skill - 0.17 * int(problem.tags["level"]):
        return f"By the derivation above,\n\n```python\n{target.value}\n```"
    ways = _WRONG[target.name] or [
        "I could not find a closed form.",
        f"```python\n{target.value}\nright_one = {target.name}\ndef {target.name}(*given):\n    return 2*right_one(*given)\n```",
        f"```python\ndef {target.name}():\n    return 0.0\n```",
    ]
    return ways[int(draw * 1e6) % len(ways)]


def grade(text):
    """Follows the verification where it is shown; otherwise trusts whatever holds code."""
    solution = text.partition("SOLUTION BEGINS")[2]
    if "FINDING BEGINS" in text:
        letter = "A" if "\ncorrect: " in text else "C" if "\nwrong value" in text else "D"
    else:
        letter = ("A" if len(solution) % 3 else "B") if "```python" in solution else "D"
    return Answer(calls=(("record_grade", {"notes": "The decisive step is the last one.", "grade": letter}),))


def write_study(folder, base_url, repeats=3, where=None):
    """A study of three arms with auto-verification and a grader that is informed and not."""
    settings = {"base_url": base_url, "retry": {"tries": 1}}
    study = {
        "name": "physicist",
        "models": [{"name": "openai:physicist", "concurrency": 4, "settings": settings}],
        "problems": [{"benchmark": "tpbench", "where": where or {}}],
        "arms": ARMS,
        "repeats": repeats,
        "scorers": {
            "tpbench": {"timeout_seconds": 5},
            "tpbench_grade": {
                "model": {"name": "openai:grader", "settings": settings},
                "verification": "both",
                "timeout_seconds": 5,
            },
        },
    }
    file = folder / "study.yaml"
    file.write_text(yaml.safe_dump(study), encoding="utf-8")
    return file
