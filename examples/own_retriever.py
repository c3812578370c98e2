"""Your own retriever: a function of the question, or any LangChain retriever. This handbook helps."""

import ansatz as az

WEIR = """[E1] discharge over a rectangular weir
  Q = 2/3*Cd*b*sqrt(2*g*h**3)
  where Q [m^3/s] flow; Cd [-] discharge coefficient; b [m] width; h [m] head; g = 9.81 m/s^2"""


def handbook(question: str) -> list[str]:
    return [WEIR] if "weir" in question else []


weir = (
    "Water runs over a rectangular weir of width b = 2 m at a head over the crest of h = {} m; "
    "the discharge coefficient is Cd = 0.62. How much flows?\n\nQ = ___ m^3/s"
)
flows = {0.1: 0.116, 0.2: 0.327, 0.3: 0.602, 0.4: 0.926, 0.5: 1.295, 0.6: 1.702, 0.7: 2.145, 0.8: 2.620}
study = az.Study(
    "own-retriever",
    models="offline:slide-rule",
    problems=[(weir.format(head), f"{flow} m^3/s") for head, flow in flows.items()],
    arms={"handbook": az.WithRetriever(handbook, top=1)},
)
print(study.run())
