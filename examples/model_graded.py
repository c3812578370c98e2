"""A scorer that asks a model: your own criteria, a scale and a judge (JUDGE_URL is its address)."""

import os

import ansatz as az

judge = {
    "name": "openai:judge",
    "settings": {"base_url": os.environ.get("JUDGE_URL", "http://localhost:8000/v1")},
}
stated = az.ModelGraded("Are key assumptions stated?", scale=(0, 2), model=judge, name="assumptions")
study = az.Study(
    "model-graded",
    models="offline:slide-rule",
    problems=[
        ("Air flows at T = 300 K. Report your answer as:\na = ___ m/s, the speed of sound", "347.2 m/s")
    ],
    arms={"asked": az.WithPrompt("State your assumptions.")},
    scorers=[az.Outcome(), stated],
)
print(study.run().attempts().select("arm", "outcome", "assumptions"))
