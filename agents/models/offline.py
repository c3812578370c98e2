"""The client of the offline model, Ansatz's stand-in for a language model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from langchain_core.messages import BaseMessage
from pydantic import ValidationError

from ansatz.agents.client import NO_CONTEXT, Reply, RequestContext, describe_tool
from ansatz.agents.identity import qualified_name
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.agents.slide_rule import SlideRule
from ansatz.errors import ModelError
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@dataclass(frozen=True)
class OfflineClient:
    """Sends requests to the offline model, which runs in this process."""

    model: SlideRule
    is_simulated: ClassVar[bool] = True

    @classmethod
    def of(cls, model: str, settings: ModelSettings) -> OfflineClient:
        """Make the client. Raises ModelError for another model than `slide-rule` or an unknown setting."""
        if model != "slide-rule":
            raise ModelError(f"there is no offline model {model!r}{nearest(model, ['slide-rule'])}")
        unused = settings.model_dump(include={"base_url", "temperature", "top_p"}, exclude_none=True)
        if unused:
            raise ModelError(f"offline:{model} takes no {', '.join(unused)}; leave it out")
        try:
            rule = SlideRule(**{"seed": settings.seed, **settings.extra})
        except ValidationError as wrong:
            error = wrong.errors()[0]
            raise ModelError(f"offline:{model}: {error['loc'][0]}: {error['msg']}") from None
        names = list(SlideRule.model_fields)
        if unknown := [name for name in settings.extra if name not in names]:
            raise ModelError(f"offline:{model} takes no {unknown[0]}{nearest(unknown[0], names)}")
        return cls(rule)

    @property
    def identity(self) -> dict[str, Any]:
        return {"class": qualified_name(type(self.model)), **self.model.model_dump(exclude_none=True)}

    async def reply(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        context: RequestContext = NO_CONTEXT,
    ) -> Reply:
        started = time.perf_counter()
        functions = [describe_tool(tool)["function"] for tool in tools]
        schemas = {function["name"]: function.get("parameters", {}) for function in functions}
        message = self.model.reply(messages, schemas, context.draw)
        return Reply(message, seconds=time.perf_counter() - started)

    async def aclose(self) -> None:
        """Do nothing: there are no connections."""
