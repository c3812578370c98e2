"""What people write for units where pint has nothing, or something else; read by `units` alone."""

from __future__ import annotations

STANDARD_ATMOSPHERE = 101325.0  # Pa; NIST SP 811 (2008), appendix B.8

DEFINITIONS = """
percent = 0.01 = %
gallon_per_minute = gallon / minute = gpm = GPM = USgpm
cubic_foot_per_minute = foot ** 3 / minute = cfm = CFM
cubic_foot_per_second = foot ** 3 / second = cfs = CFS
cubic_foot_per_hour = foot ** 3 / hour = cfh = CFH
liter_per_minute = liter / minute = lpm = LPM
liter_per_second = liter / second = lps = LPS
million_gallons_per_day = 1e6 * gallon / day = MGD = mgd
petroleum_barrel = 42 * gallon = bbl
barrel_per_day = petroleum_barrel / day = bpd = BPD
foot_per_minute = foot / minute = fpm = FPM
mile_per_gallon = mile / gallon = mpg
pound_mole = 453.59237 * mole = lbmol
pound_per_cubic_foot = pound / foot ** 3 = pcf
pound_force_per_square_foot = force_pound / foot ** 2 = psf
kip_per_square_foot = kip / foot ** 2 = ksf
kilopond = kilogram * standard_gravity = kp
btu_per_hour = british_thermal_unit / hour = Btuh = BTUH
thousand_btu_per_hour = 1e3 * british_thermal_unit / hour = MBH
million_btu = 1e6 * british_thermal_unit = MMBtu = MMBTU
ton_of_cooling = 12000 * british_thermal_unit / hour = TR
var = volt * ampere = VAR
darcy = 9.869233e-13 * meter ** 2
millidarcy = 1e-3 * darcy = mD
length_mil = 1e-3 * inch = mil
water_column = 9806.65 * pascal / meter
mercury_column = 133322.4 * pascal / meter
"""
"""Figures: NIST SP 811, appendix B.8; columns of water and of mercury are the conventional ones."""

GAUGES = {
    "Pa": 1.0,
    "hPa": 100.0,
    "kPa": 1e3,
    "MPa": 1e6,
    "mbar": 100.0,
    "bar": 1e5,
    "psi": 6894.757293168362,
}
GAUGES |= {"at": 98066.5, "atm": STANDARD_ATMOSPHERE}
"""Pascals in the units that are written with "gauge", "(g)" or "g".

Absolute pressure is gauge pressure plus that of the surroundings. Nothing here knows the surroundings, so
they have the standard atmosphere, as gauge readings are converted where no other is stated.
"""

IN_TEXT = "|".join(
    (
        rf"(?:{'|'.join(GAUGES)})(?:[ag]|\([ag]\))",
        "(?:in|ft|[cm]?m)(?:H2O|Hg)|inWC|inWG",
        *sorted(
            {name for line in DEFINITIONS.split("\n") for name in line.split(" = ")[2:] if name != "%"},
            key=len,
            reverse=True,
        ),
    )
)
"""A pattern for the symbols that this table adds, as a reader of text looks for them behind a number."""

SPELLINGS = {
    **dict.fromkeys(("°C", "℃", "ºC", "degree C", "degrees C", "deg C", "deg.C", "deg. C"), "degC"),
    **dict.fromkeys(("degrees Celsius", "degree Celsius", "degrees celsius", "Celsius", "celsius"), "degC"),
    **dict.fromkeys(("°F", "℉", "ºF", "degree F", "degrees F", "deg F", "deg.F", "deg. F"), "degF"),
    **dict.fromkeys(("degrees Fahrenheit", "degree Fahrenheit", "Fahrenheit", "fahrenheit"), "degF"),
    **dict.fromkeys(("°R", "ºR", "R", "deg R", "deg.R", "degrees R", "degrees Rankine", "Rankine"), "degR"),
    **dict.fromkeys(("°K", "degK", "deg K", "Kelvin"), "kelvin"),
    **dict.fromkeys(("°", "º"), "degree"),
    **{"kgK": "kg·K", "kmolK": "kmol·K", "molK": "mol·K", "gK": "g·K"},
    **{
        "rev": "revolution",
        "revs": "revolution",
        "RPM": "rpm",
        "hrs": "hour",
        "kgs": "kg",
        "Torr": "torr",
        "ata": "at",
    },
    **{"lbm": "lb", "lb_m": "lb", "lb_f": "lbf", "lb-mol": "lbmol", "lb mol": "lbmol", "Btu_IT": "Btu"},
    **{"PSI": "psi", "BAR": "bar", "HP": "hp", "bhp": "hp", "BHP": "hp", "PS": "metric_horsepower"},
    **{"kvar": "kilovar", "kVAR": "kilovar", "kVAr": "kilovar", "MVAr": "megavar", "ksi": "kip/inch²"},
    **{
        "sq ft": "foot²",
        "sq. ft": "foot²",
        "sqft": "foot²",
        "sq in": "inch²",
        "sq. in": "inch²",
        "sq m": "m²",
    },
    **{
        "cu ft": "foot³",
        "cu. ft": "foot³",
        "cuft": "foot³",
        "cu in": "inch³",
        "cu. in": "inch³",
        "cu m": "m³",
    },
    **dict.fromkeys(("ton of refrigeration", "tons of refrigeration", "ton_refrigeration"), "TR"),
    **dict.fromkeys(("ppmv", "ppmw", "ppm(v)", "ppm(w)"), "ppm"),
    **dict.fromkeys(("mol%", "mol %", "mole %", "wt%", "wt %", "wt.%", "vol%", "vol %", "vol.%"), "%"),
}
"""Words as they are written, and the same for pint, which takes C for coulomb and R for the gas constant."""

AMBIGUOUS = {
    r"tons?(?! of)": "a ton is 907, 1000 or 1016 kg, or 3.5 kW; write short_ton, tonne, long_ton or TR",
    r"MBtu|MBTU": "it may be a thousand or a million Btu; write kBtu or MMBtu",
    r"[NS]m(?:3|³|\^3|\*\*3)|[kM]*[Ss][Cc][Ff][A-Za-z]*|[Ss]lp?m|SLPM|sccm|SCCM": (
        "a normal or standard volume hangs on its reference state; write mol, or m³ at a stated state"
    ),
}
"""What has several meanings in use, and the reason for which it is refused."""

_SI = (
    "meter gram second ampere kelvin mole candela radian steradian hertz newton pascal joule watt coulomb "
    "volt farad ohm siemens weber tesla henry lumen lux becquerel gray sievert katal liter electron_volt"
)
_PREFIXED = {
    "pico nano micro milli centi deci hecto kilo mega giga": "bar",
    "kilo mega giga tera peta": "metric_ton year parsec watt_hour volt_ampere var bit byte",
    "micro milli": "torr gauss poise degree arc_second inch rem roentgen ampere_hour hartree galileo",
    "pico nano micro milli kilo mega": "curie molar dalton barn",
    "kilo mega": "calorie pound_force_per_square_inch ton_TNT",
    "kilo": "british_thermal_unit btu_per_hour pound force_pound foot gauss oersted ampere_hour dyne",
    "centi": "poise stokes",
}
EVERY_PREFIX = frozenset(_SI.split())
"""The units of the SI with a name of their own, the litre and the electronvolt."""

TAKES_PREFIX = {
    (prefix, unit)
    for prefixes, units in _PREFIXED.items()
    for prefix in prefixes.split()
    for unit in units.split()
}
"""Multiples of other units that are in use. A letter before any other unit belongs to another word: cfm is no
hundredth of a fermi."""

CONSTANTS_IN_USE = frozenset({"standard_gravity", "standard_atmosphere", "speed_of_light", "electron_mass"})
"""Constants of nature that serve as units; who writes another, such as k, means something else."""
