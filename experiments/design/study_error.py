"""What keeps a study from being run, told with the place in its file; the checks that all parts share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ansatz.errors import AnsatzError
from ansatz.eval.validation import faulty_fields

Form = TypeVar("Form", bound=BaseModel)


class StudyError(AnsatzError, ValueError):
    """The study asks for something that cannot be run; `path` leads to it in the study file.

    Example: `Study("x", models=[], problems=pumps)  # StudyError: there is no model to ask`.
    """

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.path = path


def checked(form: type[Form], said: Mapping[str, Any]) -> Form:
    """What a script says, in a form of study files. Raises StudyError for the first that will not do."""
    try:
        return form.model_validate(said)
    except ValidationError as failure:
        fault = faulty_fields(failure, form)[0]
        raise StudyError(str(fault), fault.path) from None


def check_name(kind: str, name: object) -> None:
    """Tables are headed by it."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise StudyError(f"{kind}: a name must be text in one line, not {name!r}", (kind,))
