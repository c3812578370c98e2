"""The fluids of component questions: how they are called, modelled, and which zero they count from."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.knowledge_base.properties import ConstantHeatCapacityGas, Substance, substance


@dataclass(frozen=True)
class WorkingFluid:
    """A fluid by its published name, its letter in template ids, and the convention a question states."""

    name: str
    letter: str
    substance: Substance
    plain: str
    liquid: str
    vapor: str
    convention: str

    @property
    def is_gas(self) -> bool:
        return self.letter == "A"


FLUIDS = {
    one.name: one
    for one in (
        WorkingFluid(
            name="Water",
            letter="W",
            substance=substance("water"),
            plain="water",
            liquid="water",
            vapor="steam",
            convention="Water and steam count from the zero of steam tables (internal energy and entropy"
            " vanish for saturated liquid at the triple point).",
        ),
        WorkingFluid(
            name="R134a",
            letter="R",
            substance=substance("R134a"),
            plain="R-134a",
            liquid="liquid R-134a",
            vapor="R-134a vapour",
            convention="For R-134a use the IIR reference state (h = 200 kJ/kg and s = 1 kJ/(kg·K) for"
            " saturated liquid at 0 °C).",
        ),
        WorkingFluid(
            name="Air",
            letter="A",
            substance=Substance(ConstantHeatCapacityGas(cp=1005.0, k=1.4)),
            plain="air",
            liquid="air",
            vapor="air",
            convention="Air is an ideal gas with constant c_p = 1.005 kJ/(kg·K) and k = 1.4, so that"
            " R = c_p(k − 1)/k; take h = c_p·T with T in K, and s = 0 at 298.15 K and 0.1 MPa.",
        ),
    )
}
WATER, R134A, AIR = FLUIDS.values()
