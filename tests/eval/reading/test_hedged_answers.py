"""Answers that mention the right value without asserting it, and answers that assert it."""

import asyncio
import json

import pytest

from ansatz.eval.outcome import Outcome, judge_targets
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.score import ScoringContext
from tests.fakes.transcripts import attempt

POWER = NumberTarget(name="P", unit="kW", weight=1, value=1.51, description="shaft power")

HEDGED = {
    "a range": [
        "between 1.0 and 1.51 kW",
        "The power is between 1.0 and 1.51 kW.",
        "in the range 0.1 to 1.51 kW",
        "P = 0.5–1.51 kW",
        "P = 0.5 - 1.51 kW",
        "P = 1.51 to 3.02 kW",
        "P = 1.45–1.57 kW",
        "P = 1.51 kW to 3.0 kW",
        "P ranges from 1.51 to 3.02 kW.",
        "P = 1.51…3.02 kW",
        "- P: between 1.0 kW and 1.51 kW",
        "The answer is from 1.0 to 1.51 kW.",
        r"\boxed{1.0\text{–}1.51\text{ kW}}",
        r"\boxed{P \approx 0.5 - 1.51\text{ kW}}",
        "<answer>1.0-1.51 kW</answer>",
        "| Quantity | Value |\n|---|---|\n| P | 1.0–1.51 kW |",
        "| Quantity | Value | Unit |\n|---|---|---|\n| P | 0.5 to 1.51 | kW |",
    ],
    "a limit": [
        "less than 1.51 kW",
        "at most 1.51 kW",
        "P < 1.51 kW",
        r"P \le 1.51\,\text{kW}",
        r"$P \gtrsim 1.51\ \mathrm{kW}$",
        "1.0 ≤ P ≤ 1.51 kW",
        "1.51 kW < P",
        "The shaft power is at least 1.51 kW.",
        "The shaft power is no more than 1.51 kW.",
        "The shaft power is up to about 1.51 kW.",
        "The shaft power exceeds 1.51 kW.",
        "The power has an upper limit of 1.51 kW.",
        "P = 1.51 kW at most.",
        "P = 1.51 kW or less.",
        "1.51 kW is an upper bound.",
        "P = less than 1.51 kW",
        r"\boxed{P < 1.51\text{ kW}}",
        "Answer: at most 1.51 kW",
        "| Quantity | Value |\n|---|---|\n| P | < 1.51 kW |",
        '{"P": "< 1.51 kW"}',
    ],
    "one of several": [
        "1.51 kW or 3.02 kW, depending",
        "P = 1.51 or 3.02 kW",
        "P = 3.02 kW or 1.51 kW",
        "P is either 1.51 kW or 3.02 kW.",
        "P = 1.51 kW (or 3.02 kW)",
        "P = 1.51 kW, or 3.02 kW with two pumps",
        "P = 1.51 kW or P = 3.02 kW",
        "P = 3.02 kW; alternatively, P = 1.51 kW",
        "The power is 1.51 kW and 3.02 kW.",
        r"\boxed{1.51 \text{ or } 3.02\text{ kW}}",
        "Final answer: 1.51 kW or 3.02 kW",
        '{"P": "1.51 kW or 3.02 kW"}',
    ],
    "denied": [
        "Not 1.51 kW.",
        "P ≠ 1.51 kW",
        r"P \neq 1.51\text{ kW}",
        "P is not equal to 1.51 kW.",
        "P isn't 1.51 kW.",
        "The power cannot be 1.51 kW.",
        "The answer is not P = 1.51 kW.",
        "It is neither 1.51 kW nor 3.02 kW.",
        "Rather than 1.51 kW, the power is unknown.",
        r"\boxed{\text{not } 1.51\text{ kW}}",
        "Answer: not 1.51 kW",
    ],
    "rejected": [
        "P = 1.51 kW is wrong.",
        "P = 1.51 kW is not correct.",
        "P = 1.51 kW. No, that is wrong.",
        "I was tempted to write P = 1.51 kW.",
    ],
    "a part or multiple": [
        "Its value is 84.8 % of 1.51 kW.",
        "P is twice 1.51 kW",
        "P = 1.51 kW + losses",
    ],
}
OTHERWISE = [  # another value is asserted
    "I was tempted to write P = 1.51 kW; the right value is P = 3.02 kW.",
    "I was tempted to write 1.51 kW; the right value is 3.02 kW.",
    "1.51 kW would be the ideal power; the real power is 3.02 kW.",
    "P = 1.51 kW would be the ideal power; the real power is 3.02 kW.",
    "Initially I got P = 1.51 kW, but after correcting the head the final answer is 3.02 kW.",
    "Initially I got P = 1.51 kW, but the head was wrong: final answer 3.02 kW.",
    "P = 1.51 kW. Wait, that is not right: P = 3.02 kW",
    "P = 1.51 kW / 3.02",
    "It is not 1.51 kW but 3.02 kW.",
]
ASSERTED = [
    "P = 1.51 kW",
    "1.51 kW",
    "The shaft power is 1.51 kW.",
    "approximately 1.51 kW",
    "P = 1.51 ± 0.02 kW",
    r"$P = (1.51 \pm 0.02)\ \mathrm{kW}$",
    "P ≃ 1.51 kW",
    r"P \simeq 1.51\text{ kW}",
    r"\boxed{1.51} kW",
    "P = 1510 W = 1.51 kW",
    "P = 1.51 kW or 1510 W",
    "P = 1.51 kW or about 2.02 hp",
    "P = 1.51 kW or so",
    "P = 1.51 kW, which is less than 3 kW.",
    "P = 1.51 kW < 3 kW",
    "Since the flow is not laminar, P = 1.51 kW.",
    "Friction cannot be neglected. The power is 1.51 kW.",
    "It is not 3.02 kW but 1.51 kW.",
    "The power is 1.51 kW, not 3.02 kW.",
    "P = 1.51 kW rather than 3.02 kW.",
    "Between 1 and 3 kW one would expect; the result is P = 1.51 kW.",
    "The typical range is 1 to 3 kW. P = 1.51 kW",
    "P must be less than 2 kW. P = 1.51 kW.",
    "P = 1.51 kW. Check: 1.0 kW < P < 2.0 kW.",
    "P = 1.51 kW (between 1 and 2 kW as expected)",
    "P = 1.51 kW, within the range 1 to 3 kW.",
    "The flow rises from 2 to 5 L/s, so P = 1.51 kW",
    "For Re > 4000 the power is 1.51 kW.",
    "If the efficiency is 0.75, P = 1.51 kW.",
    "It needs a power of roughly 1.51 kW to run.",
    "The minimum power required is 1.51 kW.",
    "At least we can say that P = 1.51 kW.",
    "The power of 1.51 kW is not enough.",
    "P = 1.51 kW is not negligible.",
    "P = 2.0 - 0.49 = 1.51 kW",
    "P = 2.0 - 0.49 kW",
    "P = 1.50-1.52 kW",
    "I was tempted to write 3.02 kW; the right value is 1.51 kW.",
    "3.02 kW would be the ideal power; the real power is 1.51 kW.",
    "P = 3.02 kW would be the ideal power; the real power is 1.51 kW.",
    "Initially I got P = 3.02 kW, but after correcting the head the final answer is 1.51 kW.",
    "Initially I got P = 12 kW, but I had used the wrong head, so the final answer 1.51 kW",
    "P = 3.02 kW. Wait, that is not right: P = 1.51 kW",
    "| Quantity | Value | Range |\n|---|---|---|\n| P | 1.51 kW | 1.0–2.0 kW |",
    '{"P": "about 1.51 kW"}',
    "Final answer: (b) 1.51 kW",
]


@pytest.mark.parametrize(
    ("text", "reason"), [(text, reason) for reason, texts in HEDGED.items() for text in texts]
)
def test_a_hedged_value_is_doubted_with_its_reason(text, reason):
    (verdict,) = judge_targets([POWER], text, free_form=True)
    assert verdict.stated is None
    assert f"in doubt ({reason})" in verdict.evidence
    assert judge_targets([POWER], text)[0].stated is None  # nor if the question fixes the form


@pytest.mark.parametrize("text", OTHERWISE)
def test_a_value_that_was_given_up_is_not_read(text):
    for free_form in (True, False):
        assert judge_targets([POWER], text, free_form=free_form)[0].band == "wrong"


@pytest.mark.parametrize("text", ASSERTED)
def test_an_asserted_value_is_read(text):
    assert judge_targets([POWER], text, free_form=True)[0].band == "exact"


@pytest.mark.parametrize("value", ["1.0 to 1.51 kW", "at most 1.51 kW", "1.51 kW or 3.02 kW", "not 1.51 kW"])
@pytest.mark.parametrize("form", ["block", "json", "tool"])
def test_a_hedge_in_the_requested_form_is_not_a_value(value, form):
    answer = json.dumps({"P": value}) if form == "json" else f"P = {value}"
    problem = Problem(id="p", family="f", benchmark="b", question="P = ___ kW", targets=[POWER])
    made = attempt(answer).model_copy(update={"form": form})
    scores = asyncio.run(Outcome().score(ScoringContext(problem, made)))
    outcome = next(each for each in scores if each.dimension == "outcome")
    assert outcome.details["targets"]["P"]["value"] is None


def test_the_end_of_a_long_answer_is_read():
    padding = "The flow is turbulent.\n" * 20_000
    assert judge_targets([POWER], f"P = 3 kW\n{padding}P = 1.51 kW", free_form=True)[0].stated == 1.51
    assert judge_targets([POWER], f"P = 1.51 kW\n{padding}", free_form=True)[0].stated is None
