"""The chapter on handbooks: how far passages got, from retrieved over cited and used to a right answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ansatz.agents.transcript import read_text
from ansatz.experiments.attribution.funnel import read_tool_use
from ansatz.experiments.attribution.source_use import SourceUse
from ansatz.experiments.ledger.stored_results import StoredTexts
from ansatz.experiments.report.tables import COUNT, Chapter, Column, Entry, Section, Table, read_notes
from ansatz.experiments.results import Results, System

NOTES = read_notes(__name__)
_SWITCH = "handbook"  # the label of the switch; those of its controls begin with it
_STAGES = ("attempts", "retrieved", "cited", "used", "in answer", "right", "cited elsewhere")
_MOST_PASSAGES = 40  # rows of the table of unused passages
_CITATION = re.compile(r"\[([^\[\]\n]+)\]")
_SOURCE = re.compile(r"(?P<file>.+?)(?:, page (?P<page>\d+))?(?:: (?P<section>.*))?")


@dataclass
class _Counts:
    """Attempts by stage, and what became of each passage, of one model and arm."""

    stages: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    """By source of a passage: the attempts that it was shown in."""
    helped: set[str] = field(default_factory=set)
    """The sources that an attempt cited or used."""

    def add(self, passages: Sequence[SourceUse], answer: str) -> None:
        """Count one attempt."""
        citations = _CITATION.findall(answer)
        cited = {each.name for each in passages if any(is_citation(text, each.name) for text in citations)}
        used = {each.name for each in passages if each.use in ("used", "converted")}
        in_answer = {each.name for each in passages if each.name in used and each.in_answer}
        files = {each.name.partition(",")[0].partition(":")[0] for each in passages}
        elsewhere = [
            text
            for text in citations
            if any(text.startswith(file) for file in files)
            and not any(is_citation(text, each.name) for each in passages)
        ]
        self.stages.update(
            {
                "attempts": 1,
                "retrieved": bool(passages),
                "cited": bool(cited),
                "used": bool(used),
                "in answer": bool(in_answer),
                "right": any(each.right for each in passages if each.name in in_answer),
                "cited elsewhere": bool(elsewhere),
            }
        )
        self.shown.update({each.name for each in passages})
        self.helped |= cited | used


def is_citation(text: str, source: str) -> bool:
    """Whether the text in brackets cites a source: its file, and its page or the title of its section."""
    match = _SOURCE.fullmatch(source)
    if match is None or match["file"] not in text:
        return False
    after = text.partition(match["file"])[2]
    if match["page"]:
        return match["page"] in re.findall(r"\d+", after.partition(":")[0])
    title = (match["section"] or "").rpartition(" > ")[2]
    return title.casefold() in after.casefold()


def chapter(data: Results) -> Chapter | None:
    """Make the chapter on the arms with a handbook or a control of one; None without any."""
    arms = [arm for arm in data.arms if any(map(_is_handbook, data.switches.get(arm, ())))]
    if not arms or not isinstance(data.read_evidence, StoredTexts):
        return None
    counts = _count(data, data.read_evidence, arms)
    columns = [Column("arm"), *(Column(stage, COUNT, better="neither") for stage in _STAGES)]
    rows: list[list[Entry]] = [
        [data.label(system), *(found.stages[stage] for stage in _STAGES)] for system, found in counts.items()
    ]
    caption = f"Attempts by what became of the passages{data.simulation_note}."
    tables = [Table("handbook", caption, columns, rows)]
    if unused := list(_list_unused(data, counts)):
        heads = [Column("arm: passage"), Column("shown", COUNT, better="neither")]
        note = f"Passages that no answer cited or used{data.simulation_note}."
        tables.append(Table("unused_passages", note, heads, unused, _MOST_PASSAGES))
    findings = [_describe(data.label(system), found.stages) for system, found in counts.items()]
    section = Section("From the page to the answer", findings, tables, notes=(NOTES["handbook"],))
    return Chapter("handbook", "What became of the handbook", [section])


def _describe(arm: str, stages: Counter[str]) -> str:
    return (
        f"{arm}: of {stages['attempts']} attempts, {stages['retrieved']} were shown passages, "
        f"{stages['cited']} cited one, {stages['used']} used one, and {stages['right']} reached a right "
        "answer with it"
    )


def _is_handbook(switch: str) -> bool:
    return switch.split("#")[0].startswith(_SWITCH)


def _count(data: Results, texts: StoredTexts, arms: Sequence[str]) -> dict[System, _Counts]:
    uses = read_tool_use(data).uses
    found = {system: _Counts() for system in data.systems if system.arm in arms}
    wanted = np.isin(data.attempts.arm, [data.arms.index(arm) for arm in arms]) & ~data.attempts.failed
    for attempt in texts.attempts(np.flatnonzero(wanted).tolist()):
        row = attempt.row
        passages = [each for each in uses.get(row, ()) if each.kind == "passage" and each.name != "(notes)"]
        written = [
            read_text(message.get("content"))
            for message in attempt.transcript["messages"]
            if message.get("role") == "assistant"
        ]
        model, arm = data.models[data.attempts.model[row]], data.arms[data.attempts.arm[row]]
        found[System(model, arm)].add(passages, "\n".join([*written, attempt.transcript["answer"]]))
    return found


def _list_unused(data: Results, counts: dict[System, _Counts]) -> Iterator[list[Entry]]:
    """Yield passages that were shown but never cited or used, the most shown first."""
    for system, found in counts.items():
        for source, shown in found.shown.most_common():
            if source not in found.helped:
                yield [f"{data.label(system)}: {source}", shown]
