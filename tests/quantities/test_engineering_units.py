"""Units that engineers write, against the figures of NIST SP 811 (2008), appendix B.8, in base units of the SI."""

import pytest

from ansatz.quantities.unit_table import EVERY_PREFIX, TAKES_PREFIX
from ansatz.quantities.units import UnitError, parse_unit, quantity, registry

FIGURES = [
    # flow
    ("cfm", 4.719474e-4, "m³/s"),
    ("CFM", 4.719474e-4, "m³/s"),
    ("cu ft/min", 4.719474e-4, "m³/s"),
    ("ft³/min", 4.719474e-4, "m³/s"),
    ("cfs", 2.831685e-2, "m³/s"),
    ("gpm", 6.309020e-5, "m³/s"),
    ("USgpm", 6.309020e-5, "m³/s"),
    ("gal/min", 6.309020e-5, "m³/s"),
    ("MGD", 4.381264e-2, "m³/s"),
    ("bbl/day", 1.840131e-6, "m³/s"),
    ("bpd", 1.840131e-6, "m³/s"),
    ("L/min", 1.666667e-5, "m³/s"),
    ("lpm", 1.666667e-5, "m³/s"),
    ("lb/hr", 1.259979e-4, "kg/s"),
    ("lbm/s", 4.535924e-1, "kg/s"),
    # pressure
    ("psi", 6.894757e3, "Pa"),
    ("psia", 6.894757e3, "Pa"),
    ("psi(a)", 6.894757e3, "Pa"),
    ("ksi", 6.894757e6, "Pa"),
    ("psf", 4.788026e1, "Pa"),
    ("lb/in²", 6.894757e3, "Pa"),
    ("lbf/ft^2", 4.788026e1, "Pa"),
    ("bara", 1e5, "Pa"),
    ("bar(a)", 1e5, "Pa"),
    ("bar abs", 1e5, "Pa"),
    ("kPa(a)", 1e3, "Pa"),
    ("mbar", 1e2, "Pa"),
    ("atm", 1.01325e5, "Pa"),
    ("ata", 9.80665e4, "Pa"),
    ("kg/cm²", 9.80665e4, "Pa"),
    ("kgf/cm2", 9.80665e4, "Pa"),
    ("mmHg", 1.333224e2, "Pa"),
    ("mm Hg", 1.333224e2, "Pa"),
    ("inHg", 3.386389e3, "Pa"),
    ("in. Hg", 3.386389e3, "Pa"),
    ("Torr", 1.333224e2, "Pa"),
    ("inH2O", 2.490889e2, "Pa"),
    ("in. w.c.", 2.490889e2, "Pa"),
    ("inWG", 2.490889e2, "Pa"),
    ("ftH2O", 2.989067e3, "Pa"),
    ("mH2O", 9.80665e3, "Pa"),
    ("mmH2O", 9.80665, "Pa"),
    # energy, power
    ("Btu", 1.055056e3, "J"),
    ("BTU", 1.055056e3, "J"),
    ("MMBtu", 1.055056e9, "J"),
    ("kcal", 4.184e3, "J"),
    ("kWh", 3.6e6, "J"),
    ("ft-lb", 1.355818, "J"),
    ("ft·lbf", 1.355818, "J"),
    ("in-lb", 1.129848e-1, "N·m"),
    ("lb-ft", 1.355818, "N·m"),
    ("kNm", 1e3, "N·m"),
    ("TR", 3.516853e3, "W"),
    ("tons of refrigeration", 3.516853e3, "W"),
    ("Btu/hr", 2.930711e-1, "W"),
    ("MBH", 2.930711e2, "W"),
    ("MMBtu/hr", 2.930711e5, "W"),
    ("kcal/h", 1.162222, "W"),
    ("hp", 7.456999e2, "W"),
    ("PS", 7.354988e2, "W"),
    ("kVAr", 1e3, "W"),
    ("Btu/lb", 2.326e3, "J/kg"),
    ("Btu/lbm-R", 4.1868e3, "J/(kg·K)"),
    ("Btu/(hr·ft²·°F)", 5.678263, "W/(m²·K)"),
    ("Btu/hr-ft-°F", 1.730735, "W/(m·K)"),
    # the rest
    ("lbf", 4.448222, "N"),
    ("kgf", 9.80665, "N"),
    ("kip", 4.448222e3, "N"),
    ("lb/ft³", 1.601846e1, "kg/m³"),
    ("pcf", 1.601846e1, "kg/m³"),
    ("lbmol", 4.535924e2, "mol"),
    ("slug", 1.459390e1, "kg"),
    ("rpm", 1.047198e-1, "rad/s"),
    ("rev/min", 1.047198e-1, "rad/s"),
    ("mph", 4.4704e-1, "m/s"),
    ("fpm", 5.08e-3, "m/s"),
    ("knot", 5.144444e-1, "m/s"),
    ("mil", 2.54e-5, "m"),
    ("sq ft", 9.290304e-2, "m²"),
    ("acre", 4.046873e3, "m²"),
    ("gal", 3.785412e-3, "m³"),
    ("bbl", 1.589873e-1, "m³"),
    ("cP", 1e-3, "Pa·s"),
    ("mPas", 1e-3, "Pa·s"),
    ("cSt", 1e-6, "m²/s"),
    ("mD", 9.869233e-16, "m²"),
    ("mpg", 4.251437e5, "1/m²"),
    ("°R", 5 / 9, "K"),
    ("wt%", 1e-2, "-"),
]


def test_there_are_eighty_of_them():
    assert len({spelling for spelling, _, _ in FIGURES}) == len(FIGURES) >= 80


@pytest.mark.parametrize(("spelling", "figure", "unit"), FIGURES, ids=[row[0] for row in FIGURES])
def test_a_spelling_has_the_value_of_the_handbook(spelling, figure, unit):
    # Seven digits are printed; 1e-6 also covers Btu_IT, which pint rounds to 1055.056 J.
    assert quantity(1.0, spelling).to(parse_unit(unit)).magnitude == pytest.approx(figure, rel=1e-6)


@pytest.mark.parametrize(
    ("reading", "pascals"),
    [
        ("0 psig", 101_325.0),
        ("100 psig", 790_800.7),
        ("14.7 psi(g)", 202_677.9),
        ("3 barg", 401_325.0),
        ("3 bar(g)", 401_325.0),
        ("3 bar g", 401_325.0),
        ("3 bar gauge", 401_325.0),
        ("250 kPag", 351_325.0),
        ("250 kPa(g)", 351_325.0),
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
        ("Nm³/h", "reference state"),
        ("scfm", "reference state"),
        ("MMSCFD", "reference state"),
        ("slpm", "reference state"),
        ("ton", "short_ton, tonne, long_ton or TR"),
        ("tons/day", "short_ton, tonne, long_ton or TR"),
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


def test_only_units_that_take_prefixes_are_read_with_one():
    """A letter before any other unit is part of a word that pint does not know, or that is a unit itself."""
    known = registry()
    prefixes = {"c": "centi", "m": "milli", "k": "kilo", "T": "tera", "P": "peta"}
    for name in (
        "fermi",
        "fm",
        "rod",
        "mi",
        "ft",
        "lb",
        "pt",
        "gal",
        "acre",
        "at",
        "hp",
        "nit",
        "oz",
        "ch",
        "a",
    ):
        unit = known.parse_unit_name(name)[0][1]
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
