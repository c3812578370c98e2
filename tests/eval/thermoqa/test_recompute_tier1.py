"""The published property key recomputed within 0.2 %, and the command that prints it."""

import json

import pytest

from ansatz.eval.benchmarks.thermoqa.recompute import LIMITS, compare, main
from tests.eval.thermoqa.cases import DATA, PUBLISHED, objects

QUESTION = {
    "id": "Q-1",
    "tier": 1,
    "given": {"fluid": "Water", "P_kPa": 1000.0},
    "expected": {
        "h_g_kJ_kg": {"value": 2777.1, "unit": "kJ/kg"},  # Cengel and Boles, table A-5
        "T_sat_C": {"value": 179.88, "unit": "C"},
        "s_g_kJ_kgK": {"value": 7.5850, "unit": "kJ/(kg*K)"},  # the table has 6.5850
    },
}


def write(folder, question):
    file = folder / "questions.jsonl"
    file.write_text(json.dumps(question) + "\n", encoding="utf-8")
    return str(file)


@PUBLISHED
def test_every_published_value_is_reproduced():
    items = [item for row in objects("tier1-questions.jsonl") for item in compare(row)]
    assert len(items) == 290
    assert [item for item in items if not item.agrees] == []
    assert max(item.deviation for item in items) < 1e-3


@PUBLISHED
def test_the_command_accepts_the_published_files(capsys):
    assert main([str(DATA / "tier1-questions.jsonl"), str(DATA / "tier2-questions.jsonl")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" (")[0] for line in lines if line.startswith("tier")] == [
        "tier 1: 290 values, 290 within 0.2%",
        "tier 2: 748 values, 744 within 0.5%",
    ]
    assert sum("published with four decimals" in line for line in lines) == 4


def test_a_wrong_key_is_found_and_fails_the_command(tmp_path, capsys):
    agreeing = {item.key: item.agrees for item in compare(QUESTION)}
    assert agreeing == {"h_g_kJ_kg": True, "T_sat_C": True, "s_g_kJ_kgK": False}
    assert main([write(tmp_path, QUESTION)]) == 1
    printed = capsys.readouterr().out
    assert "Q-1 s_g_kJ_kgK: published 7.585, ours 6.585" in printed
    assert "NOT EXPLAINED" in printed
    assert "tier 1: 3 values, 2 within 0.2%" in printed


def test_a_wrong_phase_deviates_without_bound():
    row = {
        **QUESTION,
        "given": {"fluid": "Water", "T_C": 400.0, "P_kPa": 1000.0},
        "expected": {"phase_name": {"value": "supercritical", "type": "exact_match"}},
    }
    [item] = compare(row)
    assert (item.ours, item.deviation, item.agrees) == ("superheated_vapor", float("inf"), False)


def test_json_holds_every_item(tmp_path, capsys):
    assert main([write(tmp_path, QUESTION), "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [row["key"] for row in rows] == list(QUESTION["expected"])
    assert {row["limit"] for row in rows} == {LIMITS[1]}


@pytest.mark.parametrize("content", ["{", '{"tier": 1}'])
def test_a_file_that_cannot_be_read_is_named(tmp_path, capsys, content):
    file = tmp_path / "bad.jsonl"
    file.write_text(content, encoding="utf-8")
    assert main([str(file)]) == 2
    assert f"{file}:1: " in capsys.readouterr().err
    assert main([str(tmp_path / "absent.jsonl")]) == 2
