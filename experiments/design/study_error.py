"""What keeps a study from being run, with the place in its file; the checks that all parts share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ansatz.errors import StudyError
from ansatz.eval.validation import find_faulty_fields

Form = TypeVar("Form", bound=BaseModel)


def study_error(failure: ValidationError, kind: type) -> StudyError:
    """The first fault of settings of a `kind`, in one line."""
    fault = find_faulty_fields(failure, kind)[0]
    return StudyError(str(fault), fault.path)


def checked(form: type[Form], content: Mapping[str, Any]) -> Form:
    """What a script states, in a form of study files. Raises StudyError for the first fault."""
    try:
        return form.model_validate(content)
    except ValidationError as failure:
        raise study_error(failure, form) from None


def check_name(kind: str, name: object) -> None:
    """Tables are headed by it."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise StudyError(f"{kind}: a name must be text in one line, not {name!r}", (kind,))
