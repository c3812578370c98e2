"""A tool: any function with type hints and a docstring. The model sees its name, arguments and docstring."""


def shaft_power(flow: float, head: float, efficiency: float) -> float:
    """Shaft power of a water pump in kW, from flow in L/s, head in m and efficiency from 0 to 1."""
    return round(998 * 9.81 * flow / 1000 * head / efficiency / 1000, 4)
