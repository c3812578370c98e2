"""A retriever: any function from the question to texts, best first, or a LangChain retriever.

These pages are from a draft with three mistakes, to show how a handbook can do harm. Replace them.
"""

PAGES = {
    "dynamic pressure": """[E1] dynamic pressure
  q = rho*V**2
  where q [Pa] dynamic pressure; rho [kg/m^3] density; V [m/s] speed
  applies when the speed is low""",
    "reynolds": """[E2] Reynolds number
  Re = rho*V*L/(2*mu)
  where Re [-] Reynolds number; rho [kg/m^3] density; V [m/s] speed; L [m] diameter; mu [Pa*s] viscosity
  applies when the duct is round""",
    "density rho": """[E3] density of air
  rho = p/(460*T)
  where rho [kg/m^3] density; p [Pa] pressure; T [K] temperature
  applies when the air is dry""",
}


def draft(question: str) -> list[str]:
    """Return the pages whose title is in the question."""
    return [text for title, text in PAGES.items() if title in question.lower()]
