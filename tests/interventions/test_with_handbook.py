"""A handbook as a switch: passages before the question, identity by content, control arms, the report."""

import pytest

import ansatz as az
from ansatz.agents.slide_rule.conversation import split_notes
from ansatz.experiments.report import handbook_chapter, tool_chapter
from ansatz.experiments.report.handbook_chapter import is_citation
from ansatz.interventions import with_handbook
from ansatz.interventions.with_handbook import make_handbook_tool

PARTS = [
    ("Pumps", "The pump P-17 has an efficiency of 0.734 at its design flow."),
    ("Valves", "The relief valve V-2 opens at 4.71 bar and closes at 4.22 bar."),
    ("Fans", "The fan F-3 turns at 1450 rpm at most, and needs a grease change every year."),
    ("Boilers", "The boiler B-1 makes 12 tonnes of steam an hour at 10 bar."),
    ("Tanks", "The tank T-9 holds 80 cubic metres of water with a level alarm."),
    ("Pipes", "The pipe between the tank and the pump is 220 m long, with a bore of 150 mm."),
]
QUESTION = "At which pressure does the relief valve V-2 open?\nReport your answer as:\np = ___ bar"


@pytest.fixture
def manual(tmp_path, monkeypatch):
    monkeypatch.setenv("ANSATZ_CACHE", str(tmp_path / "cache"))
    text = "\n\n".join(f"## {title}\n\n{text}" for title, text in PARTS)
    (tmp_path / "manual.md").write_text(f"# Works rules\n\n{text}\n", encoding="utf-8")
    return tmp_path / "manual.md"


@pytest.fixture
def kitchen(tmp_path):
    parts = [
        ("Bread", "Bake it for 45 minutes."),
        ("Soup", "Simmer it for two hours."),
        ("Cake", "Take four eggs."),
    ]
    text = "\n\n".join(f"## {title}\n\n{text}" for title, text in parts)
    (tmp_path / "kitchen.md").write_text(text, encoding="utf-8")
    return tmp_path / "kitchen.md"


def sections(switch, question=QUESTION):
    return [passage.section.removeprefix("Works rules > ") for passage in switch.find_passages(question)]


def test_passages_and_the_two_controls(manual, kitchen):
    """A control shows as many passages as the handbook: unrelated ones, or those of another handbook."""
    switch = az.WithHandbook(manual, top=2, other=kitchen)
    controls = switch.make_controls()
    assert sections(switch)[0] == "Valves"
    assert "Valves" not in sections(controls["placebo"]) and len(sections(controls["placebo"])) == 2
    assert set(sections(controls["wrong_handbook"])) < {"Bread", "Soup", "Cake"}
    outside = "Who won the football match on Sunday?"
    assert [sections(each, outside) for each in (switch, *controls.values())] == [[], [], []]


def test_progress_is_logged_only_while_indexing(manual, monkeypatch, caplog):
    monkeypatch.setattr(with_handbook, "_LOG_SECONDS", -1.0)
    with_handbook.open_handbook(manual)
    assert "passages encoded" in caplog.messages[-1]
    caplog.clear()
    with_handbook._open_state.cache_clear()  # as in a new process
    with_handbook.open_handbook(manual)
    assert not any("encoded" in line for line in caplog.messages)


def test_identity_is_that_of_the_content(manual, kitchen):
    before = az.WithHandbook(manual).identity
    assert az.WithHandbook(manual, controls=False, other=kitchen).identity == before
    copy = manual.rename(manual.parent / "cache.txt").rename(manual)  # the same content at another time
    assert az.WithHandbook(copy).identity == before != az.WithHandbook(manual, top=3).identity
    manual.write_text(manual.read_text(encoding="utf-8").replace("4.71", "4.72"), encoding="utf-8")
    assert az.WithHandbook(manual).identity != before


def test_a_study_gets_control_arms_and_a_chapter(manual, kitchen, tmp_path):
    file = tmp_path / "study.yaml"
    file.write_text(
        "name: pages\nmodels: [offline:slide-rule]\nproblems: [{benchmark: file, settings: {path: problems.jsonl}}]\n"
        "arms:\n  pages: {handbook: {path: manual.md, other: kitchen.md}}\nscorers: [outcome]\n",
        encoding="utf-8",
    )
    (tmp_path / "problems.jsonl").write_text(
        '{"id": "a", "question": "At which pressure in bar does the relief valve V-2 open?", "answer": "4.71 bar"}\n'
        '{"id": "b", "question": "Which wine suits grilled salmon?", "answer": "1"}\n'
    )
    study = az.Study.from_yaml(file)
    assert list(study.arms) == ["baseline", "pages", "pages_placebo", "pages_wrong_handbook"]
    run = study.run(tmp_path / "run", progress=False)
    [section] = handbook_chapter.chapter(run.results).sections
    assert [row[2] for row in section.tables[0].rows] == [1, 1, 1]  # retrieved
    assert any("Valves" in row[0] for row in section.tables[1].rows)
    funnel = tool_chapter.chapter(run.results).sections[0]
    assert all("gave passages in 1 of 2 attempts" in line for line in funnel.findings)


@pytest.mark.parametrize(
    ("text", "source", "cites"),
    [
        ("manual.pdf, page 41", "manual.pdf, page 41: 3 Heat > 3.2 Radiation", True),
        ("manual.pdf, p. 41", "manual.pdf, page 41", True),
        ("manual.pdf, page 4", "manual.pdf, page 41: 3 Heat", False),
        ("manual.pdf, page 7: 41 Pumps", "manual.pdf, page 41: 3 Heat", False),
        ("notes.md: Valves", "notes.md: Works rules > Valves", True),
        ("notes.md: Pumps", "notes.md: Works rules > Valves", False),
    ],
)
def test_citations_name_file_and_page_or_section(text, source, cites):
    assert is_citation(text, source) is cites


def test_the_offline_model_takes_passages_for_notes():
    passage = "[manual.md, page 3: Flow]\nThe flow is 3 kg/s."
    assert split_notes(f"Handbook passages:\n\n{passage}\n\nWhat is the flow?")[1] == "What is the flow?"


async def test_tool_and_retriever_search_the_handbook(manual):
    tool = make_handbook_tool(manual)
    assert "4.71 bar" in await tool.ainvoke({"question": QUESTION})
    document = az.WithHandbook(manual).as_retriever().invoke(QUESTION)[0]
    assert document.metadata["section"] == "Works rules > Valves" and document.metadata["file"] == "manual.md"
