"""Problems from CSV and Parquet files, frames and datasets: columns, cells, and one line per bad row."""

import json
import math
import sys
from datetime import date
from decimal import Decimal

import numpy
import polars
import pytest

from ansatz.errors import InvalidData
from ansatz.eval import problem_files
from ansatz.eval.problem import ChoiceTarget, LabelTarget, NumberTarget
from ansatz.eval.problem_files import problems

PUMP = "A pump lifts 12 L/s of water by 9 m, at 70 %. Shaft power?"
POWER = NumberTarget(name="answer", unit="kW", value=1.51)


def write(tmp_path, text, name="problems.csv", encoding="utf-8"):
    file = tmp_path / name
    file.write_bytes(text.encode(encoding))
    return file


def faults(source, fields=None):
    with pytest.raises(InvalidData) as raised:
        problems(source, fields)
    return str(raised.value).splitlines()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "^"])
def test_csv_with_any_delimiter(tmp_path, delimiter, end, encoding):
    rows = [
        ["id", "question", "answer", "family"],
        ["p", f'"{PUMP}"', "1.51 kW", ""],
        [],
        ["q", "Flöw?", "wet", "f"],
    ]
    text = end.join(delimiter.join(row) for row in rows)
    pump, flow = problems(write(tmp_path, text, encoding=encoding))
    assert (pump.id, pump.family, pump.question, pump.targets) == ("p", "p", PUMP, (POWER,))
    assert (flow.question, flow.family, flow.targets) == (
        "Flöw?",
        "f",
        (LabelTarget(name="answer", value="wet"),),
    )


@pytest.mark.parametrize("terminal", [True, False])
def test_a_slow_file_is_counted_on_a_terminal(tmp_path, monkeypatch, capsys, terminal):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(problem_files, "_SECONDS_BEFORE_PROGRESS", 0)
    file = write(tmp_path, "question,answer\nWarm?,yes\nCold?,no\nWet?,no\n")
    assert len(problems(file)) == 3
    assert ("problems.csv: 2 problems read" in capsys.readouterr().err) is terminal


def test_csv_cells_are_numbers_objects_and_parts_of_fields(tmp_path):
    text = """Question,value,unit,tolerance,domains,options.A,options.B,answer,given,metadata.page,tags.source
"How
much?",4.2e3,W,5 %,heat,,,,"[{""name"": ""T"", ""value"": 300, ""unit"": ""K""}]",12,book
"{Drag}?",,,,"[""flow"", ""drag""]",rises,falls,B,,,
"""
    loss, drag = problems(write(tmp_path, text))
    assert loss.question == "How\nmuch?" and loss.givens[0].value == 300
    assert loss.targets == (NumberTarget(name="answer", unit="W", value=4200, tolerance={"relative": 0.05}),)
    assert loss.tags == {"domains": ("heat",), "metadata.page": "12", "source": "book"}
    assert drag.targets == (ChoiceTarget(name="answer", value="B", options={"A": "rises", "B": "falls"}),)
    assert drag.question == "{Drag}?" and drag.tags == {"domains": ("flow", "drag")}


def test_every_bad_row_of_a_csv_is_one_line(tmp_path):
    file = write(
        tmp_path,
        """question,target,value,unit,level
"Two
lines?",,1,kmm,L2
Flow?, wet, too, many, L1, cells
Power?,12 kWw,,,
Power?,12 kW,,,L9
Letter?,B,,,
Number?,,x,m,
,3 m,,,
Fine?,3 m,,,
Short?,3 m
Long?,3 m,,,,,
"Open?,3 m
""",
    )
    found = faults(file, {"answer": "target"})
    assert [line.removeprefix(f"{file}:").partition(":")[::2] for line in found] == [
        ("2", " unit: unit 'kmm' cannot be read: unknown 'kmm'; did you mean 'mm'? (valid: m, s, kg, K, Pa, kPa, MPa, bar, J, kJ, MJ, W, …)"),
        ("4", " has 6 cells, but there are 5 columns; put a text with ',' in double quotes"),
        ("5", " target: unit 'kWw' cannot be read: unknown 'kWw'; did you mean 'kW'? (valid: m, s, kg, K, Pa, kPa, MPa, bar, J, kJ, MJ, W, …)"),
        ("6", " level: 'L9' is not valid; did you mean 'L4'? (valid: L1, L2, L3, L4)"),
        ("7", " target: 'B' is a letter without `options`; add them, or write {\"kind\": \"label\", \"value\": \"B\"}"),
        ("8", " value: must be a number, not 'x'"),
        ("9", " question: is missing"),
        ("13", " not CSV: unexpected end of data; is a double quote missing?"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fields", "message"),
    [
        (" \n", None, "problems.csv: is empty"),
        ("How much is 2+2 m?,4 m\n", None, "problems.csv: there is no column 'question' (columns: How much is 2+2 m?, 4 m); name it by fields={\"question\": \"<column>\"}; a file needs a heading"),
        ("input;target\na;1 m", None, "problems.csv: there is no column 'question' (columns: input, target); name it"),
        ("input,target\na,1 m", {"question": "imput"}, "problems.csv: fields.question: there is no column 'imput'; did you mean 'input'?"),
        ("input,target\na,1 m", {"qestion": "input"}, "fields: 'qestion' is no field of a problem; did you mean 'question'?"),
        ("question,answer,question\n", None, "problems.csv:1: there are two columns 'question'; rename one"),
        ("question,answer,levl\na,1 m,L1", None, "problems.csv:2: levl: there is no such field; did you mean 'level'?"),
        ("question,answer\n", None, "problems.csv: there is no problem in it"),
        ('"question', None, "problems.csv:1: not CSV: "),
    ],
    ids=range(9),
)  # fmt: skip
def test_a_table_that_cannot_be_used_is_one_line(tmp_path, monkeypatch, text, fields, message):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, text)
    [line] = faults("problems.csv", fields)
    assert line.startswith(message)


def test_columns_without_a_field_are_metadata_and_named(caplog):
    row = {
        "question": PUMP,
        "answer": "1.51 kW",
        "question_id": 7,
        "note": "a",
        "seen": date(2026, 1, 2),
        "parts": [1],
    }
    first, second = problems([row, {**row, "question": "?", "text": "b"}])
    assert first.tags == {
        "metadata.question_id": "7",
        "metadata.note": "a",
        "metadata.seen": "2026-01-02",
        "metadata.parts": "[1]",
    }
    assert second.tags["metadata.text"] == "b"
    assert caplog.messages == ["problems: stored as metadata: question_id, note, seen, parts, text"]


def test_parts_join_their_field_and_nothing_is_overwritten():
    notes = {"page": 3}
    row = {
        "question": PUMP,
        "answer": "1.51 kW",
        "metadata": notes,
        "metadata.room": "b",
        7: "c",
        "family": 12,
    }
    [problem] = problems([row])
    assert problem.tags == {"metadata.page": "3", "metadata.room": "b", "metadata.7": "c"}
    assert problem.family == "12" and notes == {"page": 3}
    for lost in ({"page": 4}, {"metadata.page": 4}):
        [line] = faults([{**row, **lost}])
        assert line.startswith("problems[0]: metadata.page: there is no such field")


def test_fields_name_columns_and_free_the_names_they_replace():
    rows = [{"input": PUMP, "target": "1.51 kW", "answer": "see page 3", "level": "hard"}]
    [problem] = problems(rows, fields={"question": "input", "answer": "target", "metadata.level": "level"})
    assert problem.targets == (POWER,)
    assert problem.tags == {"metadata.level": "hard", "metadata.answer": "see page 3"}


class Pandas(list):
    """As pandas.DataFrame gives its rows: a missing cell is NaN."""

    columns = property(lambda self: list(self[0]))

    def itertuples(self, index, name):
        assert (index, name) == (False, None)
        return (tuple(math.nan if cell is None else cell for cell in row.values()) for row in self)


class Classes:
    """As datasets.ClassLabel names the numbers of a column."""

    def int2str(self, number):
        return ("L1", "L2")[number]


class Dataset(list):
    """As a Hugging Face Dataset gives its rows: a class is a number."""

    features = {"level": Classes(), "question": None}  # noqa: RUF012 - as the library has it
    column_names = property(lambda self: list(self[0]))

    def __iter__(self):
        return ({**row, "level": {"L1": 0, None: None}[row["level"]]} for row in super().__iter__())


@pytest.fixture(params=["polars", "lazy", "pandas", "dataset", "splits", "parquet"])
def make_table(request, tmp_path):
    """Return a function that makes a table of rows."""

    def parquet(rows):
        polars.DataFrame(rows).write_parquet(tmp_path / "problems.parquet")
        return tmp_path / "problems.parquet"

    makers = {
        "polars": polars.DataFrame,
        "lazy": polars.LazyFrame,
        "pandas": Pandas,
        "dataset": Dataset,
        "splits": lambda rows: {"train": Dataset(rows)},
        "parquet": parquet,
    }
    return makers[request.param]


def test_rows_of_frames_and_datasets_are_problems(make_table):
    target = {"name": "P", "value": 2.0, "unit": "-", "tolerance": {"relative": 0.05, "absolute": None}}
    rows = [
        {
            "id": 7,
            "question": PUMP,
            "value": numpy.float64(1.51),
            "unit": "kW",
            "level": "L1",
            "targets": None,
        },
        {"id": 8, "question": "Another?", "value": None, "unit": None, "level": None, "targets": [target]},
    ]
    first, second = problems(make_table(rows))
    assert (first.id, first.targets[0].value, first.tags) == ("7", 1.51, {"level": "L1"})
    assert (second.id, second.targets[0].unit, second.tags) == ("8", "-", {})
    assert second.targets[0].tolerance.relative == 0.05


def test_a_bad_row_of_a_table_is_named(make_table):
    [line] = faults(make_table([{"question": PUMP, "value": 1.0, "unit": "kmm", "level": "L1"}]))
    assert (
        line.startswith(("problems[0]: unit: ", "problems.parquet: row 1: unit: "))
        or ": row 1: unit: " in line
    )


def test_a_dataset_with_several_splits_is_refused():
    splits = {"train": Dataset([{"question": PUMP}]), "test": Dataset([{"question": PUMP}])}
    assert faults(splits) == [
        "problems: the dataset has the splits train, test; choose one, as dataset['train']"
    ]


def test_a_decimal_is_a_number():
    [problem] = problems(polars.DataFrame({"question": [PUMP], "value": [Decimal("1.51")], "unit": ["kW"]}))
    assert problem.targets == (POWER,)


def test_numbers_of_numpy_are_numbers_in_lists_and_dicts():
    pair, row = problems([("Pairs?", numpy.int64(3)), {"question": "Rows?", "answer": numpy.float32(0.5)}])
    assert (pair.targets[0].value, row.targets[0].value) == (3, 0.5)


def test_a_comma_that_may_be_decimal_is_refused(tmp_path):
    file = write(tmp_path, "question;Wert\nLong?;1,510 kW\nMany?;1,510,000 W\nPart?;0.510 kW\n")
    assert faults(file, {"answer": "Wert"}) == [
        f"{file}:2: Wert: '1,510 kW' may be 1.510 kW or 1510 kW; write one of them"
    ]
    file = write(tmp_path, 'question,answer\nLong?,"1,510 kW"\n')
    assert problems(file)[0].targets[0].value == 1510


def test_decimal_commas_of_other_rows_show_the_decimal_sign(tmp_path):
    file = write(tmp_path, "question;value;unit\nLong?;1,510;kW\nPart?;2,5;kW\n")
    assert [each.targets[0].value for each in problems(file)] == [1.51, 2.5]


def test_a_missing_file_names_a_similar_one(tmp_path):
    write(tmp_path, "question,answer\n", "aufgaben.csv")
    for missing in ("aufgabe.csv", "aufgaben.tsv"):
        [line] = faults(tmp_path / missing)
        assert line.endswith("No such file or directory; did you mean 'aufgaben.csv'?")


def test_a_json_list_is_read_and_a_spreadsheet_is_refused(tmp_path):
    text = json.dumps([[PUMP, "1.51 kW"], {"question": "Wet?", "answer": "yes"}], indent=1)
    assert [each.targets[0].kind for each in problems(write(tmp_path, text, "p.json"))] == ["number", "label"]
    assert faults(write(tmp_path, '["Why?"]', "p.json")) == [
        f"{tmp_path}/p.json[0]: must be an object or a pair, not a text"
    ]
    assert faults(write(tmp_path, "[1,\n", "q.json"))[0].startswith(f"{tmp_path}/q.json:2: not JSON")
    assert faults(write(tmp_path, "PK", "p.xlsx")) == [f"{tmp_path}/p.xlsx: is a spreadsheet; save it as CSV"]


def test_a_file_that_is_not_parquet_is_one_line(tmp_path):
    [line] = faults(write(tmp_path, "question", "problems.parquet"))
    assert ": not Parquet: " in line
    [missing] = faults(tmp_path / "none.parquet")
    assert missing.startswith(f"{tmp_path}/none.parquet: No such file or directory")
