"""What holds of every generated cycle: balances close, heat flows downhill, machines can run."""

import pytest
from hypothesis import given, settings

from ansatz.eval.benchmarks.thermoqa.cycles.analysis import flow_exergy_of
from ansatz.eval.benchmarks.thermoqa.cycles.combined import steam_share
from ansatz.eval.benchmarks.thermoqa.cycles.feasibility import LOWEST_QUALITY
from ansatz.eval.benchmarks.thermoqa.cycles.givens import WATER, surroundings
from ansatz.knowledge_base.equation import library
from tests.eval.thermoqa.cycle_cases import SEEDS, asked, slots, solved


@given(slots(depths="BC"), SEEDS)
@settings(max_examples=50, deadline=None)
def test_every_component_generates_entropy_and_the_parts_make_the_whole(slot, seed):
    question = asked(slot, seed)
    made, states, key, numbers = solved(question)
    generated = {
        each.name: each.entropy_generation for each in made.components(states, surroundings(numbers))
    }
    ideal = ("pump", "comp", "turb") if slot[0].endswith("-I") else ()
    for name, value in generated.items():
        assert value == pytest.approx(0.0, abs=1e-6) if name in ideal else value > 0
        if f"s_gen_{name}" in key:
            assert key[f"s_gen_{name}"] == pytest.approx(value, rel=1e-9)
    assert key["s_gen_total"] == pytest.approx(sum(generated.values()), rel=1e-9)


@given(slots(depths="C"), SEEDS)
@settings(max_examples=50, deadline=None)
def test_exergy_destroyed_is_dead_temperature_times_entropy_generated(slot, seed):
    """Gouy and Stodola: an exergy balance of each component against its entropy balance, to 1e-9 of the flows."""
    made, states, key, numbers = solved(asked(slot, seed))
    around = surroundings(numbers)
    exergy = flow_exergy_of(made, around.dead)
    through = max(abs(exergy(state)) for state in states.values())
    for component in made.components(states, around):
        balance = component.exergy_destruction(exergy, around.dead.T)
        law = library().get("cycle.exergy_destruction").value(T_0=298.15, S_gen=component.entropy_generation)
        assert balance == pytest.approx(law, abs=1e-9 * through)
    assert key["x_dest_total"] == pytest.approx(298.15 * key["s_gen_total"], rel=1e-9)


@given(slots("RNK BRY", "C"), SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_power_cycle_as_a_whole_loses_what_its_parts_generate(slot, seed):
    """Only q_in, w_net and the reservoirs enter: energy, lost work at T_sink, and exergy balance of the whole."""
    _, _, key, numbers = solved(asked(slot, seed))
    source, sink = numbers["T_source_K"], numbers["T_sink_K"]
    rejected = key["q_in"] - key["w_net"]
    carnot = library().get("cycle.carnot_efficiency").value(T_L=sink, T_H=source)
    assert key["w_net"] == pytest.approx(key["q_in"] * carnot - sink * key["s_gen_total"], rel=1e-9)
    exergy_in = key["q_in"] * (1 - 298.15 / source)
    exergy_out = key["w_net"] + rejected * (1 - 298.15 / sink)
    assert key["x_dest_total"] == pytest.approx(exergy_in - exergy_out, rel=1e-9)
    assert 0 < key["eta_th"] < carnot
    assert key["eta_II"] == pytest.approx(key["w_net"] / exergy_in, rel=1e-9)
    assert 0 < key["eta_II"] < 1


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_refrigerator_needs_carnots_work_and_what_is_lost(seed):
    _, _, key, numbers = solved(asked(("VCR-A", "C"), seed))
    cold, warm = numbers["T_L_K"], numbers["T_H_K"]
    assert key["w_comp"] == pytest.approx(
        key["q_L"] * (warm / cold - 1) + warm * key["s_gen_total"], rel=1e-9
    )
    exergy_out = key["q_L"] * (298.15 / cold - 1) + key["q_H"] * (1 - 298.15 / warm)
    assert key["x_dest_total"] == pytest.approx(key["w_comp"] - exergy_out, rel=1e-9)
    law = library().get("cycle.refrigerator_second_law").value(COP_R=key["COP_R"], T_H=warm, T_L=cold)
    assert key["eta_II"] == pytest.approx(law, rel=1e-9)
    assert key["COP_R"] < key["COP_Carnot"]


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_combined_plants_exergy_goes_to_work_losses_and_the_stack(seed):
    _, states, key, numbers = solved(asked(("CCGT", "C"), seed))
    share = steam_share(states)
    assert key["m_dot_steam"] == pytest.approx(share * numbers["m_dot_air_kgs"], rel=1e-9)
    rejected = share * (key["h9"] - key["h6"])
    work = key["W_net_combined"] / numbers["m_dot_air_kgs"]
    assert key["h1"] + key["q_combustion"] == pytest.approx(work + rejected + key["h5"], rel=1e-9)
    supplied = key["q_combustion"] * (1 - 298.15 / numbers["T_source_K"])
    left = work + key["ef5"] - key["ef1"] + rejected * (1 - 298.15 / numbers["T_sink_K"])
    assert key["x_dest_total"] == pytest.approx(supplied - left, rel=1e-9)
    assert key["eta_II_combined"] == pytest.approx(work / supplied, rel=1e-9)


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_gas_stays_hotter_than_water_all_along_the_boiler(seed):
    made, states, _, _ = solved(asked(("CCGT", "A"), seed))
    share, air = steam_share(states), made.gas.air
    for step in range(61):
        steam = states["7"].h + (states["8"].h - states["7"].h) * step / 60
        gas = states["5"].h + share * (steam - states["7"].h)
        water = WATER.state(h=steam, P=states["8"].P)
        assert air.state(h=gas, P=states["5"].P).T > water.T + 5.0


@given(slots("RNK CCGT"), SEEDS)
@settings(max_examples=30, deadline=None)
def test_turbines_run_dry_enough_and_pumps_on_liquid(slot, seed):
    _, states, _, _ = solved(asked(slot, seed))
    for number, state in states.items():
        if state.fluid == "water" and state.h > 1.5e6 and not number.endswith("s"):
            assert state.x is None or state.x >= LOWEST_QUALITY
    assert states["6" if slot[0] == "CCGT" else "1"].x == 0.0
