"""Your own model: any LangChain chat model, such as this one, which always gives the same answer."""

from typing import Any

from langchain_core.language_models import SimpleChatModel

import ansatz as az


class Parrot(SimpleChatModel):
    reply: str = "answer = 1.5 kW"
    _llm_type: str = "parrot"

    def _call(self, messages: Any, *arguments: Any, **settings: Any) -> str:
        return self.reply


study = az.Study(
    "own-model",
    models=[az.Model(Parrot(), "parrot"), az.Model(Parrot(reply="answer = 2 kW"), "other parrot")],
    problems=[("A pump lifts 12 L/s of water by 9 m at 70 % efficiency. Shaft power?", "1.51 kW")],
    arms={"careful": az.WithPrompt("Check your units.")},
)
print(study.run().attempts().select("model", "arm", "outcome"))
