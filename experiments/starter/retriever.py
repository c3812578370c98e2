"""A retriever: any function from the question to texts, best first, or a LangChain retriever."""

PAGES = {
    "fan": """[E1] affinity law of fans
  P2 = P1*(n2/n1)**3
  where P2 [W] second power; P1 [W] first power; n1 [1/s] first speed; n2 [1/s] second speed""",
    "weir": """[E2] discharge over a rectangular weir
  Q = 2/3*Cd*b*sqrt(2*g*h**3)
  where Q [m^3/s] flow; Cd [-] discharge coefficient; b [m] width; h [m] head; g = 9.81 m/s^2""",
    "pump": """[E3] net positive suction head
  N = (p - p_v)/(rho*g) - h_L
  where N [m] suction head; p [Pa] pressure; p_v [Pa] of vapour; rho [kg/m^3] density; h_L [m] loss""",
}


def handbook(question: str) -> list[str]:
    """The pages whose keyword stands in the question."""
    return [text for word, text in PAGES.items() if word in question.lower()]
