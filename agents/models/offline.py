"""The offline model as a client: a stand-in of ours for a language model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from langchain_core.messages import BaseMessage
from pydantic import ValidationError

from ansatz.agents.client import Reply, describe_tool
from ansatz.agents.identity import qualified_name
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.agents.slide_rule import SlideRule
from ansatz.errors import ModelError
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@dataclass(frozen=True)
class OfflineClient:
    """Asks the offline model. `seconds` is the time that it takes."""

    model: SlideRule
    is_simulated: ClassVar[bool] = True

    @classmethod
    def of(cls, model: str, settings: ModelSettings) -> OfflineClient:
        """Raises ModelError for another model than `slide-rule`, and for a setting that it does not take."""
        if model != "slide-rule":
            raise ModelError(f"there is no offline model {model!r}{nearest(model, ['slide-rule'])}")
        unused = settings.model_dump(include={"base_url", "temperature", "top_p"}, exclude_none=True)
        if unused:
            raise ModelError(f"offline:{model} takes no {', '.join(unused)}; leave it out")
        try:
            made = SlideRule(**{"seed": settings.seed, **settings.extra})
        except ValidationError as wrong:
            fault = wrong.errors()[0]
            raise ModelError(f"offline:{model}: {fault['loc'][0]}: {fault['msg']}") from None
        known = list(SlideRule.model_fields)
        if unknown := [name for name in settings.extra if name not in known]:
            raise ModelError(f"offline:{model} takes no {unknown[0]}{nearest(unknown[0], known)}")
        return cls(made)

    @property
    def identity(self) -> dict[str, Any]:
        return {"class": qualified_name(type(self.model)), **self.model.model_dump(exclude_none=True)}

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply:
        started = time.perf_counter()
        described = [describe_tool(tool)["function"] for tool in tools]
        message = self.model.reply(messages, {each["name"]: each.get("parameters", {}) for each in described})
        return Reply(message, seconds=time.perf_counter() - started)

    async def aclose(self) -> None:
        """Nothing to close."""
