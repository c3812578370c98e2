"""Update the stored vectors of the base and of the subjects: python -m ansatz.knowledge_base.search"""

from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.search.embedding import FILE, list_base_parts, store_vectors
from ansatz.knowledge_base.search.subjects import VECTORS, list_subject_parts

if __name__ == "__main__":
    for file, parts in ((FILE, list_base_parts(Library.load())), (VECTORS, list_subject_parts())):
        added = store_vectors(parts, file)
        print(f"{file.name}: added {added} vectors; {file.stat().st_size / 1e6:.2f} MB")
