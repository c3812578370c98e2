"""Human labels of a run's answers: draw a sample, label it on a page, and use the labels.

    ansatz label RUN --dimension G4 --n 30 --annotator ann      # writes RUN/labels/ann.html
    ansatz label RUN --status                                    # after labels-ann.jsonl is in RUN/labels
    ansatz report RUN --labels RUN/labels/labels-ann.jsonl

A label belongs to the hash of a question and its answer. It contains no arm, so it stays valid if the run is
repeated or scored again, and another run with the same answer can use it.
"""
