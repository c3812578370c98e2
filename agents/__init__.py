"""Agents: a plan (plain data), compiled to a LangGraph graph that answers one question.

`__init__.pyi` lists the names. Each is imported on first use, so that reading transcripts does not import
LangGraph.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
