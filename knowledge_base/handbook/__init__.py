"""Your own manuals: read, split into passages with section and page, indexed, and searched."""

from ansatz.knowledge_base.handbook.handbook import (
    FileSummary,
    Handbook,
    find_cached_index,
    hash_documents,
    index_handbook,
    is_index,
)
from ansatz.knowledge_base.handbook.queries import HandbookQuery, read_queries
from ansatz.knowledge_base.handbook.reading import count_other_types, walk_files
from ansatz.knowledge_base.handbook.searching import HandbookSearch, SectionHit
from ansatz.knowledge_base.handbook.splitting import Passage

__all__ = [
    "FileSummary",
    "Handbook",
    "HandbookQuery",
    "HandbookSearch",
    "Passage",
    "SectionHit",
    "count_other_types",
    "find_cached_index",
    "hash_documents",
    "index_handbook",
    "is_index",
    "read_queries",
    "walk_files",
]
