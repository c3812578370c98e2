"""Update the stored vectors of the shipped base: python -m ansatz.knowledge_base.search"""

from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.search.embedding import FILE, list_base_parts, store_vectors

if __name__ == "__main__":
    added = store_vectors(list_base_parts(Library.load()))
    print(f"{FILE.name}: added {added} vectors; {FILE.stat().st_size / 1e6:.2f} MB")
