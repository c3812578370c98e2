"""What became of a tool result or a retrieved passage: used, converted, copied wrongly, ignored, or in doubt.

Only what the conversation shows counts. A result is used if one of its values, or another distinctive piece
of it, appears in what the model wrote afterwards and was not there before. Where a match may be chance, or
where text can act without a trace, the verdict is "unknown".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ansatz.experiments.attribution.answer_path import Final, is_computed_from, reaches_answer
from ansatz.experiments.attribution.conversation import (
    Call,
    ConversationPart,
    RecordedConversation,
    ShownPassage,
    is_empty,
)
from ansatz.experiments.attribution.copies import (
    are_rewritten,
    is_garbled,
    is_in_both_units,
    is_in_one_unit,
    is_like,
    is_of_same_kind,
    is_repeated,
    is_swapped,
    is_wrong_copy,
)
from ansatz.experiments.attribution.mentions import (
    CERTAIN_DIGITS,
    FEWEST_DIGITS,
    Mention,
    find_mentions,
    is_approximate,
    is_converted,
    is_known,
    is_one_of,
    is_outcome,
    is_rounding,
    is_same_number,
)
from ansatz.experiments.attribution.quotes import Quote, find_quotes
from ansatz.experiments.attribution.source_use import Recovery, SourceUse, TextPlace, Use

Place = tuple[ConversationPart, Mention]

_WORDS = re.compile(r"[^\W\d_]{4,}")
_AGREES = re.compile(
    r"\b(?:confirm|verif|agree|match|consistent|identical|coincide|same\b|both\b|check(?:s|ed)? out\b)", re.I
)
_THREE_LINES = re.compile(r"(?:.*(?:\n+|\Z)){1,3}")
_PROSE = 3  # words per number from which a result is prose
_MOST_LABELS = 40  # words of a result that only labels its numbers
_MOST_VALUES = 100  # of a table of more, only values that appear exactly are followed


def trace_tools(conversation: RecordedConversation, final: Final) -> tuple[SourceUse, ...]:
    """Return what became of each tool call, in order."""
    traced = [
        _Trace(conversation, call, number, final).classify() for number, call in enumerate(conversation.calls)
    ]
    return tuple(_find_recovery(each, traced[at + 1 :], final) for at, each in enumerate(traced))


def trace_passages(
    conversation: RecordedConversation, passages: Sequence[ShownPassage], question: str, final: Final
) -> tuple[SourceUse, ...]:
    """Return what became of each passage that was put before the question, or that a tool returned."""
    found = []
    for number, passage in enumerate(passages):
        others = [each.text for each in passages if each is not passage]  # what they share marks neither
        call = Call(passage.name, "", passage.text, True, passage.place)
        traced = _Trace(conversation, call, number, final, "\n".join([question, *others])).classify()
        in_notes = conversation.parts[passage.place].kind == "given"
        found.append(replace(traced, kind=passage.kind, in_notes=in_notes))
    return tuple(found)


@dataclass(frozen=True)
class _Judged:
    use: Use
    in_answer: bool | None
    places: tuple[TextPlace, ...] = ()
    converted: bool = False


@dataclass(frozen=True)
class _Trace:
    """The result of one call, and the texts before and after it."""

    conversation: RecordedConversation
    call: Call
    number: int
    final: Final
    question: str | None = None
    """For a passage: the question and the other passages."""

    def classify(self) -> SourceUse:
        call, place = self.call, self.call.place
        found = SourceUse(
            "tool",
            call.name,
            self.number + 1,
            "failed" if not call.ok else "unknown",
            in_answer=None if call.ok else False,
            right=self.final.right,
            result=None if place is None else self.conversation.parts[place].message,
        )
        if not call.ok or place is None:
            return replace(found, redundant=call.ok and self._is_repeated())
        if is_empty(call.result):
            return replace(found, use="ignored", in_answer=False, redundant=self._is_repeated())
        values: Sequence[Mention] = find_mentions(call.result)
        if len(values) > _MOST_VALUES:
            values = self._find_exact(values)[:_MOST_VALUES]
            if not values:
                return replace(found, redundant=self._is_repeated())
        new = [each for each in values if not is_known(each, self._earlier)]
        words = len(_WORDS.findall(call.result))
        is_prose = words > _PROSE * max(len(values), 1) or words > _MOST_LABELS
        is_redundant = self._is_repeated() or bool(values and not is_prose and self._has_nothing_new(values))
        judged = self._judge(new or values, is_prose)
        if not is_redundant and judged.use == "ignored" and (known := self._find_confirmed(values)):
            is_redundant, judged = True, self._judge(known, is_prose)
        if is_redundant and judged.use != "copied wrongly":
            if self._is_mentioned_as_check():
                judged = replace(judged, use="converted" if judged.use == "converted" else "used")
            elif judged.use != "ignored":
                judged = replace(judged, use="unknown")
            judged = replace(judged, in_answer=None if judged.use != "ignored" else False)
        return replace(found, redundant=is_redundant, **vars(judged))

    def _find_exact(self, values: Sequence[Mention]) -> list[Mention]:
        """Return the values that appear later as they are; among many, others match by chance."""
        later = {each.value for part in self._written for each in find_mentions(part.text)}
        return [each for each in values if each.value in later]

    def _has_nothing_new(self, values: Sequence[Mention]) -> bool:
        """Whether every value was there before, or the only one is what the model had worked out.

        A short number may meet another by chance.
        """
        stated = self._list_stated()
        only = values[0].value
        if len(values) == 1 and any(is_same_number(each, only) and is_outcome(each) for each in stated):
            return True
        return all(
            is_known(each, self._earlier) if each.digits >= FEWEST_DIGITS else is_repeated(each, stated)
            for each in values
        )

    def _find_confirmed(self, values: Sequence[Mention]) -> list[Mention]:
        """Return the values that the model had worked out, or another call had returned."""
        stated = self._list_stated()
        given = [each for part in self._before if part.kind == "given" for each in find_mentions(part.text)]
        return [
            each
            for each in values
            if each.digits >= FEWEST_DIGITS and is_known(each, stated) and not is_known(each, given)
        ]

    def _is_mentioned_as_check(self) -> bool:
        """Whether the text after the result states that it agrees with something."""
        after = next((part.text for part in self._after if part.kind == "written"), "")
        return self.question is None and _AGREES.search(after) is not None

    def _list_stated(self) -> list[Mention]:
        """Return the numbers before the call that the model wrote in text, or another call returned."""
        stated = (part for part in self._before if part.kind in ("written", "result"))
        return [each for part in stated for each in find_mentions(part.text)]

    def _judge(self, values: Sequence[Mention], is_prose: bool) -> _Judged:
        """Judge whether values of the result, or other parts of it, appear later."""
        distinct = [each for each in values if each.digits >= FEWEST_DIGITS]
        shown = [
            (part, each)
            for part in self._written
            for each in find_mentions(part.text)
            if is_one_of(each, distinct)
            and (each.digits >= FEWEST_DIGITS or each.value in {value.value for value in distinct})
        ]
        use: Use = "used"
        if shown and is_wrong_copy([each for _, each in shown], distinct):
            use = "copied wrongly"
        elif garbled := self._find_garbled(distinct, shown):
            shown, use = [*shown, *garbled], "copied wrongly"
        if shown:
            both = _pairs(self._written, [each for each in distinct if each.scale], is_in_both_units)
            shown += [each for each in both if each not in shown and not self._is_from_elsewhere(each[1])]
        else:
            shown, use = _pairs(self._written, distinct, is_converted), "converted"
        if not shown:
            shown, use = self._find_short(values), "used"
        in_answer = reaches_answer(shown, self._after, self._before, self.final) if shown else None
        if not in_answer:
            is_passage = self.question is not None
            quotes = find_quotes(self.call, self._before, self._written, self.final.words, is_passage)
            in_answer = (self._is_quote_in_answer(quotes) if quotes else None) or in_answer
        if shown:
            is_rewritten = use == "converted" or self._is_converted(shown, values)
            return _Judged(use, in_answer, _mark(shown), is_rewritten)
        if quotes:
            places = tuple(dict.fromkeys(TextPlace(each.part.message, each.piece) for each in quotes))
            return _Judged("used", in_answer, places)
        return self._judge_without_trace(values, distinct, is_prose)

    def _judge_without_trace(
        self, values: Sequence[Mention], distinct: Sequence[Mention], is_prose: bool
    ) -> _Judged:
        """Judge a result that leaves no trace: ignored, or unknown if it may have had an invisible effect."""
        if is_prose or not values:
            return _Judged("unknown", None)
        for each in self.final.values:
            if each.digits > FEWEST_DIGITS and is_computed_from(each, distinct, self._earlier):
                return _Judged("used", True)
        if not distinct or self._has_like(values):
            return _Judged("unknown", None)
        return _Judged("ignored", False)

    def _has_like(self, values: Sequence[Mention]) -> bool:
        """Whether a number from no other source is like a result."""
        return any(
            _is_any(is_like, each, values) and not self._is_from_elsewhere(each)
            for part in self._written
            for each in find_mentions(part.text)
        )

    def _find_garbled(self, distinct: Sequence[Mention], shown: Sequence[Place]) -> list[Place]:
        """Find values that appear with a slip and never correctly, in numbers from no other source."""
        missing = [
            value
            for value in distinct
            if not any(is_same_number(each, value.value) for _, each in shown)
            and not _pairs(self._written, [value], is_converted)
        ]
        if not missing:
            return []
        sources = [part for part in self.conversation.parts if part.kind in ("given", "result")]
        others = [each for part in sources for each in find_mentions(part.text)]
        return [
            (part, each)
            for part, each in _pairs(self._written, missing, is_garbled)
            if not is_one_of(each, others)
            and not is_outcome(each)
            and (
                any(is_swapped(each, value) for value in missing)
                or is_computed_from(each, missing, others) is False
            )
        ]

    def _is_converted(self, shown: Sequence[Place], values: Sequence[Mention]) -> bool:
        """Whether a value appears rounded, or in another unit than that of the result."""
        if are_rewritten([each for _, each in shown], values):
            return True
        stated = [each for each in (*values, *(each for _, each in shown)) if each.scale is not None]
        known = {each.value for each in self._earlier}
        both = _pairs(self._written, stated, is_in_both_units) if stated else []
        if any(each.value not in known and not self._is_from_elsewhere(each) for _, each in both):
            return True
        text = [part for part in self._written if part.kind == "written"]
        one = _pairs(text, [each for each in values if each.digits >= CERTAIN_DIGITS], is_in_one_unit)
        return any(not is_outcome(each) and not self._is_from_elsewhere(each) for _, each in one)

    def _is_from_elsewhere(self, shown: Mention) -> bool:
        """Whether a number is one of the question or of another result."""
        return is_one_of(shown, self._others)

    def _find_short(self, values: Sequence[Mention]) -> list[Place]:
        """Find numbers of one or two digits that can hardly be from another source.

        They equal a result and have its unit or name, or are the answer. Or they have two digits, appear in
        no other source, and are the result itself, which is no integer, or are marked as rounded.
        """
        small = [each for each in values if each.digits < FEWEST_DIGITS]
        long = [each for each in values if each.digits >= FEWEST_DIGITS]
        final = {(each.start, each.text) for each in self.final.values}
        found = []
        for part in self._written:
            for each in find_mentions(part.text):
                same = [value for value in small if value.value == each.value]
                is_final = (each.start, each.text) in final
                is_sure = same and (is_final or any(is_of_same_kind(each, value) for value in same))
                is_exact = same and each.digits > 1 and each.value % 1 != 0
                is_rounded = (is_final or is_approximate(each)) and any(
                    is_rounding(each, value) for value in long
                )
                if is_sure or ((is_exact or is_rounded) and not self._is_from_elsewhere(each)):
                    found.append((part, each))
        return found

    def _is_quote_in_answer(self, quotes: Sequence[Quote]) -> bool | None:
        """Whether a quoted word is a value of the answer, or a number that follows a quote leads to one."""
        if any(piece.strip() in self.final.words for _, piece, _ in quotes):
            return True
        shown = [
            (part, each)
            for part, _, start in quotes
            if (lines := _find_equation(part.text, start)) is not None
            for each in find_mentions(part.text)
            if lines[0] <= each.start < lines[1] and each.digits >= FEWEST_DIGITS
        ]
        messages = {each.part.message for each in quotes}  # the quote explains the call that follows it
        starts = [part for part in self._written if part.kind == "arguments" and part.message in messages]
        return reaches_answer(shown, self._after, self._before, self.final, starts) or None

    def _is_repeated(self) -> bool:
        """Whether an earlier call was the same and returned the same."""
        same = (self.call.name, self.call.arguments, self.call.result)
        earlier = self.conversation.calls[: self.number] if self.question is None else ()
        return any((each.name, each.arguments, each.result) == same for each in earlier)

    @cached_property
    def _before(self) -> list[ConversationPart]:
        """The texts before the result, its own arguments included."""
        if self.question is not None:
            return [ConversationPart("given", self.question, 0)]
        assert self.call.place is not None
        return [*self.conversation.parts[: self.call.place]]

    @cached_property
    def _after(self) -> tuple[ConversationPart, ...]:
        assert self.call.place is not None
        return self.conversation.parts[self.call.place + 1 :]

    @cached_property
    def _written(self) -> list[ConversationPart]:
        """What the model wrote after the result, in text or as arguments of a call."""
        return [part for part in self._after if part.kind in ("written", "arguments")]

    @cached_property
    def _earlier(self) -> list[Mention]:
        return [each for part in self._before for each in find_mentions(part.text)]

    @cached_property
    def _others(self) -> list[Mention]:
        """The numbers that the model was given or that other calls returned."""
        parts = self.conversation.parts
        sources = (parts[at] for at in range(len(parts)) if at != self.call.place)
        return [
            each for part in sources if part.kind in ("given", "result") for each in find_mentions(part.text)
        ]


def _pairs(
    written: Sequence[ConversationPart],
    values: Sequence[Mention],
    is_match: Callable[[Mention, Mention], bool],
) -> list[Place]:
    return [
        (part, each)
        for part in written
        for each in find_mentions(part.text)
        if each.digits >= FEWEST_DIGITS and _is_any(is_match, each, values)
    ]


def _is_any(is_match: Callable[[Mention, Mention], bool], shown: Mention, values: Sequence[Mention]) -> bool:
    return any(is_match(shown, value) for value in values)


def _find_equation(text: str, start: int) -> tuple[int, int] | None:
    """Return the place after the first equals sign of three lines, and their end; None without the sign."""
    lines = _THREE_LINES.match(text, start)
    equals = text.find("=", start, lines.end()) if lines else -1
    return (equals, lines.end()) if lines and equals >= 0 else None


def _mark(shown: Iterable[Place]) -> tuple[TextPlace, ...]:
    return tuple(
        dict.fromkeys(
            TextPlace(part.message, each.text[each.start : each.end].strip()) for part, each in shown
        )
    )


def _find_recovery(traced: SourceUse, later: Sequence[SourceUse], final: Final) -> SourceUse:
    """Add how an attempt recovered from a failed call: by the same tool, another one, or without a tool."""
    if traced.use != "failed":
        return traced
    worked = [each for each in later if each.use != "failed"]
    how: Recovery | None = None
    if any(each.name == traced.name for each in worked):
        how = "by a retry"
    elif any(each.use in ("used", "converted") for each in worked):
        how = "by another tool"
    elif final.right:
        how = "by hand"
    return replace(traced, recovered=how)
