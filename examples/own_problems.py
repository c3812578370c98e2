"""Your own problems: questions with their answers, asked with and without a calculator."""

import ansatz as az

problems = az.problems(
    [
        ("Air flows at T = 300 K. Report your answer as:\na = ___ m/s, the speed of sound", "347.2 m/s"),
        {
            "id": "density",
            "question": "A duct carries air at p = 101325 Pa and T = 300 K.\n\nReport:\nrho = ___ kg/m^3",
            "targets": [{"name": "rho", "value": 1.1766, "unit": "kg/m^3"}],
        },
    ]
)
arms = {"calculator": az.Calculator(), "retrieval": az.EquationRetrieval(top=3)}
study = az.Study("own-problems", models="offline:slide-rule", problems=problems, arms=arms)
print(study.run().deltas().select("arm", "dimension", "estimate", "p_holm"))
