"""Bring the stored vectors of the shipped base up to date: python -m ansatz.knowledge_base.search"""

from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.search.embedding import FILE, list_base_parts, store_vectors

if __name__ == "__main__":
    lacked = store_vectors(list_base_parts(Library.load()))
    print(f"{FILE.name}: {lacked} vectors were out of date; {FILE.stat().st_size / 1e6:.2f} MB")
