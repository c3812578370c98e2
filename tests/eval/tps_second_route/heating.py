"""Entry heating, conduction and ablation, recomputed along trajectories and by superposition (see thermal).

The laminar distribution is the integral of L. Lees (Jet Propulsion 26, 1956). Correlations are written from
M. E. Tauber et al. (J. Aircraft 24, 1987), A. M. Brandis and C. O. Johnston (AIAA 2014-2374) and J. A. Fay and F. R.
Riddell (J. Aero. Sci. 25, 1958).
"""

import math

from scipy import integrate, optimize

from tests.eval.tps_second_route.momentum import cap_axial, plate_lift
from tests.eval.tps_second_route.thermal import (
    back_face,
    half_space,
    heat_load,
    hottest,
    peak,
    speed_at,
    stagnation,
)


def ballistic_peak_density(g):
    return {"rho_q": hottest({**g, "V_E": 7000.0})[0]}


def ballistic_peak_load(g):
    path = {**g, "beta_m": 100.0}
    return {"a_p": peak(lambda rho: rho * speed_at(rho, path) ** 2 / 200, 1e-6, 1)[1]}


def ballistic_speed(g):
    """The deceleration rho*V**2/(2*beta) integrated over altitude, measured from where rho is rho_d."""
    sine = math.sin(math.radians(g["gamma_E"]))

    def slope(height, speed):
        return g["rho_d"] * math.exp(-height / g["H"]) * speed / (2 * g["beta_m"] * sine)

    path = integrate.solve_ivp(slope, (25 * g["H"], 0), [g["V_E"]], rtol=1e-9, atol=1e-6)
    return {"V_d": float(path.y[0, -1])}


def bond_line(g):
    diffusivity = g["k_s"] / (g["rho_s"] * g["c_s"])
    rise = g["q_w"] * g["L_s"] / g["k_s"] * back_face(diffusivity, g["t"], g["L_s"])
    return {"alpha_s": diffusivity, "Fo": diffusivity * g["t"] / g["L_s"] ** 2, "T_b": g["T_i"] + rise}


def entry_angle_tradeoff(g):
    first, second = (hottest(g, angle, g["k_s"])[1] for angle in ("gamma_1", "gamma_2"))
    load, other_load = heat_load(g, "gamma_1"), heat_load(g, "gamma_2")
    return {
        "q_1": first,
        "Q_1": load,
        "q_2": second,
        "Q_2": other_load,
        "r_q": second / first,
        "r_Q": other_load / load,
    }


def entry_peak_flux(g):
    drag = cap_axial(g["Cp_max"], math.radians(g["phi_m"]))
    radius = math.sqrt(g["A_r"] / math.pi / (1 - math.cos(math.radians(g["phi_m"])) ** 2))
    path = {**g, "beta_m": g["m"] / (drag * g["A_r"]), "R_n": radius}
    density, flux = hottest(path)
    speed = speed_at(density, path)
    found = {"rho_q": density, "V_q": speed, "q_max": flux}
    return {"R_n": radius, "C_D": drag, "beta_m": path["beta_m"], **found}


def short_pulse_tile(g):
    fourier = g["k_s"] / (g["rho_s"] * g["c_s"]) * g["t"] / g["L_s"] ** 2
    return {"Fo": fourier, "T_s": g["T_i"] + half_space(g["q_w"], g["t"], 0, g)}


def skip_exit(g):
    """Drag over lift per radian turned, through twice the entry angle."""
    angle = math.radians(g["gamma_E"])
    return {"V_x": g["V_E"] * math.exp(-integrate.quad(lambda _: 1 / g["E"], -angle, angle)[0])}


def plug_thermocouple(g):
    surface, inside = (half_space(1000 * g["q_w"], g["t"], depth, g) for depth in (0, g["x_c"] / 1000))
    diffusivity = g["k_s"] / (g["rho_s"] * g["c_s"])
    return {"alpha_s": diffusivity, "T_s": g["T_i"] + surface, "T_c": g["T_i"] + inside}


def off_nose_two_fits(g):
    """Lees: pressure, radius and a speed that grows with the arc, over the root of their running integral."""
    phi, floor = math.radians(g["phi_b"]), 1 / (g["gamma"] * g["M_inf"] ** 2)

    def pressure(at):
        return floor + (1 - floor) * math.cos(at) ** 2

    run = integrate.quad(lambda at: pressure(at) * at * math.sin(at) ** 2, 0, phi)[0]
    first = g["q_s"] * pressure(phi) * phi * math.sin(phi) / (2 * math.sqrt(run))
    second = g["q_s"] * (0.1 + 0.9 * math.cos(phi) ** 2)
    return {"q_L": first, "q_C": second, "r_q": first / second}


def glide_or_ballistic(g):
    """Both peaks searched; a glide holds weight less centrifugal force by lift."""
    loading = g["m_S"] / plate_lift(math.radians(g["alpha_g"]))

    def gliding(speed):
        density = 2 * loading * (g["g"] - speed**2 / (1000 * g["r"])) / speed**2
        return stagnation(g["k_s"], density, g["R_n"], speed)

    steep = hottest(g, constant=g["k_s"])[1]
    speed, shallow = peak(gliding, 3000, 7700)
    ratio = steep / shallow
    return {"beta_L": loading, "q_b": steep / 1000, "V_g": speed, "q_g": shallow / 1000, "r_q": ratio}


def tile_sizing(g):
    diffusivity = g["k_s"] / (g["rho_s"] * g["c_s"])

    def excess(thickness):
        return (
            1000 * g["q_w"] * thickness / g["k_s"] * back_face(diffusivity, g["t"], thickness)
            + g["T_i"]
            - g["T_b"]
        )

    thickness = optimize.brentq(excess, 1e-3, 0.2, xtol=1e-12)
    return {"alpha_s": diffusivity, "L_s": 1000 * thickness, "Fo": diffusivity * g["t"] / thickness**2}
