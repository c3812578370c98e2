"""The constants that problem sets may state, each with its unit and source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Constant:
    """One number as a problem states it: `value` in `unit`."""

    value: float
    unit: str
    description: str
    source: str


_IERS = "IERS Conventions (2010), table 1.1"
_DE440 = "Park et al. 2021, The JPL planetary and lunar ephemerides DE440 and DE441, AJ 161:105"
_WGCCRE = "Archinal et al. 2018, IAU WGCCRE report 2015"
_JPL_SSD = "JPL Solar System Dynamics, planetary physical parameters and approximate elements (J2000)"
_WGS84 = "NGA.STND.0036 (2014), WGS 84"
_EGM96 = "Lemoine et al. 1998, EGM96, NASA TP-1998-206861"
_IAU2012 = "IAU 2012 resolution B2"
_SI = "SI, exact by definition"

CONSTANTS: Mapping[str, Constant] = {
    "mu_Earth": Constant(398600.4418, "km^3/s^2", "gravitational parameter of the Earth", _IERS),
    "mu_Sun": Constant(1.32712440041e11, "km^3/s^2", "gravitational parameter of the Sun", _DE440),
    "mu_Moon": Constant(4902.800118, "km^3/s^2", "gravitational parameter of the Moon", _DE440),
    "mu_Venus": Constant(324858.592, "km^3/s^2", "gravitational parameter of Venus", _DE440),
    "mu_Mars": Constant(42828.375816, "km^3/s^2", "gravitational parameter of the Mars system", _DE440),
    "mu_Jupiter": Constant(126712764.1, "km^3/s^2", "gravitational parameter of the Jupiter system", _DE440),
    "R_Earth": Constant(6378.137, "km", "equatorial radius of the Earth", _WGS84),
    "R_Mars": Constant(3396.19, "km", "equatorial radius of Mars", _WGCCRE),
    "R_Jupiter": Constant(71492.0, "km", "equatorial radius of Jupiter at 1 bar", _WGCCRE),
    "R_Venus": Constant(6051.8, "km", "mean radius of Venus", _WGCCRE),
    "f_Earth": Constant(0.0033528106647, "-", "flattening of the reference ellipsoid", _WGS84),
    "J2_Earth": Constant(1.08262668e-3, "-", "second zonal harmonic of the Earth", _EGM96),
    "J3_Earth": Constant(-2.53265649e-6, "-", "third zonal harmonic of the Earth", _EGM96),
    "omega_Earth": Constant(7.292115e-5, "rad/s", "rotation rate of the Earth", _IERS),
    "AU": Constant(149597870.7, "km", "astronomical unit", _IAU2012),
    "a_Earth": Constant(1.00000261, "au", "semi-major axis of the Earth's orbit", _JPL_SSD),
    "a_Mars": Constant(1.52371034, "au", "semi-major axis of Mars's orbit", _JPL_SSD),
    "a_Jupiter": Constant(5.20288700, "au", "semi-major axis of Jupiter's orbit", _JPL_SSD),
    "a_Moon": Constant(
        384400.0,
        "km",
        "semi-major axis of the Moon's orbit",
        "JPL Solar System Dynamics, planetary satellite mean elements",
    ),
    "tropical_year": Constant(365.24219, "day", "tropical year", "Capitaine et al. 2003, A&A 412, 567"),
    "c_light": Constant(299792.458, "km/s", "speed of light", _SI),
    "g_0": Constant(9.80665, "m/s^2", "standard gravity", "3rd CGPM (1901), exact"),
    "solar_flux": Constant(1361.0, "W/m^2", "total solar irradiance at 1 au", "IAU 2015 resolution B3"),
}
