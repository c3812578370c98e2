"""How a component question is put into words: questions.yaml filled with a draw."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import yaml
from pydantic import BaseModel, ConfigDict

from ansatz.eval.benchmarks.thermoqa.components.component import DEPTHS, heating_fluid
from ansatz.eval.benchmarks.thermoqa.components.printed import Givens
from ansatz.eval.benchmarks.thermoqa.components.working_fluids import WorkingFluid


class Wording(BaseModel):
    """The sentences of one component; `sources` follow the setup where a heat source is given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    setups: tuple[str, ...]
    requests: dict[str, tuple[str, ...]]
    definitions: dict[str, str]
    sources: tuple[str, ...] = ()

    def text(self, depth: str, fluid: WorkingFluid, givens: Givens, random: Random) -> str:
        """One setup, the request, definitions and conventions, with every given filled in."""
        printed = {one.symbol: one.text for one in givens.printed}
        sentences = [random.choice(self.setups)]
        if "T_source" in printed:
            sentences.append(random.choice(self.sources))
        sentences.append(random.choice(self.requests[depth]))
        sentences += (self.definitions[each] for each in DEPTHS if each <= depth and each in self.definitions)
        heating = heating_fluid(fluid)
        names = {"fluid": fluid.plain, "vapor": fluid.vapor, "liquid": fluid.liquid, "heating": heating.plain}
        filled = [_capitalised(sentence.format(**names, **printed)) for sentence in sentences]
        heated = "T_h_in" in printed
        conventions = dict.fromkeys((fluid.convention, *((heating.convention,) if heated else ())))
        return " ".join((*filled, *conventions))


@cache
def wordings() -> dict[str, Wording]:
    """The wording of every component, by its name."""
    text = Path(__file__).with_name("questions.yaml").read_text(encoding="utf-8")
    return {name: Wording.model_validate(entry) for name, entry in yaml.safe_load(text).items()}


def _capitalised(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
