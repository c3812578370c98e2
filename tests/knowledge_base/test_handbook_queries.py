"""Files of questions to a handbook."""

import json

import pytest

from ansatz.errors import InvalidData
from ansatz.knowledge_base.handbook import read_queries

QUERIES = {
    '{"id": "a", "question": "x"}\nnot json': "q.jsonl:2: not JSON",
    '{"id": "a", "question": "  "}': "q.jsonl:1: question",
    '{"id": "", "question": "x"}': "q.jsonl:1: id",
    '{"id": true, "question": "x"}': "q.jsonl:1: id",
    '{"id": "a", "Question": "x"}': "did you mean 'Question'",
    '[{"id": "a", "question": "x"}]': "q.jsonl:1: not an object",
    '{"id": 1, "question": "x"}\n\n{"id": "1", "question": "y"}': "q.jsonl:3: id '1' is used before",
    "\n": "has no question",
}


@pytest.mark.parametrize("text", QUERIES)
def test_faults_in_a_file_of_questions(tmp_path, text):
    (tmp_path / "q.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidData) as fault:
        read_queries(tmp_path / "q.jsonl")
    assert QUERIES[text] in str(fault.value) and "\n" not in str(fault.value)


def test_questions_end_with_their_line_only(tmp_path):
    """A line separator inside a question is part of it; a number stays one; a byte order mark is left out."""
    rows = [{"id": 7, "question": "one\u2028two"}, {"id": "b", "question": "three\x85"}]
    text = "\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (tmp_path / "q.jsonl").write_bytes(text.encode("utf-8-sig"))
    assert [(each.id, each.question) for each in read_queries(tmp_path / "q.jsonl")] == [
        (7, "one\u2028two"),
        ("b", "three\x85"),
    ]
