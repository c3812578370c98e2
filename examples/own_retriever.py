"""Your own retriever: a function of the question, or any LangChain retriever."""

from langchain_core.documents import Document

import ansatz as az

PAGES = {
    "sound": "Speed of sound of a perfect gas: a = sqrt(gamma*R*T)",
    "density": "Density of a perfect gas: rho = p / (R*T)",
}


def handbook(question: str) -> list[Document]:
    return [Document(text, metadata={"source": word}) for word, text in PAGES.items() if word in question]


study = az.Study(
    "own-retriever",
    models="offline:slide-rule",
    problems=[
        ("Air is at p = 101325 Pa and T = 300 K. Its density?\n\nReport:\nrho = ___ kg/m^3", "1.1766 kg/m^3")
    ],
    arms={"handbook": az.WithRetriever(handbook, top=1)},
)
print(study.run())
