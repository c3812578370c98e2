"""Answer one question with chosen interventions, and show how."""

from __future__ import annotations

from typing import Any

import yaml
from rich.console import Console
from rich.markup import escape

from ansatz.agents import Question, Transcript, is_simulated, run_agent
from ansatz.agents.models import connect
from ansatz.experiments.plugins import PluginError
from ansatz.experiments.study_file import Switches, arm_of
from ansatz.sandbox import trusting


async def solve_question(text: str, model: str, chosen: list[str], base_url: str | None) -> Transcript:
    """`chosen` are interventions as "name" or "name:setting=value,setting=value"."""
    arm = arm_of("solve", interventions_of(chosen))
    client = connect(model, {"base_url": base_url} if base_url else {})
    try:
        with trusting(arm.plan.is_ours and is_simulated(client)):
            for sandbox in arm.sandboxes:
                await sandbox.start()
        return await run_agent(arm.plan, Question(text), client)
    finally:
        await client.aclose()


def interventions_of(chosen: list[str]) -> Switches:
    """Names with settings; values are read as YAML, so `top=3` is a number and `traps=no` is false."""
    found: Switches = {}
    for each in chosen:
        name, _, settings = each.partition(":")
        if name in found:
            raise PluginError(
                f"{name} is given twice; write its settings as one: name:setting=value,setting=value"
            )
        found[name] = dict(_setting(each, pair) for pair in settings.split(",") if pair)
    return found


def _setting(whole: str, pair: str) -> tuple[str, Any]:
    key, equals, value = pair.partition("=")
    if not equals:
        raise PluginError(f"cannot read {whole!r}; write name or name:setting=value,setting=value")
    try:
        return key, yaml.safe_load(value)
    except yaml.YAMLError:
        raise PluginError(f"{key}: cannot read {value!r} in {whole!r}") from None


def print_trace(transcript: Transcript, console: Console) -> None:
    """Every message in order, tool calls with arguments and results, then what it took."""
    for message in transcript.messages:
        if message.get("content"):
            console.print(f"[bold]{message['role']}[/bold]\n{escape(_text(message['content']))}\n")
        for call in message.get("tool_calls", ()):
            function = call["function"]
            console.print(f"[bold]call[/bold] {function['name']}({escape(function['arguments'])})\n")
    if not transcript.answer.strip():
        console.print("No answer was given.\n")
    calls = f"{len(transcript.model_calls)} model calls · {len(transcript.tool_calls)} tool calls"
    spent = f"{transcript.tokens} tokens · {transcript.seconds:.2f} s"
    console.print(f"{transcript.stop} · {calls} · {spent}", style="dim")


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") if isinstance(part, dict) else str(part) for part in content)
