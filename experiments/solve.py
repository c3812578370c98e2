"""Answer one question with chosen interventions, and show how."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from rich.console import Console

from ansatz.agents import Asked, Question, Transcript, is_simulated, run_agent
from ansatz.agents.models import connect
from ansatz.agents.models.retry import listening
from ansatz.errors import PluginError, StudyError
from ansatz.experiments.design.arms import sandboxes_of
from ansatz.experiments.design.resolution import arm_of
from ansatz.experiments.design.study_file import Switches, choice_of
from ansatz.experiments.running.background import in_background
from ansatz.experiments.solved import Solved
from ansatz.quantities.scales import is_difference
from ansatz.quantities.statements import find_blank_symbols
from ansatz.sandbox import trusting

_PATIENCE = 5.0  # seconds before somebody is told what is waited for


DEFAULT_SWITCHES = ("fluid_properties", "equation_tools", "calculator", "calculation_protocol", "checked")
"""What answers a question where nobody chooses: tools for properties, equations and numbers, and checks."""


def solve(
    question: str,
    model: str = "offline:slide-rule",
    switches: Sequence[str] | str = DEFAULT_SWITCHES,
    **settings: Any,
) -> Solved:
    """Answer one question, and tell what the answer rests on: equations, conditions, checks, doubts.

    `switches` are as `--with` takes them, such as "equation_retrieval:top=3"; keywords are settings of the
    model. Quantities that the question asks for stand best in lines `symbol = ___ unit`.

    Example: `solve("Speed of sound in air at T = 300 K?  a = ___ m/s", switches=["calculator"])`.
    """
    chosen = [switches] if isinstance(switches, str) else list(switches)
    transcript = in_background(solve_question(question, model, chosen, settings))
    return Solved(question, transcript, model.startswith("offline:"))


async def solve_question(
    text: str,
    model: str,
    chosen: list[str],
    settings: Mapping[str, Any],
    *,
    tell: Callable[[str], None] = lambda line: None,
    patience: float = _PATIENCE,
) -> Transcript:
    """`chosen` are interventions as "name" or "name:setting=value,setting=value".

    `tell` hears after `patience` seconds that the model is waited for, and then of each retry.
    """
    if not text.strip():
        raise StudyError("the question is empty")
    arm = arm_of("solve", interventions_of(chosen))
    client = connect(model, settings, arm.plan.model_settings)
    try:
        with trusting(arm.plan.is_ours and is_simulated(client)):
            for sandbox in sandboxes_of(arm.switches):
                await sandbox.start()
        async with _waits_told(model, tell, patience):
            asked = tuple(
                Asked(symbol, difference=is_difference(symbol, "", "K"))
                for symbol in find_blank_symbols(text)
            )
            return await run_agent(arm.plan, Question(text, asked=asked), client)
    finally:
        await client.aclose()


def interventions_of(chosen: list[str]) -> Switches:
    """Interventions by name, with their settings. Raises PluginError."""
    found: Switches = {}
    for name, settings in map(choice_of, chosen):
        if name in found:
            raise PluginError(
                f"{name} is given twice; write its settings as one: name:setting=value,setting=value"
            )
        found[name] = settings
    return found


@asynccontextmanager
async def _waits_told(model: str, tell: Callable[[str], None], patience: float) -> AsyncIterator[None]:
    last = f"for {model} to answer"
    is_late = False

    def hear(retry: str) -> None:
        nonlocal last
        last = retry
        if is_late:
            tell(f"waiting: {retry}")

    async def tell_later() -> None:
        nonlocal is_late
        await asyncio.sleep(patience)
        tell(f"waiting: {last}")
        is_late = True

    waiting = asyncio.create_task(tell_later())
    try:
        with listening(hear):
            yield
    finally:
        waiting.cancel()


def print_trace(transcript: Transcript, console: Console) -> None:
    """Every message in order, tool calls with arguments and results, then what it took."""
    from ansatz.experiments.view.show import print_messages

    print_messages(transcript.messages, console)
    if not transcript.answer.strip():
        console.print("No answer was given.\n")
    model_calls, tool_calls = len(transcript.model_calls), len(transcript.tool_calls)
    calls = f"model calls {model_calls} · tool calls {tool_calls}"
    spent = f"{transcript.tokens} tokens · {transcript.seconds:.2f} s"
    console.print(f"{transcript.stop} · {calls} · {spent}", style="dim")
