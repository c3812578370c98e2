"""+Sheet: prepend a fixed sheet of the twenty most used formulas to the question."""

from __future__ import annotations

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, read_prompt
from ansatz.interventions.notes import ShowHint
from ansatz.settings import settings

MOST_USED = (
    "newtonian.pressure.sine_squared",
    "newtonian.pressure.modified",
    "newtonian.pressure.cp_max",
    "newtonian.pressure.dynamic",
    "shock.normal.pressure_ratio",
    "shock.normal.density_ratio",
    "shock.normal.temperature_ratio",
    "shock.isentropic.total_temperature",
    "shock.isentropic.pressure_ratio",
    "boundary_layer.laminar.blasius_cf",
    "boundary_layer.turbulent.one_fifth_cf",
    "boundary_layer.recovery.laminar_temperature",
    "boundary_layer.reference.eckert_temperature",
    "heating.sutton_graves.earth",
    "equilibrium.sutherland.air",
    "equilibrium.sound_speed_perfect",
    "viscous_interaction.chi_bar",
    "viscous_interaction.knudsen_number",
    "nonequilibrium.damkohler",
    "radiation.blackbody_emissive_power",
)
"""Ids of the formulas on the sheet, which is the same for every question."""


@settings()
class FormulaSheet(Intervention):
    """A fixed sheet of the twenty most used formulas, without conditions of validity (+Sheet).

    Example: `FormulaSheet(("newtonian.pressure.dynamic",))`.
    """

    equations: tuple[str, ...] = MOST_USED
    """Ids of the equations on the sheet."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        from ansatz.knowledge_base.equation import library

        equations = enumerate(map(library().get, self.equations), start=1)
        entries = [equation.sheet(number, conditions=False) for number, equation in equations]
        return plan.precede(ShowHint("formula_sheet", "\n\n".join([read_prompt("formula_sheet"), *entries])))
