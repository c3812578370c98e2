"""Units in the spellings of engineers: each has one reading or is refused."""

import pytest

from ansatz.errors import UnitError
from ansatz.quantities.scales import Quantity, compare_quantities, convert_value, find_scale
from ansatz.quantities.units import (
    convert_number,
    has_same_dimension,
    parse_unit,
    quantity,
    read_number_and_unit,
)

READINGS = """
W/(m²·K): W/m2C, W/m2°C, W/m^2 C, W/(m2·C), W/m²·C, W/m2-C
W/(m·K): W/m-C, W/mC, W/(m C), W/m°C, W/m·C
kJ/(kg·K): kJ/kgC, kJ/kg°C, kJ/kg C, kJ/kg-C, KJ/kg.K, KJ/(Kg K), J/gC, J/g°C
kJ/(kmol·K): kJ/kmolC, kJ/kmolK
cal/(g·K): cal/g C, kcal/kg C, kcal/kg°C
kcal/(h·m²·K): kcal/h m2 C, kcal/hr-m2-C
K/W: C/W, °C/W
m²·K/W: m2C/W, m2 C/W
kcal/K: kcal/C
Btu/(h·ft·°R): Btu/hr-ft-F, BTU/hr ft F, Btu/h·ft·F
Btu/(h·ft²·°R): Btu/(h ft2 F), Btu/hr-ft2-F, Btu/h·ft²·F
Btu/(lb·°R): Btu/(lbm F), Btu/lb-F, Btu/lb F, BTU/lbm·R
Btu/°R: Btu/F
h·ft²·°R/Btu: hr-ft2-F/Btu, ft2 F hr/Btu
coulomb/m²: C/m2, C/m^2
coulomb/m: C/m
coulomb·m: C·m
N/coulomb: N/C
farad/m: F/m
coulomb: C, As
farad: F
millicoulomb: mC
microfarad: uF, µF
kg: Kg, KG, kgs
kg/m³: Kg/m3
kg/s: Kg/s
kg/h: KG/HR, kg/hr
kg·m²: kgm2, kgm², kg-m2
kg·m/s: kgm/s
kPa: KPa, Kpa, KPA, kpa
MPa: MPA, Mpa
kW·h: kwh, KWH, kWhr, KWh
kW: KW, Kw, kw, Kilowatts
kJ: KJ, kj
kJ/kg: KJ/Kg, kj/kg
W: Watts, Watt, watts, WATTS
J: Joules
N: Newtons
Pa: Pascals
V: Volts
A: Amps, amps
m: Meters
Hz: Hertz
bar: Bar, BAR
psi: Psi, PSI
g/cm³: gm/cc, g/cc, gm/cm3
g: gm, gms
N·m·s: Nms
fluid_ounce: fl oz, US fl oz
cm³/min: cc/min
acre·ft: acre-ft
lb/(ft·s): lb/ft-s
lbf·s/ft²: lbf-s/ft2
slug/ft³: slug/ft3
kN/m²: kN/m2
MPa: N/mm2
mol/L: mol/L
"""
ROWS = [
    (spelling, reading)
    for reading, _, spellings in (line.partition(": ") for line in READINGS.strip().splitlines())
    for spelling in spellings.split(", ")
]


@pytest.mark.parametrize(("spelling", "reading"), ROWS, ids=[row[0] for row in ROWS])
def test_spelling_has_one_reading(spelling, reading):
    one, other = find_scale(spelling), find_scale(reading)
    assert one is not None and one.dimension == other.dimension
    assert one.factor == pytest.approx(other.factor, rel=1e-9)


@pytest.mark.parametrize(
    ("spelling", "advice"),
    [
        ("RT", "TR for tons of refrigeration"),
        ("cp", "cP"),
        *((each, "write °C or coulomb") for each in ("J/C", "C/min", "1/C", "ppm/C")),
        *((each, "write °F or farad") for each in ("F/hr", "1/F", "ft/F")),
        *((each, "cannot be read") for each in ("Rm", "Qs", "qm", "rs", "mpa", "mw", "Kx", "WATTAGE")),
    ],
)
def test_ambiguous_spelling_is_refused(spelling, advice):
    with pytest.raises(UnitError, match=advice):
        parse_unit(spelling)


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("400 C", "K", 673.15),
        ("212 F", "degC", 100.0),
        ("5 C", "uC", 5e6),
        ("2 F", "uF", 2e6),
        ("9 C/m", "K/m", 9.0),
    ],
)
def test_slot_decides_what_a_letter_means(text, slot, value):
    number, unit = text.split()
    assert quantity(text, slot).magnitude == pytest.approx(value)
    assert convert_number(float(number), unit, slot) == pytest.approx(value)
    assert convert_value(float(number), unit, slot) == pytest.approx(value)
    assert compare_quantities(Quantity(float(number), unit), Quantity(value, slot)) == (
        pytest.approx(0, abs=1e-9),
        True,
    )
    assert has_same_dimension(unit, slot)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1/2 in", (0.5, "in")),
        ("1 1/4 in", (1.25, "in")),
        ("-1/2 in", (-0.5, "in")),
        ("6 ft 2 in", (6 + 2 / 12, "ft")),
        ("2 h 30 min", (2.5, "h")),
        ("5 lb 8 oz", (5.5, "lb")),
    ],
)
def test_fractions_and_two_units_are_one_number(text, expected):
    assert read_number_and_unit(text) == (pytest.approx(expected[0]), expected[1])


@pytest.mark.parametrize(
    "text", ["3,5 bar", "1 000 kPa", "400 C", "212 F", "1/0 in", "2 in 6 ft", "6 ft 14 in", "6 ft 2 kg"]
)
def test_invalid_number_is_refused(text):
    with pytest.raises(UnitError):
        read_number_and_unit(text)


def test_hint_names_only_similar_units():
    for wrong in ("Wottage", "Vults", "xyz"):
        with pytest.raises(UnitError) as refusal:
            parse_unit(wrong)
        assert "did you mean" not in str(refusal.value)


@pytest.mark.parametrize("text", ["3e5 Pa", "3E5 Pa", "300,000 Pa"])
def test_exponent_is_no_unit(text):
    assert read_number_and_unit(text) == (300000.0, "Pa")
