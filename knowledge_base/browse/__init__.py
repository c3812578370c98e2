"""Write the base as a static site: a searchable index, and a page for each domain and entry."""

from ansatz.knowledge_base.browse.site import write_site

__all__ = [
    "write_site",
]
