"""What a replay changes in a stored conversation, and where it cuts the conversation."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Literal, NamedTuple

from ansatz.agents.transcript import read_text
from ansatz.errors import BadInput
from ansatz.experiments.attribution.mentions import Mention, find_mentions, is_known

HIDDEN = "The result of this call is not available."
_SPREAD = re.compile(r"result\s*=\s*(?:±|\+/?-)?\s*(\d+(?:\.\d+)?)\s*%")

Message = Mapping[str, Any]
Kind = Literal["placebo", "drop", "hide", "perturb"]


class Cut(NamedTuple):
    """The stored part of a conversation that a replay continues."""

    messages: tuple[Message, ...]
    """In OpenAI's form, with the change."""
    calls_after: int
    """Replies of the model that the original has after the cut."""


@dataclass(frozen=True)
class ReplayChange:
    """A change of one tool call, or none: then the replay is the placebo of the changes at the same cut.

    Example: `ReplayChange("hide", tool="fluid_state", call=1)`.
    """

    kind: Kind
    tool: str | None = None
    """The tool whose call is changed; None for any tool."""
    call: int = 1
    """Which call of the tool is changed, from 1."""
    percent: float = 0.0
    """By how much `perturb` changes the numbers of the result, up or down at random."""
    before: bool = False
    """Whether the cut is before the request of the call, not after its result. `drop` cuts there."""

    @classmethod
    def drop(cls, tool: str) -> ReplayChange:
        """Take a tool away, from before its first call on."""
        return cls("drop", tool, before=True)

    @classmethod
    def hide(cls, call: int, tool: str | None = None) -> ReplayChange:
        """Replace the result of one call by a note that it is not available."""
        return cls("hide", tool, call)

    @classmethod
    def perturb(cls, spread: str, tool: str | None = None) -> ReplayChange:
        """Change the numbers of the first result, such as "result=±5%". Raises BadInput."""
        found = _SPREAD.fullmatch(spread.strip())
        if found is None or not float(found[1]):
            raise BadInput(f"--perturb {spread}: write the size of the change as result=±5%")
        return cls("perturb", tool, percent=float(found[1]))

    @property
    def placebo(self) -> ReplayChange:
        """The replay that changes nothing, from the same cut."""
        return ReplayChange("placebo", self.tool, self.call, before=self.before)

    @property
    def label(self) -> str:
        """What is changed, in a few words."""
        which = f"{self.tool or 'call'} {self.call}"
        return {
            "placebo": f"unchanged {'before' if self.before else 'after'} {which}",
            "drop": f"without {self.tool}",
            "hide": f"result hidden of {which}",
            "perturb": f"result ±{self.percent:g} % of {which}",
        }[self.kind]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def find(self, messages: Sequence[Message]) -> tuple[int, str] | None:
        """Return the message that has the call's result, and its tool; None if there is no such call."""
        return next(islice(self._find_calls(messages), self.call - 1, None), None)

    def count_calls(self, messages: Sequence[Message]) -> int:
        """Count the calls of the tool that have a result."""
        return sum(1 for _ in self._find_calls(messages))

    def _find_calls(self, messages: Sequence[Message]) -> Iterator[tuple[int, str]]:
        names = {
            call["id"]: call["function"]["name"]
            for message in messages
            for call in message.get("tool_calls") or ()
        }
        for at, message in enumerate(messages):
            name = names.get(message.get("tool_call_id") or "")
            if message["role"] == "tool" and name is not None and self.tool in (None, name):
                yield at, name

    def cut(self, messages: Sequence[Message], seed: str) -> Cut | None:
        """Cut a conversation at the call and change it; None if nothing can be changed.

        Results of parallel calls stay. `seed` draws the direction in which numbers are changed.
        """
        found = self.find(messages)
        if found is None:
            return None
        at, _ = found
        start = max(place for place in range(at) if messages[place]["role"] == "assistant")
        if self.before:
            return Cut(tuple(messages[:start]), _count_replies(messages[start:]))
        end = at + 1
        while end < len(messages) and messages[end]["role"] == "tool":
            end += 1
        kept = list(messages[:end])
        if self.kind == "hide":
            kept[at] = {**kept[at], "content": HIDDEN}
        elif self.kind == "perturb":
            text = read_text(kept[at]["content"])
            earlier = [each for message in messages[: start + 1] for each in _find_numbers(message)]
            changed = perturb_numbers(text, earlier, self.percent, random.Random(seed))
            if changed == text:
                return None
            kept[at] = {**kept[at], "content": changed}
        return Cut(tuple(kept), _count_replies(messages[end:]))


def make_changes(
    drop: str | None, hide_result: int | None, perturb: str | None, noop: bool, tool: str | None
) -> list[ReplayChange]:
    """Return the change that options name, and its placebo with `noop`. Raises BadInput."""
    if sum(each is not None for each in (drop, hide_result, perturb)) > 1:
        raise BadInput("give one of --drop tool=NAME, --hide-result N and --perturb result=±5%")
    if drop is not None:
        change = ReplayChange.drop(drop)
    elif hide_result is not None:
        change = ReplayChange.hide(hide_result, tool)
    elif perturb is not None:
        change = ReplayChange.perturb(perturb, tool)
    elif noop:
        return [ReplayChange("placebo", tool)]
    else:
        raise BadInput("give a change: --drop tool=NAME, --hide-result N or --perturb result=±5%; or --noop")
    return [change, change.placebo] if noop else [change]


def perturb_numbers(text: str, earlier: Sequence[Mention], percent: float, draw: random.Random) -> str:
    """Change every number of a result by a percentage, all in one direction; those known before stay."""
    factor = 1 + draw.choice((-1, 1)) * percent / 100
    parts, end = [], 0
    for each in find_mentions(text):
        if not each.value or is_known(each, earlier):
            continue
        parts += [text[end : each.start], f"{each.value * factor:.{max(each.digits, 3)}g}"]
        end = each.end
    return "".join([*parts, text[end:]])


def _find_numbers(message: Message) -> list[Mention]:
    if message["role"] == "system":
        return []
    asked = (call["function"]["arguments"] for call in message.get("tool_calls") or ())
    return [each for text in (read_text(message.get("content")), *asked) for each in find_mentions(text)]


def _count_replies(messages: Sequence[Message]) -> int:
    return sum(message["role"] == "assistant" for message in messages)
