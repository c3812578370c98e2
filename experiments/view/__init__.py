"""What people look at: a run as a folder of pages that open from disk, and its transcripts in a terminal."""

from ansatz.experiments.view.folder import watch, write_view

__all__ = ["watch", "write_view"]
