"""Ansatz: which intervention helps a language model with engineering work, where, and by how much.

`__init__.pyi` lists the public names. Each is imported on first use: importing `ansatz` (and `ansatz --help`)
loads neither LangGraph nor NumPy nor CoolProp.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
