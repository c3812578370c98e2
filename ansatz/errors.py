"""What all failures that we raise on purpose have in common."""


class AnsatzError(Exception):
    """Above every error that Ansatz raises on purpose: its message is one line that says what to do.

    Example: `issubclass(StudyError, AnsatzError)`.
    """


class InfrastructureError(AnsatzError):
    """Something other than the model's work failed: the attempt has no score and is tried again on resume.

    Example: `issubclass(InfrastructureError, AnsatzError)`.
    """
