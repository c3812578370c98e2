"""Units as people write them, against NIST SP 811 (2008), appendix B.8, in base units of the SI; how they convert."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.knowledge_base.equation import library
from ansatz.quantities.scales import Quantity, compare, convert, scale
from ansatz.quantities.statements import statements
from ansatz.quantities.unit_writing import written_unit
from ansatz.quantities.units import (
    EVERY_PREFIX,
    SPELLINGS,
    TAKES_PREFIX,
    UnitError,
    converted,
    parse_unit,
    quantity,
    registry,
)

FIGURES = """
0.0004719474 m³/s: cfm, CFM, cu ft/min, ft³/min
0.02831685 m³/s: cfs
6.30902e-05 m³/s: gpm, USgpm, gal/min
0.04381264 m³/s: MGD
1.840131e-06 m³/s: bbl/day, bpd
1.666667e-05 m³/s: L/min, lpm
0.0001259979 kg/s: lb/hr
0.4535924 kg/s: lbm/s
6894.757 Pa: psi, psia, psi(a), lb/in²
6894757.0 Pa: ksi
47.88026 Pa: psf, lbf/ft^2
100000.0 Pa: bara, bar(a), bar abs
1000.0 Pa: kPa(a)
100.0 Pa: mbar
101325.0 Pa: atm
98066.5 Pa: ata, kg/cm², kgf/cm2
133.3224 Pa: mmHg, mm Hg, Torr
3386.389 Pa: inHg, in. Hg
249.0889 Pa: inH2O, in. w.c., inWG
2989.067 Pa: ftH2O
9806.65 Pa: mH2O
9.80665 Pa: mmH2O
1055.056 J: Btu, BTU
1055056000.0 J: MMBtu
4184.0 J: kcal
3600000.0 J: kWh
1.355818 J: ft-lb, ft·lbf
0.1129848 N·m: in-lb
1.355818 N·m: lb-ft
1000.0 N·m: kNm
3516.853 W: TR, tons of refrigeration
0.2930711 W: Btu/hr
293.0711 W: MBH
293071.1 W: MMBtu/hr
1.162222 W: kcal/h
745.6999 W: hp
735.4988 W: PS
1000.0 W: kVAr
2326.0 J/kg: Btu/lb
4186.8 J/(kg·K): Btu/lbm-R
5.678263 W/(m²·K): Btu/(hr·ft²·°F)
1.730735 W/(m·K): Btu/hr-ft-°F
4.448222 N: lbf
9.80665 N: kgf
4448.222 N: kip
16.01846 kg/m³: lb/ft³, pcf
453.5924 mol: lbmol
14.5939 kg: slug
0.1047198 rad/s: rpm, rev/min
0.44704 m/s: mph
0.00508 m/s: fpm
0.5144444 m/s: knot
2.54e-05 m: mil
0.09290304 m²: sq ft
4046.873 m²: acre
0.003785412 m³: gal
0.1589873 m³: bbl
0.001 Pa·s: cP, mPas
1e-06 m²/s: cSt
9.869233e-16 m²: mD
425143.7 1/m²: mpg
0.5555555555555556 K: °R
0.01 -: wt%
"""
"""Figure and unit, then the spellings that have it."""
ROWS = [
    (spelling, *figure.split())
    for figure, _, spellings in (line.partition(": ") for line in FIGURES.strip().splitlines())
    for spelling in spellings.split(", ")
]


@pytest.mark.parametrize(("spelling", "figure", "unit"), ROWS, ids=[row[0] for row in ROWS])
def test_a_spelling_has_the_value_of_the_handbook(spelling, figure, unit):
    # Seven digits are printed; 1e-6 also covers Btu_IT, which pint rounds to 1055.056 J.
    assert quantity(1.0, spelling).to(parse_unit(unit)).magnitude == pytest.approx(float(figure), rel=1e-6)


ENDS_A_CLAUSE = {"R", "deg. C", "deg. F", "in. Hg", "in. w.c.", "sq. ft", "sq. in", "cu. ft", "cu. in"}


@pytest.mark.parametrize("spelling", sorted({*SPELLINGS, *(row[0] for row in ROWS)} - ENDS_A_CLAUSE))
def test_what_a_key_may_be_given_in_is_read_in_answers(spelling):
    [stated] = statements(f"It follows that x = 3 {spelling} at the inlet.")
    assert scale(stated.unit) == scale(spelling) is not None


@pytest.mark.parametrize(
    ("written", "unit"),
    [
        ("25 W/m2K", "W/(m²·K)"),
        ("250 kPa absolute", "kPa"),
        ("30 psi (gauge)", "psig"),
        ("20 bar g", "bar(g)"),
        ("5 newton meters", "N·m"),
        ("30 feet per second", "ft/s"),
        ("150 gallons per minute", "gpm"),
        ("1.2 kg/m3", "kg/m³"),
    ],
)
def test_units_are_read_to_their_end(written, unit):
    [stated] = statements(f"x = {written}.")
    assert scale(stated.unit) == scale(unit) is not None


@pytest.mark.parametrize(
    ("reading", "pascals"),
    [
        ("0 psig", 101_325.0),
        ("100 psig", 790_800.7),
        ("3 bar(g)", 401_325.0),
        ("3 bar gauge", 401_325.0),
        ("2 MPa (g)", 2_101_325.0),
        ("1 kg/cm²g", 199_391.5),
    ],
)
def test_gauge_pressure_is_counted_from_the_standard_atmosphere(reading, pascals):
    assert quantity(reading, "Pa").magnitude == pytest.approx(pascals, rel=1e-6)


def test_gauge_pressure_per_something_is_a_difference():
    assert quantity("2 kW/barg", "W/Pa").magnitude == pytest.approx(0.02)


@pytest.mark.parametrize(
    ("spelling", "reason"),
    [
        ("Nm3/h", "reference state"),
        ("scfm", "reference state"),
        ("MMSCFD", "reference state"),
        ("ton", "short_ton, tonne, long_ton or TR"),
        ("MBtu/h", "kBtu or MMBtu"),
        ("k", "unknown 'k'"),  # pint: the Boltzmann constant
        ("Tmi", "unknown 'Tmi'"),
        ("unit", "unknown 'unit'"),  # pint: a millionth of a nit
        ("furlong/fortnight?", "cannot be read"),
    ],
)
def test_what_nobody_can_be_sure_of_is_refused(spelling, reason):
    with pytest.raises(UnitError, match=reason):
        parse_unit(spelling)


UNPREFIXED = "fermi fm rod mi ft lb pt gal acre at hp nit oz ch a"


def test_only_units_that_take_prefixes_are_read_with_one():
    """A letter before any other unit is part of a word that pint does not know, or that is a unit itself."""
    prefixes = {"c": "centi", "m": "milli", "k": "kilo", "T": "tera", "P": "peta"}
    for name in UNPREFIXED.split():
        unit = registry().parse_unit_name(name)[0][1]
        for letter, prefix in prefixes.items():
            try:
                read = str(parse_unit(letter + name))
            except UnitError:
                continue
            allowed = unit in EVERY_PREFIX or (prefix, unit) in TAKES_PREFIX
            assert allowed or not read.startswith(prefix), f"{letter + name} is read as {read}"


@pytest.mark.parametrize(
    "unit", ["kW", "mK", "hPa", "kcal", "mbar", "Myr", "kpsi", "mmol", "GeV", "kBtu", "µm", "Mt"]
)
def test_prefixes_in_use_are_read(unit):
    assert parse_unit(unit).dimensionality


@pytest.mark.parametrize(
    ("pint_syntax", "written"),
    [
        ("kJ/(kg*K)", ["kJ/(kg·K)", "kJ/kg·K", "kJ/kg-K", "kJ/kgK", r"\mathrm{kJ/(kg\cdot K)}"]),
        ("W/(m**2*K)", ["W/m2K", "W/m^2/K"]),
        ("W/(m*K)", ["W/mK"]),
        ("W/m**2", [r"\text{W/m}^{2}"]),
        ("m**3/kg", ["m3/kg"]),
        ("m**2/s", ["m² s⁻¹"]),
        ("1/s", ["s-1"]),
        ("kg**0.5/m", ["kg^0.5/m"]),
        ("um", ["µm"]),
        ("degree", ["deg", "°"]),
        ("degC", ["°C"]),
        ("kJ/(kg*delta_degC)", ["kJ/(kg·°C)"]),
        ("dimensionless", ["-", ""]),
        ("J*K/kg", ["J/kg*K"]),  # the operator keeps the precedence of Python
    ],
)
def test_spellings(pint_syntax, written):
    assert {parse_unit(each) for each in written} == {parse_unit(pint_syntax)}


@pytest.mark.parametrize("text", ["furlongz", "kg/", "m**", "W/(m^2", "import os"])
def test_an_unreadable_unit_is_named(text):
    with pytest.raises(UnitError, match="cannot be read") as refusal:
        parse_unit(text)
    assert repr(text) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("6800 m/s", "km/s", 6.8),
        ("1.2×10^5 Pa", "kPa", 120.0),
        (r"1.2 \times 10^{-3} m", "mm", 1.2),
        ("−20 °C", "K", 253.15),
        ("68 °F", "degC", 20.0),
        ("7 degrees Celsius", "K", 280.15),
        ("7 deg C", "K", 280.15),
        ("180 degrees", "rad", 3.14159265),
        ("1,200 K", "K", 1200.0),
        ("5 %", "-", 0.05),
    ],
)
def test_quantities_read_from_text(text, unit, expected):
    assert quantity(text, unit).magnitude == pytest.approx(expected)
    assert quantity(text, unit).units == parse_unit(unit)


def test_wrong_dimensions_are_refused():
    with pytest.raises(UnitError, match="not a quantity in m/s"):
        quantity("3 kg", "m/s")


@pytest.mark.parametrize(
    ("spelled", "written"),
    [
        ("J/kg/K", "J/(kg·K)"),
        ("W/(m**2*K**4)", "W/(m²·K⁴)"),
        ("W/m**3*s", "W·s/m³"),
        ("m/kg**(1/3)", "m/kg^(1/3)"),
        ("1", "-"),
        ("%", "%"),
    ],
)
def test_units_are_written_as_people_write_them(spelled, written):
    assert written_unit(spelled) == written


def test_every_unit_of_the_base_reads_back_as_it_is_written():
    for unit in {
        each.unit for entry in library() for each in (*entry.symbols.values(), *entry.constants.values())
    }:
        assert parse_unit(written_unit(unit)) == parse_unit(unit), unit


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        (1, "kW/m2", "W/m^2", 1000),
        (1, "kJ/kg·K", "J/(kg K)", 1000),
        (25, "°C", "K", 298.15),
        (0, "K", "degC", -273.15),
        (36, "psig", "kPa", 349.5362),
        (180, "deg", "rad", 3.141592653589793),
        (38, "%", "-", 0.38),
        (1, "Btu/lb", "kJ/kg", 2.326),  # the definition of the International Table Btu per pound
        (36, "-", "-", 36),
    ],
)
def test_numbers_in_other_units(value, unit, to, expected):
    assert convert(value, unit, to) == pytest.approx(expected, rel=1e-5)
    assert converted(value, unit, to) == pytest.approx(expected, rel=1e-5)
    assert converted(value, unit, to) == quantity(quantity(value, unit), to).magnitude
    with pytest.raises(UnitError, match="is not a quantity in"):
        converted(value, unit, "kg")


@pytest.mark.parametrize(
    ("unit", "to"), [("W/m", "Pa"), ("K", "J"), ("florins", "K"), ("", "Pa"), ("kg/", "kg"), ("[", "m")]
)
def test_what_has_another_dimension_or_no_unit_is_not_converted(unit, to):
    assert convert(1.0, unit, to) is None


@pytest.mark.parametrize(
    ("stated", "target", "error", "unit_ok"),
    [
        (("597.3345", "kW/m^2"), ("597334.5", "W/m^2"), 0, True),
        (("110", "Pa"), ("100", "N/m^2"), 0.1, True),
        (("110", ""), ("100", "Pa"), 0.1, False),
        (("110", "K"), ("100", "Pa"), math.inf, False),
        (("110", "florins"), ("100", "Pa"), 0.1, False),
        (("0.38", ""), ("0.38", "-"), 0, True),
        (("38", "%"), ("0.38", "-"), 0, True),
        (("0.38", "K"), ("0.38", "-"), 0, False),
        (("26.85", "°C"), ("300", "K"), 0, True),
        (("0.2", "m"), ("0", "m"), 0.2, True),
    ],
)
def test_stated_quantities_are_compared_with_expected_ones(stated, target, error, unit_ok):
    comparison = compare(Quantity(float(stated[0]), stated[1]), Quantity(float(target[0]), target[1]))
    assert comparison.relative_error == pytest.approx(error, abs=1e-12)
    assert comparison.unit_ok is unit_ok


@given(st.text(max_size=80))
def test_no_unit_raises(unit):
    scale(unit)
    convert(1.0, unit, "W")
