"""Correlations and groups of ht 1.2.0 and fluids 1.3.1."""

import fluids
import ht
from answering import answer


def bond(rho_l, rho_v, L, sigma, g):
    """fluids takes standard gravity."""
    return fluids.Bond(rho_l, rho_v, sigma, L) * g / 9.80665


def grashof(beta_T, Tw, T_inf, L, nu):
    return fluids.Grashof(L=L, beta=beta_T, T1=Tw, T2=T_inf, nu=nu)


def film(T_sat, T_s, L, **liquid):
    """The factor of ht is 0.943 to more digits (2 sqrt(2)/3)."""
    properties = {"rhog": "rho_v", "rhol": "rho_l", "kl": "k_l", "mul": "mu_l", "Hvap": "h_fg"}
    named = {theirs: liquid[ours] for theirs, ours in properties.items()}
    return ht.Nusselt_laminar(T_sat, T_s, L=L, **named) * 0.943 / (2 * 2**0.5 / 3)


ROUTES = {
    "boundary_layer.contrast.gnielinski": lambda f_D, Re_D, Pr: ht.turbulent_Gnielinski(Re_D, Pr, f_D),
    "boundary_layer.contrast.haaland": lambda eps_D, Re_D: fluids.friction.Haaland(Re_D, eps_D),
    "boundary_layer.contrast.pipe_blasius_friction": lambda Re_D: fluids.friction.Blasius(Re_D),
    "boundary_layer.contrast.pipe_laminar_friction": lambda Re_D: fluids.friction.friction_laminar(Re_D),
    "boundary_layer.turbulent.dittus_boelter": lambda Re_D, Pr: ht.turbulent_Dittus_Boelter(Re_D, Pr),
    "boundary_layer.laminar.churchill_ozoe": lambda Re_x, Pr: (
        ht.Nu_horizontal_plate_laminar_Churchill_Ozoe(Re_x, Pr) / 2
    ),
    "heating.contrast.churchill_bernstein": lambda Re_D, Pr: ht.Nu_cylinder_Churchill_Bernstein(Re_D, Pr),
    "heating.contrast.churchill_chu_plate": lambda Ra, Pr: ht.Nu_vertical_plate_Churchill(Pr, Ra / Pr),
    "heating.contrast.nusselt_film": film,
    "heating.contrast.zuber": lambda h_fg, rho_v, sigma, rho_l: ht.Zuber(sigma, h_fg, rho_l, rho_v, 0.131),
    "reference.reynolds_number": lambda rho, V, L, mu: fluids.Reynolds(V, L, rho, mu),
    "reference.prandtl_number": lambda mu, cp, k_th: fluids.Prandtl(Cp=cp, k=k_th, mu=mu),
    "reference.biot_number": lambda h_c, L, k_s: fluids.Biot(h_c, L, k_s),
    "reference.bond_number": bond,
    "reference.capillary_number": lambda mu, V, sigma: fluids.Capillary(V, mu, sigma),
    "reference.eckert_number": lambda V, cp, Te, Tw: fluids.Eckert(V, cp, Te - Tw),
    "reference.euler_number": lambda dp, rho, V: fluids.Euler(dp, rho, V),
    "reference.froude_number": lambda V, L, g: fluids.Froude(V, L, g),
    "reference.grashof_number": grashof,
    "reference.graetz_number": lambda D, x, Re_D, Pr: fluids.Graetz_heat(Re_D, D, x, alpha=1 / Pr) / D,
    "reference.jakob_number": lambda cp_l, Tw, T_sat, h_fg: fluids.Jakob(cp_l, h_fg, Tw - T_sat),
    "reference.nusselt_number": lambda h_c, L, k_th: fluids.Nusselt(h_c, L, k_th),
    "reference.peclet_number": lambda rho, cp, V, L, k_th: fluids.Peclet_heat(V, L, rho=rho, Cp=cp, k=k_th),
    "reference.rayleigh_number": lambda alpha_T, **given: grashof(**given) * given["nu"] / alpha_T,
    "reference.sherwood_number": lambda h_m, L, D12: fluids.Sherwood(h_m, L, D12),
    "reference.strouhal_number": lambda f_s, L, V: fluids.Strouhal(f_s, L, V),
    "reference.thermal_diffusivity": lambda k_th, rho, cp: fluids.thermal_diffusivity(k_th, rho, cp),
    "reference.weber_number": lambda rho, V, L, sigma: fluids.Weber(V, L, rho, sigma),
}

if __name__ == "__main__":
    answer(ROUTES)
