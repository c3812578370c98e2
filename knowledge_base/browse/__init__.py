"""The base as a static site: an index with a search, a page for each domain and for each entry."""

from ansatz.knowledge_base.browse.site import write_site

__all__ = [
    "write_site",
]
