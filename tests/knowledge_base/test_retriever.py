"""The LangChain retriever, alone and in a chain."""

from langchain_core.runnables import RunnableLambda

from ansatz.knowledge_base import EquationRetriever
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search import Searcher

QUESTION = "Drag coefficient of a sphere, Mach 8, gamma 1.4, by modified Newtonian theory"


def test_documents_are_the_results_of_the_search():
    searcher = Searcher(library(), ranker="bm25")
    retrieved = searcher.search(QUESTION, 3)
    hits, needed = retrieved.hits, retrieved.prerequisites
    found = EquationRetriever(searcher=searcher, k=3).invoke(QUESTION)
    equations = [each.equation for each in (*hits, *needed)]
    assert [each.page_content for each in found] == [each.sheet() for each in equations]
    metadata = [each.metadata for each in found]
    assert [each["id"] for each in metadata] == [each.id for each in equations]
    assert [each["role"] for each in metadata] == ["hit"] * 3 + ["prerequisite"] * len(needed)
    assert metadata[0]["conditions"] == [each.describe() for each in equations[0].regime.require]
    assert [each["score"] for each in metadata[:3]] == [hit.score for hit in hits]
    assert (metadata[3]["gives"], metadata[3]["needed_by"]) == (needed[0].symbol, needed[0].needed_by.id)


def test_retriever_works_in_a_chain():
    retriever = EquationRetriever(searcher=Searcher(library(), ranker="bm25"), k=2, prerequisites=False)
    chain = retriever | RunnableLambda(lambda documents: "\n\n".join(each.page_content for each in documents))
    assert chain.invoke(QUESTION).count("where ") == 2
