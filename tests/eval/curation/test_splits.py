"""Splits: groups are not divided, levels have their shares, and the same seed gives the same bytes."""

import json
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.errors import InvalidData
from ansatz.eval.curation.splits import PARTS, parse_ratio, split_problems, write_split
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.problem_files import dump, load
from tests.eval.curation.corpus import sound_problems

TARGETS = (NumberTarget(name="q", unit="-", weight=1, value=1.0),)


def problem(number, family, level="L1", **metadata):
    tags = {"level": level, **{f"metadata.{name}": value for name, value in metadata.items()}}
    return Problem(
        id=f"i{number}", family=family, benchmark="items", question="Find q.", targets=TARGETS, tags=tags
    )


GROUPED = st.lists(
    st.tuples(st.integers(0, 15), st.sampled_from(["L1", "L2", "L3", "L4"])), min_size=20, max_size=80
)


@settings(max_examples=30)
@given(GROUPED, st.integers(0, 10**6))
def test_no_family_is_split_and_order_does_not_matter(drawn, seed):
    problems = [problem(number, f"f{family}", level) for number, (family, level) in enumerate(drawn)]
    if len({one.family for one in problems}) < 3:
        return
    made = split_problems(problems, seed)
    parts = {}
    for one in problems:
        [part] = [part for part in PARTS if one.id in made.ids(part)]
        parts.setdefault(one.family, set()).add(part)
    assert all(len(found) == 1 for found in parts.values())
    assert set.union(*parts.values()) == set(PARTS)
    shuffled = random.Random(seed).sample(problems, len(problems))
    assert split_problems(shuffled, seed).manifest() == made.manifest()


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ratio", [(0.6, 0.2, 0.2), (0.8, 0.1, 0.1)])
def test_every_level_keeps_its_shares(seed, ratio):
    made = split_problems(sound_problems(), seed, ratio)
    families = Counter(level for _, level in {(one.family, one.tags["level"]) for one in sound_problems()})
    for level, shares in made.shares().items():
        # A family is in one part as a whole, so a share is exact to within one family of the level.
        slack = 1.5 / families[level] if level in families else 0.02
        assert [shares[part] for part in PARTS] == pytest.approx(ratio, abs=slack), level


def test_chapters_and_families_form_groups():
    problems = [
        problem(0, "a", chapter="3"),
        problem(1, "b", chapter="3"),
        problem(2, "b", chapter="4"),
        problem(3, "c", source="S", chapter="3"),
        problem(4, "d", source="T"),
        problem(5, "e", source="T"),
    ]
    group = {item["id"]: item["group"] for item in split_problems(problems, 0).items}
    assert group["i0"] == group["i1"] == group["i2"] == "a"
    assert group["i3"] == "c" and group["i4"] == group["i5"] == "d"


def test_too_few_groups_and_bad_ratios_are_refused():
    with pytest.raises(InvalidData, match="2 groups of items that share a source cannot fill 3 parts"):
        split_problems([problem(0, "a"), problem(1, "b")], 0)
    for text in ("60/20", "60/20/x", "80/20/0", "nan/1/1"):
        with pytest.raises(InvalidData, match="is not three shares such as 60/20/20"):
            parse_ratio(text)
    assert parse_ratio("80/10/10") == parse_ratio("80,10,10") == (80, 10, 10)


def test_files_are_reproducible_and_contain_every_line_once(tmp_path):
    source = tmp_path / "items.jsonl"
    dump(sound_problems()[:90], str(source))
    for name in ("one", "two"):
        problems = load(source)
        made = split_problems(problems, 7, (3, 1, 1))
        write_split(made, problems, source, tmp_path / name)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()
    lines = [line for part in PARTS for line in (tmp_path / "one" / f"{part}.jsonl").read_text().splitlines()]
    assert sorted(lines) == sorted(source.read_text().splitlines())
    written = json.loads((tmp_path / "one" / "split_manifest.json").read_text())
    assert {each["id"]: each["split"] for each in written["items"]} == {
        one.id: part for part in PARTS for one in load(str(tmp_path / "one" / f"{part}.jsonl"))
    }
    assert written["seed"] == 7 and written["ratio"] == [0.6, 0.2, 0.2]


def test_rows_of_a_table_become_lines(tmp_path):
    """A question with a line feed is one row of several lines."""
    rows = [f'"How much\nis {n}?";{n} m;{n}' for n in range(1, 10)]
    source = tmp_path / "items.csv"
    source.write_text("\n".join(["question;answer;metadata.page", *rows]))
    problems = load(source)
    write_split(split_problems(problems, 7, (1, 1, 1)), problems, source, tmp_path / "parts")
    found = [each for part in PARTS for each in load(tmp_path / "parts" / f"{part}.jsonl")]
    assert sorted(found, key=lambda each: each.id) == sorted(problems, key=lambda each: each.id)
