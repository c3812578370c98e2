"""The LangChain retriever, alone and in a chain."""

import pytest
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda

from ansatz.knowledge_base import EquationRetriever
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search import Searcher

QUESTION = "Drag coefficient of a sphere, Mach 8, gamma 1.4, with the real stagnation-point pressure instead of Cp = 2."


@pytest.fixture(scope="module")
def searcher():
    return Searcher(library(), ranker="bm25")


def test_hits_come_as_documents_with_sheet_conditions_and_score(searcher):
    found = EquationRetriever(searcher=searcher, k=3, prerequisites=False).invoke(QUESTION)
    assert len(found) == 3
    first = found[0]
    equation = library().get(first.metadata["id"])
    assert first.page_content == equation.sheet()
    assert first.metadata["conditions"] == [predicate.words() for predicate in equation.regime.require]
    assert [each.metadata["score"] for each in found] == sorted(
        (each.metadata["score"] for each in found), reverse=True
    )
    assert {each.metadata["role"] for each in found} == {"hit"}


def test_documents_are_those_of_the_search(searcher):
    retrieved = searcher.search(QUESTION, 4)
    found = EquationRetriever(searcher=searcher, k=4).invoke(QUESTION)
    wanted = [hit.equation.id for hit in retrieved.hits] + [
        each.equation.id for each in retrieved.prerequisites
    ]
    assert [each.metadata["id"] for each in found] == wanted
    needed = next(each for each in found if each.metadata["role"] == "prerequisite")
    assert needed.metadata["gives"] and needed.metadata["needed_by"] in wanted


def test_it_takes_part_in_a_chain(searcher):
    retriever = EquationRetriever(searcher=searcher, k=2, prerequisites=False)
    assert isinstance(retriever, BaseRetriever)
    chain = retriever | RunnableLambda(lambda documents: "\n\n".join(each.page_content for each in documents))
    assert chain.invoke(QUESTION).count("where ") >= 2
