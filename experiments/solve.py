"""Answer one question with interventions, and show how the answer was found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from rich.console import Console

from ansatz.agents import AnswerField, Question, Transcript, is_simulated, run_agent
from ansatz.agents.answer_form import CHOOSE_SYMBOLS
from ansatz.agents.models import connect
from ansatz.agents.models.retry import listen_for_waits
from ansatz.errors import PluginError, StudyError
from ansatz.experiments.design.arms import find_sandboxes
from ansatz.experiments.design.resolution import build_arm
from ansatz.experiments.design.study_file import Switches, parse_choice
from ansatz.experiments.running.background import in_background
from ansatz.experiments.solved import Solved
from ansatz.quantities.scales import is_difference
from ansatz.quantities.statements import find_blank_symbols
from ansatz.sandbox import trusting

_SECONDS_BEFORE_NOTICE = 5.0


DEFAULT_SWITCHES = (
    "fluid_properties:fluids=[all]",
    "equation_tools",
    "calculator",
    "calculation_protocol",
    "checked",
)
"""The default interventions: tools for properties, equations and numbers, and checks."""


def solve(
    question: str,
    model: str = "offline:slide-rule",
    switches: Sequence[str] | str = DEFAULT_SWITCHES,
    **settings: Any,
) -> Solved:
    """Answer one question, and report its equations, their conditions, the checks and open points.

    Args:
        question: The question, in plain words or with a blank `symbol = ___ unit` for each quantity.
        model: "provider:model".
        switches: Interventions as `--with` takes them, such as "equation_retrieval:top=3".
        settings: Settings of the model, such as `temperature=0`.

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
    on_wait: Callable[[str], None] = lambda line: None,
    seconds_before_notice: float = _SECONDS_BEFORE_NOTICE,
) -> Transcript:
    """Answer a question and return the transcript.

    `chosen` are interventions as "name" or "name:setting=value,setting=value". `on_wait` is called once the
    model has not answered for `seconds_before_notice`, and then for each retry.
    """
    if not text.strip():
        raise StudyError("the question is empty")
    arm = build_arm("solve", parse_interventions(chosen))
    client = connect(model, settings, arm.plan.model_settings)
    try:
        with trusting(arm.plan.agent is None and is_simulated(client)):
            for sandbox in find_sandboxes(arm.switches):
                await sandbox.start()
        async with _reporting_waits(model, on_wait, seconds_before_notice):
            asked = tuple(
                AnswerField(symbol, difference=is_difference(symbol, "", "K"))
                for symbol in find_blank_symbols(text)
            )
            plan = arm.plan if asked else arm.plan.instruct(CHOOSE_SYMBOLS)
            return await run_agent(plan, Question(text, answer_fields=asked), client)
    finally:
        await client.aclose()


def parse_interventions(chosen: list[str]) -> Switches:
    """Parse interventions into names and settings. Raises PluginError."""
    found: Switches = {}
    for name, settings in map(parse_choice, chosen):
        if name in found:
            raise PluginError(
                f"{name} is given twice; write its settings as one: name:setting=value,setting=value"
            )
        found[name] = settings
    return found


@asynccontextmanager
async def _reporting_waits(
    model: str, on_wait: Callable[[str], None], seconds_before_notice: float
) -> AsyncIterator[None]:
    """Report a wait that takes longer than `seconds_before_notice`, and the retries after that."""
    latest = f"for {model} to answer"
    is_late = False

    def note_retry(retry: str) -> None:
        nonlocal latest
        latest = retry
        if is_late:
            on_wait(f"waiting: {retry}")

    async def report_once_late() -> None:
        nonlocal is_late
        await asyncio.sleep(seconds_before_notice)
        on_wait(f"waiting: {latest}")
        is_late = True

    notice = asyncio.create_task(report_once_late())
    try:
        with listen_for_waits(note_retry):
            yield
    finally:
        notice.cancel()


def print_trace(transcript: Transcript, console: Console) -> None:
    """Print every message with tool calls and results, then the calls, tokens and seconds used."""
    from ansatz.experiments.view.show import print_messages

    print_messages(transcript.messages, console)
    if not transcript.answer.strip():
        console.print("No answer was given.\n")
    model_calls, tool_calls = len(transcript.model_calls), len(transcript.tool_calls)
    calls = f"model calls {model_calls} · tool calls {tool_calls}"
    spent = f"{transcript.tokens} tokens · {transcript.seconds or 0.0:.2f} s"
    console.print(f"{transcript.stop} · {calls} · {spent}", style="dim")
