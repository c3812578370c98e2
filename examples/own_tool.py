"""Your own tool, on recorded answers: no key is needed. With one: models="openai:gpt-5.2"."""

from pathlib import Path

import ansatz as az


def shaft_power(flow: float, head: float, efficiency: float) -> float:
    """Shaft power of a water pump in kW, from flow in L/s, head in m and efficiency from 0 to 1."""
    return round(9.81 * flow * head / efficiency / 1000, 3)


study = az.Study(
    "own-tool",
    models=f"replay:{Path(__file__).parent / 'own_tool.jsonl'}",
    problems=[("A pump lifts 12 L/s of water by 9 m at 70 % efficiency. Shaft power?", "1.51 kW")],
    arms={"tool": az.WithTools(shaft_power, prompt="Use `shaft_power`.")},
    scorers=[az.Outcome()],
)
print(study.run()["tool"].select("answer", "outcome"))
