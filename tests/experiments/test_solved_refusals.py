"""`solve` gives no answer where a value, a unit or a state may mean something else, and names what is missing."""

import pytest

from ansatz.experiments.solve import solve


@pytest.mark.parametrize(
    "question",
    [
        "An engine with a pressure ratio of 9 runs on the Otto cycle. What is its thermal efficiency?",
        pytest.param(
            "A gas in a cylinder at 2 bar expands polytropically from 0.05 m3 to 0.15 m3. What work does it do?",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "An orbit has its perigee at 400 km and its apogee at 2000 km. What is its period?",
            marks=pytest.mark.slow,
        ),  # of what?
        pytest.param(
            "Steel balls of 60 mm diameter leave a furnace at 850 degC and cool in air at 30 degC. h is 600 W/(m2 K); "
            "steel: 7830 kg/m3, 560 J/(kg K), 40 W/(m K). How long until they are at 200 degC?",
            marks=pytest.mark.slow,
        ),  # a Biot number of 0.15
        pytest.param(
            "A satellite orbits the Earth at 35786 km. What is its period?", marks=pytest.mark.slow
        ),  # a radius or an altitude?
    ],
)
def test_quantity_of_another_name_gives_no_answer(question):
    assert not solve(question).answer


@pytest.mark.parametrize(
    "question",
    [
        "A satellite at 500 km altitude moves at 7.6 km/s. How many watts do we lose?",
        pytest.param("A pipe of 50 mm carries 3 kg/s. How many metres do we need?", marks=pytest.mark.slow),
    ],
)
def test_unit_alone_gives_no_answer_without_support(question):
    assert not solve(question).answer


def test_a_unit_that_several_quantities_have_names_them():
    solved = solve(
        "A probe leaves a circular orbit at an altitude of 300 km onto a hyperbola with C3 = 9.0 km2/s2 - how many km/s? "
        "mu = 398600 km3/s2, Earth radius 6378 km."
    )
    [meanings] = [each for each in solved.uncertain if each.startswith("“km/s”")]
    assert not solved.answer and "circular orbit" in meanings


@pytest.mark.parametrize(
    "question",
    [
        "Which inner diameter has a pipe with a friction loss of 5 m for 12 L/s of water over 200 m? The Darcy "
        "friction factor is 0.02.",  # no given value is that diameter
        "12 L/s of water flow through 200 m of pipe with a friction loss of 5 m. What is the mean speed?",
        "A heater draws 8 A through 30 m of three-core copper, 2.5 mm2, 0.0178 ohm mm2/m. What is the voltage drop?",
    ],
)
def test_value_with_another_role_gives_no_answer(question):
    assert not solve(question).answer


def test_refusal_names_values_without_use():
    solved = solve("A liquid of 998 kg/m3 fills 2 m3, and a current of 5 A flows. What is its mass?")
    [unused] = [each for each in solved.uncertain if each.startswith("not used by")]
    assert not solved.answer and "5 A" in unused and "998 kg" not in unused


@pytest.mark.slow
def test_cross_section_of_a_pipe_is_no_surface():
    question = "A pipe of 80 mm has 90 degC in air at 20 degC, h = 10 W/m2K. What is the heat loss?"
    assert not solve(question).answer


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(
            "How much heat of vaporization does water at 60 degC and 10 bar have?", marks=pytest.mark.slow
        ),
        "R410A boils at 5 degC. What is its pressure?",  # a mixture has two
        pytest.param(
            "Steam of 20 bar is throttled to 5 bar and 180 degC. What is its entropy?",
            marks=pytest.mark.slow,
        ),  # on which side?
        pytest.param(
            "Water at 60 degC becomes steam at 10 bar. How much heat does each kilogram need?",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_saturation_value_uses_every_given_value_or_none(question):
    assert not solve(question).answer
