"""Every answer of our own TPBench problems along a second route that does not use its closed form.

`ROUTES` maps the name of the function that a problem asks for to one of the same parameters.
"""

from tests.eval.benchmarks.tpbench.routes import (
    classical,
    cosmology,
    fields,
    quantum,
    relativity,
    statistical,
)

ROUTES = {
    name: route
    for module in (classical, cosmology, fields, quantum, relativity, statistical)
    for name, route in vars(module).items()
    if callable(route) and route.__module__ == module.__name__ and not name.startswith("_")
}
