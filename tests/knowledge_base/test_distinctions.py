"""What decides between similar entries: reactions, surfaces, motion, limits, and what exactly is asked."""

import pytest

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.regime import find_contradicted, find_facts
from ansatz.knowledge_base.regime.facts import SURE
from ansatz.knowledge_base.regime.reactions import find_reactions
from ansatz.knowledge_base.search import RegimeAware
from ansatz.knowledge_base.search.ranking import load_word_index


@pytest.mark.parametrize(
    ("text", "reaction"),
    [
        ("the rate of NO + O -> N + O + O at 7000 K", "NO + O -> N + O + O"),
        ("N2+O->NO+N", "N2 + O -> N + NO"),
        ("O₂ + M → 2 O + M", "M + O2 -> M + O + O"),
        ("N + O = NO+ + e-", "N + O -> NO+ + e"),
        ("p = rho R T", None),
        ("A = B + C", None),
    ],
)
def test_reaction_has_one_form(text, reaction):
    assert [found for found, _, _ in find_reactions(text)] == ([reaction] if reaction else [])


@pytest.mark.parametrize(
    ("question", "fits", "excluded"),
    [
        ("Rate of NO + N2 -> N + O + N2 at 6500 K?", "nonequilibrium.dissociation_rate.no_molecule", "nonequilibrium.dissociation_rate.no_atom"),
        ("Molar entropy of atomic oxygen at 3000 K?", "equilibrium.nasa9_s.o", "equilibrium.nasa9_s.o2"),
        ("Pressure coefficient at Mach 20 of a panel that faces away from the stream", "newtonian.pressure.shadow", "newtonian.pressure.sine_squared"),
        ("A crate slides over the floor", "physics.dynamics.kinetic_friction", "physics.dynamics.static_friction"),
        ("A push sets the crate in motion", "physics.dynamics.static_friction", "physics.dynamics.kinetic_friction"),
        ("The cp of air changes strongly on the way", "cycle.relative_pressure", "cycle.isentropic_temperature"),
        ("Efficiency of an engine that runs at maximum power", "cycle.curzon_ahlborn_efficiency", "cycle.carnot_efficiency"),
        ("A thick block suddenly absorbs a heat flux of 100 kW/m2", "heating.conduction.semi_infinite_flux", "heating.conduction.semi_infinite_step"),
        ("A thin panel radiates from both sides", "heating.wall.two_sided_radiation", "heating.wall.radiative_equilibrium"),
        ("Two foils hang between the plates", "radiation.radiation_shields", "radiation.parallel_plates"),
        ("Two plates with an emissivity of 0.1", "radiation.parallel_plates", "radiation.black_plates"),
        ("A comet whose orbital energy is zero", "astro.lambert_parabolic_time", "astro.lambert_lagrange"),
        ("The atmosphere of Venus", "reference.exponential_atmosphere_venus", "reference.exponential_atmosphere_mars"),
        ("The two cars stick together", "physics.momentum.perfectly_inelastic", "physics.momentum.elastic_first"),
        ("The streams run in opposite directions", "cycle.effectiveness_counterflow", "cycle.effectiveness_parallel_flow"),
        ("80 % of the normal momentum is accommodated", "newtonian.free_molecular.pressure_general", "newtonian.free_molecular.plate_pressure"),
        ("Weighted by 0.7, the translational temperature", "nonequilibrium.park_controlling_temperature_07", "nonequilibrium.park_controlling_temperature"),
        ("A membrane in air (rho 1.2 kg/m3, c 343 m/s) starts to move at 0.3 m/s", "shock.unsteady.acoustic_pressure", "shock.normal.strong_pressure"),
        ("A gas layer 20 cm deep with an absorption coefficient of 13 1/m", "radiation.tangent_slab_flux", "radiation.thin_slab_flux"),
        ("A plate at Re_x = 6e7 and Mach 4", "boundary_layer.recovery.turbulent_temperature", "boundary_layer.recovery.laminar_temperature"),
        ("Oil (nu = 1e-4 m2/s) flows at 1 m/s in a pipe with a diameter of 50 mm", "boundary_layer.contrast.pipe_laminar_friction", "boundary_layer.contrast.haaland"),
        ("A grey ceiling at 900 K with emissivity 0.8", "radiation.surface_power", "radiation.blackbody_emissive_power"),
        ("Water in a smooth pipe", "boundary_layer.turbulent.dittus_boelter", "boundary_layer.turbulent.plate_nusselt"),
        ("An ideal compressor is cooled: p v^1.3 stays constant", "cycle.polytropic_flow_work", "cycle.compressor_work_ideal_gas"),
        ("A plate in a Mach 18 stream, no friction", "newtonian.force.plate_drag", "newtonian.force.plate_drag_with_friction"),
        ("Heat is added in a frictionless duct", "shock.duct.rayleigh_temperature", "shock.duct.fanno_temperature"),
        ("A charged sheet of glass", "physics.electric.sheet_field", "physics.electric.conductor_field"),
        ("A coil of 600 turns wound over 30 cm", "physics.magnetic.solenoid", "physics.magnetic.loop_centre"),
    ],
)  # fmt: skip
def test_stated_fact_decides_between_siblings(question, fits, excluded):
    base, known = library(), find_facts(question, library())
    assert not list(find_contradicted(base.get(fits), known))
    assert list(find_contradicted(base.get(excluded), known))


@pytest.mark.parametrize(
    "text",
    ["a crate without a push", "a Reynolds number of 50000", "steady heating of a block for 5 s"],
)
def test_similar_words_state_no_fact(text):
    known = find_facts(text, library())
    assert not any(known.words(axis, SURE) for axis in ("motion", "bl_state", "time"))


@pytest.fixture(scope="module")
def ranker():
    return RegimeAware(library(), load_word_index(library()))


@pytest.mark.parametrize(
    ("text", "ending", "asked", "other"),
    [
        ("An orbit with a low perigee.", "How far away is its farthest point?", "astro.apoapsis", "astro.periapsis"),
        ("Friction of a plate.", "What is the mean friction coefficient?", "boundary_layer.laminar.blasius_mean_cf", "boundary_layer.laminar.blasius_cf"),
        ("A Hohmann transfer.", "What does the second impulse cost?", "astro.hohmann_second", "astro.hohmann_first"),
        ("A Newtonian plate.", "Which incidence gives the greatest lift?", "newtonian.force.max_lift_angle", "newtonian.force.plate_optimum_incidence"),
    ],
)  # fmt: skip
def test_asked_case_orders_but_excludes_nothing(ranker, text, ending, asked, other):
    places, (plain, asking) = library().places, (ranker.scores(f"{text}{end}") for end in ("", f" {ending}"))
    assert asking[places[asked]] / asking[places[other]] > plain[places[asked]] / plain[places[other]]
    assert not list(find_contradicted(library().get(other), find_facts(f"{text} {ending}", library())))
