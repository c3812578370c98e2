"""Units have the values of NIST SP 811 (2008), appendix B.8, and convert correctly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.errors import UnitError
from ansatz.knowledge_base.equation import library
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import read_number, read_unit, resolve_decimal_commas
from ansatz.quantities.scales import convert_value, find_scale
from ansatz.quantities.statements import find_statements
from ansatz.quantities.unit_writing import format_unit
from ansatz.quantities.units import (
    EVERY_PREFIX,
    SPELLINGS,
    TAKES_PREFIX,
    convert_number,
    parse_unit,
    quantity,
    read_number_and_unit,
    registry,
)

FIGURES = """
0.0004719474 m³/s: cfm, CFM, cu ft/min, ft³/min
6.30902e-05 m³/s: gpm, USgpm, gal/min
1.840131e-06 m³/s: bbl/day, bpd
0.4535924 kg/s: lbm/s
6894.757 Pa: psia, psi(a), lb/in²
6894757.0 Pa: ksi
47.88026 Pa: psf, lbf/ft^2
100000.0 Pa: bara, bar(a), bar abs
98066.5 Pa: ata, kg/cm², kgf/cm2
133.3224 Pa: mmHg, mm Hg, Torr
3386.389 Pa: inHg, in. Hg
249.0889 Pa: inH2O, in. w.c., inWG
1055056000.0 J: MMBtu
1.355818 J: ft-lb, ft·lbf, lb-ft
0.1129848 N·m: in-lb
1000.0 N·m: kNm
3516.853 W: TR, tons of refrigeration
293.0711 W: MBH
293071.1 W: MMBtu/hr
745.6999 W: hp
735.4988 W: PS
1000.0 W: kVAr
4186.8 J/(kg·K): Btu/lbm-R
5.678263 W/(m²·K): Btu/(hr·ft²·°F)
1.730735 W/(m·K): Btu/hr-ft-°F
16.01846 kg/m³: lb/ft³, pcf
453.5924 mol: lbmol
0.1047198 rad/s: rpm, rev/min
0.09290304 m²: sq ft
0.001 Pa·s: cP, mPas
9.869233e-16 m²: mD
425143.7 1/m²: mpg
0.5555555555555556 K: °R
"""
"""Figure and unit, then the spellings that have it."""
ROWS = [
    (spelling, *figure.split())
    for figure, _, spellings in (line.partition(": ") for line in FIGURES.strip().splitlines())
    for spelling in spellings.split(", ")
]


@pytest.mark.parametrize(("spelling", "figure", "unit"), ROWS, ids=[row[0] for row in ROWS])
def test_unit_has_its_handbook_value(spelling, figure, unit):
    # Seven digits are printed; 1e-6 also covers Btu_IT, which pint rounds to 1055.056 J.
    assert convert_number(1.0, spelling, unit, difference=True) == pytest.approx(float(figure), rel=1e-6)


ENDS_A_CLAUSE = {"R", "deg. C", "deg. F", "in. Hg", "in. w.c.", "sq. ft", "sq. in", "cu. ft", "cu. in"}
IN_PROSE = {
    **{each: each for each in {*SPELLINGS, *(row[0] for row in ROWS)} - ENDS_A_CLAUSE},
    **{"W/m2K": "W/(m²·K)", "kPa absolute": "kPa", "psi (gauge)": "psig", "bar g": "bar(g)"},
    **{"newton meters": "N·m", "feet per second": "ft/s", "gallons per minute": "gpm", "kg/m3": "kg/m³"},
}


@pytest.mark.parametrize("written", sorted(IN_PROSE))
def test_units_of_keys_are_read_in_answers(written):
    for text in (f"It follows that x = 3 {written} at the inlet.", f"x = 3 {written}."):
        [stated] = find_statements(text)
        assert find_scale(stated.unit) == find_scale(IN_PROSE[written]) is not None


@pytest.mark.parametrize(
    ("spelling", "reason"),
    [
        ("Nm3/h", "reference state"),
        ("MMSCFD", "reference state"),
        ("ton", "short_ton, tonne, long_ton or TR"),
        ("MBtu/h", "kBtu or MMBtu"),
        ("k", "unknown 'k'"),  # pint: the Boltzmann constant
        ("unit", "unknown 'unit'"),  # pint: a millionth of a nit
        *((each, "cannot be read") for each in ("furlong/fortnight?", "kg/", "m**", "W/(m^2", "import os")),
    ],
)
def test_ambiguous_unit_is_refused_in_one_line(spelling, reason):
    with pytest.raises(UnitError, match=reason) as refusal:
        parse_unit(spelling)
    assert repr(spelling) in str(refusal.value) and "\n" not in str(refusal.value)


UNPREFIXED = "fermi fm rod mi ft lb pt gal acre at hp nit oz ch a"


def test_prefix_is_read_only_before_units_that_take_one():
    """Before other units, a letter is not a prefix; the word is unknown, or a unit itself."""
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
    for unit in ["kW", "mK", "hPa", "kcal", "mbar", "Myr", "kpsi", "mmol", "GeV", "kBtu", "µm", "Mt"]:
        assert parse_unit(unit).dimensionality


@pytest.mark.parametrize(
    ("pint_syntax", "written"),
    [
        ("kJ/(kg*K)", ["kJ/(kg·K)", "kJ/kg·K", "kJ/kg-K", "kJ/kgK", r"\mathrm{kJ/(kg\cdot K)}"]),
        ("W/(m**2*K)", ["W/m2K", "W/m^2/K"]),
        ("W/(m*K)", ["W/mK", "W/(mK)"]),
        ("millikelvin/W", ["mK/W"]),
        ("W/m**2", [r"\text{W/m}^{2}"]),
        ("m**2/s", ["m² s⁻¹"]),
        ("1/s", ["s-1"]),
        ("um", ["µm"]),
        ("degree", ["deg", "°"]),
        ("kJ/(kg*delta_degC)", ["kJ/(kg·°C)"]),
        ("dimensionless", ["-", ""]),
        ("J*K/kg", ["J/kg*K"]),  # the operator keeps the precedence of Python
    ],
)
def test_spellings(pint_syntax, written):
    assert {parse_unit(each) for each in written} == {parse_unit(pint_syntax)}


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("6800 m/s", "km/s", 6.8),
        ("1.2×10^5 Pa", "kPa", 120.0),
        (r"1.2 \times 10^{-3} m", "mm", 1.2),
        ("−20 °C", "K", 253.15),
        ("68 °F", "degC", 20.0),
        ("7 deg C", "K", 280.15),
        ("180 degrees", "rad", 3.14159265),
        ("1,200 K", "K", 1200.0),
        ("5 %", "-", 0.05),
        ("1 kW/m2", "W/m^2", 1000),
        ("1 Btu/lb", "kJ/kg", 2.326),  # the definition of the International Table Btu per pound
        # Gauge pressure is counted from the standard atmosphere; per something it is a difference.
        ("100 psig", "Pa", 790_800.7),
        ("3 bar gauge", "Pa", 401_325.0),
        ("2 MPa (g)", "Pa", 2_101_325.0),
        ("1 kg/cm²g", "Pa", 199_391.5),
        ("2 kW/barg", "W/Pa", 0.02),
    ],
)
def test_quantity_in_text_is_read_and_converted(text, unit, expected):
    read, (value, own) = quantity(text, unit), read_number_and_unit(text)
    assert read.magnitude == pytest.approx(expected, rel=1e-6) and read.units == parse_unit(unit)
    assert convert_number(value, own, unit) == read.magnitude
    assert convert_value(value, own, unit) == pytest.approx(read.magnitude, rel=1e-12)
    with pytest.raises(UnitError, match="is not a quantity in"):
        quantity(text, "mol")


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        # By hand: 3000 turns in 60 s are 50 each second, each of 2π rad and 360 deg.
        (3000, "rpm", "Hz", 50.0),
        (3000, "rpm", "1/s", 50.0),
        (3000, "rpm", "rad/s", 314.159265358979),
        (3000, "rpm", "deg/s", 18000.0),
        (50, "rev/s", "Hz", 50.0),
        (60, "cycles/s", "Hz", 60.0),
        (3600, "cycles/min", "Hz", 60.0),
        (50, "Hz", "rpm", 3000.0),
        (314.159265358979, "rad/s", "rpm", 3000.0),
        (314.159265358979, "1/s", "rad/s", 314.159265358979),
        (2, "kHz", "1/s", 2000.0),
        (60, "rpm/s", "rad/s²", 6.28318530717959),
        (2, "rev", "rad", 12.5663706143592),
        (2, "rev", "-", 2.0),
        (100, "cycles", "-", 100.0),
        (3, "L/rev", "L", 3.0),
        (60, "N·m·rpm", "W", 6.28318530717959),
        (1, "W/(m²·sr·Hz)", "J/(m²·sr)", 1.0),
        *(
            (50, one, other, None)
            for one, other in (("Hz", "rad/s"), ("rad/s", "kHz"), ("cycles/s", "deg/s"))
        ),
    ],
)
def test_turns_cycles_and_angles_are_distinguished(value, unit, to, expected):
    if expected is None:
        assert convert_value(value, unit, to) is None
        with pytest.raises(UnitError, match="hertz counts cycles"):
            quantity(f"{value} {unit}", to)
        return
    assert convert_value(value, unit, to) == pytest.approx(expected, rel=1e-12)
    assert quantity(f"{value} {unit}", to).magnitude == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("unit", "to"), [("W/m", "Pa"), ("K", "J"), ("florins", "K"), ("", "Pa"), ("kg/", "kg"), ("[", "m")]
)
def test_quantity_of_another_dimension_is_not_converted(unit, to):
    assert convert_value(1.0, unit, to) is None


@pytest.mark.parametrize(
    ("spelled", "written"),
    [("W/(m**2*K**4)", "W/(m²·K⁴)"), ("W/m**3*s", "W·s/m³"), ("m/kg**(1/3)", "m/kg^(1/3)"), ("1", "-")],
)
def test_units_are_typeset(spelled, written):
    assert format_unit(spelled) == written


def test_typeset_units_of_all_entries_read_back():
    for unit in {
        each.unit for entry in library() for each in (*entry.symbols.values(), *entry.constants.values())
    }:
        assert parse_unit(format_unit(unit)) == parse_unit(unit), unit


@given(st.text(max_size=80))
def test_no_unit_raises(unit):
    find_scale(unit)
    convert_value(1.0, unit, "W")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("3,250 bar at 20,5 degC", "3.250 bar at 20,5 degC"),
        ("3,250 bar at 20.5 degC", "3,250 bar at 20.5 degC"),  # a decimal point
        ("1,250,000 Pa over 2,5 m and 3,250 kg", "1,250,000 Pa over 2,5 m and 3,250 kg"),  # thousands
        ("3,250 bar", "3,250 bar"),
    ],
)
def test_decimal_comma_is_read_where_the_text_shows_it(text, read):
    assert resolve_decimal_commas(text) == read


_PINT_NAMES = {"R": "degR", "lbm": "lb", "ft-lbf": "ft*lbf", "m3": "m**3", "m2": "m**2", "ft2": "ft**2"}


@settings(max_examples=60)
@given(
    above=st.sampled_from(["kJ", "W", "Btu", "kg", "ft-lbf", "m3", "l"]),
    below=st.lists(
        st.sampled_from(["kg", "m", "m2", "ft2", "lbm", "h", "d", "s", "K", "R"]),
        min_size=1,
        max_size=3,
        unique=True,
    ),
    form=st.sampled_from(["{}/({}) at", "{}/{} at", "{}/{}."]),
    joint=st.sampled_from(["·", ".", "-"]),
)
def test_product_after_a_slash_is_the_denominator(above, below, form, joint):
    text = to_plain_text(form.format(above, joint.join(below)))
    unit, end = read_unit(text)
    names = "*".join(_PINT_NAMES.get(each, each) for each in below)
    assert parse_unit(unit) == registry().parse_units(f"{_PINT_NAMES.get(above, above)}/({names})")
    assert text[end:] in (" at", ".")


@pytest.mark.parametrize(
    ("text", "value"), [("18:1", 18.0), ("9.5:1.", 9.5), ("12:15:1", 12.0), ("1:10", 1.0)]
)
def test_ratio_to_one_is_a_number(text, value):
    number = read_number(text)
    assert number is not None and number.value == value
    assert (number.end == len(text.rstrip("."))) == text.startswith(("18", "9.5"))
