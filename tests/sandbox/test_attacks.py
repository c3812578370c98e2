"""Every attack of the corpus is contained, judged from outside, and each defeats the unprotected control."""

import re
from collections import Counter

import pytest

from tests.sandbox.containment_corpus import CONTROLS, Attack, CorpusError, fill, load
from tests.sandbox.containment_judge import Judge
from tests.sandbox.containment_known import KNOWN, lesson
from tests.sandbox.containment_machine import current_user, offered, ordinary_user
from tests.sandbox.containment_runners import refusal_of

CORPUS = load()
LEVELS = ("L3", "L2", "L1")
USERS = {"current-user": False, "ordinary-user": True}
BESIDES = [pytest.param(level, USERS[user], id=f"{level}-{user}") for level in LEVELS for user in USERS][1:]


@pytest.fixture(scope="module")
def judges(tmp_path_factory):
    """One judge for each runner and user, kept while its attacks last."""
    kept = {}

    def judge(runner: str, ordinary: bool) -> Judge:
        if (runner, ordinary) not in kept:
            while kept:
                kept.popitem()[1].__exit__()
            try:
                user = ordinary_user(tmp_path_factory.mktemp("user")) if ordinary else current_user()
            except LookupError as reason:
                pytest.skip(str(reason))
            kept[runner, ordinary] = Judge(runner, user)
        return kept[runner, ordinary]

    yield judge
    while kept:
        kept.popitem()[1].__exit__()


@pytest.mark.parametrize("attack", CORPUS, ids=lambda attack: attack.id)
def test_an_attack_is_contained(judges, attack):
    _assert_contained(judges, "L3", False, attack)


@pytest.mark.parametrize(
    ("id", "seen"),
    [
        ("files/append", "host file .*bashrc was changed"),
        ("network/abstract", "the listener 'abstract' was reached"),
        ("processes/daemon", "processes live on"),
        ("processes/spawn", "1 more processes ran; another program ran: sleep"),
        ("secrets/ancestor_environments", "the output shows the canary 'key'"),
    ],
)
def test_the_judge_sees_what_gets_out(judges, id, seen):
    [attack] = [each for each in CORPUS if each.id == id]
    assert re.search(seen, "; ".join(judges("plain", False).judge(attack).reasons))


@pytest.mark.slow
@pytest.mark.parametrize("attack", CORPUS, ids=lambda attack: attack.id)
@pytest.mark.parametrize(("level", "ordinary"), BESIDES)
def test_an_attack_is_contained_at_every_level_for_every_user(judges, level, ordinary, attack):
    _assert_contained(judges, level, ordinary, attack)


@pytest.mark.slow
@pytest.mark.parametrize(
    "attack", sorted(CORPUS, key=lambda attack: attack.control), ids=lambda attack: attack.id
)
@pytest.mark.parametrize("ordinary", USERS.values(), ids=USERS)
def test_an_attack_defeats_its_control(judges, ordinary, attack):
    """An attack that fails where nothing protects would prove nothing where something does."""
    judge = judges(attack.control, ordinary)
    if missing := attack.needs - offered(judge.user):
        pytest.skip(f"this machine and user do not offer {', '.join(sorted(missing))}")
    assert not judge.judge(attack).contained


@pytest.mark.parametrize(
    "level", ["L3", *(pytest.param(each, marks=pytest.mark.slow) for each in LEVELS[1:])]
)
def test_nothing_is_left_when_the_sandbox_ends(level):
    if refusal := refusal_of(level):
        pytest.skip(f"{level}: {refusal}")
    with Judge(f"sandbox:{level}", current_user()) as judge:
        assert judge.judge(next(attack for attack in CORPUS if attack.id == "processes/daemon")).contained
        assert judge.stop() == []


def _assert_contained(judges, level: str, ordinary: bool, attack: Attack) -> None:
    if refusal := refusal_of(level):
        pytest.skip(f"{level}: {refusal}")
    verdict = judges(f"sandbox:{level}", ordinary).judge(attack)
    if why := lesson(f"sandbox:{level}", attack.id):
        secrets = [reason for reason in verdict.reasons if "'key'" in reason or "'answer'" in reason]
        assert not secrets, f"known to escape ({why}), but never with these"
    else:
        assert verdict.contained, f"{attack.contained} But: {'; '.join(verdict.reasons)}"


def test_the_corpus_is_wide():
    counted = Counter(attack.category for attack in CORPUS)
    assert sum(counted.values()) >= 110
    assert min(counted.values()) >= 10
    assert counted.keys() == {
        "secrets", "files", "network", "processes", "signals", "resources", "integrity", "persistence",
    }  # fmt: skip


def test_what_is_known_to_escape_is_little_and_in_the_corpus():
    ids = {attack.id for attack in CORPUS}
    assert not KNOWN["L3"]
    for level in ("L2", "L1"):
        assert KNOWN[level].keys() <= ids
        assert len(KNOWN[level]) <= 4


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{tries: x, code: pass}", "careless: lacks \\['contained'\\]"),
        ("{tries: x, contained: y, code: pass, needed: root}", "unknown fields \\['needed'\\]"),
        ("{tries: x, contained: y, code: pass, control: exec}", "with 'because' unless plain"),
        ("{tries: x, contained: y, code: pass, needs: [luck]}", "unknown needs \\['luck'\\]"),
    ],
)
def test_a_careless_entry_is_refused(tmp_path, entry, message):
    (tmp_path / "files.yaml").write_text(f"careless: {entry}\n")
    with pytest.raises(CorpusError, match=message):
        load(tmp_path)


def test_an_unknown_placeholder_is_refused():
    with pytest.raises(CorpusError, match="@NOTHING@ is no placeholder; known: TOKEN"):
        fill('print("@NOTHING@")', {"TOKEN": "x"})


def test_every_control_is_used():
    assert {attack.control for attack in CORPUS} == set(CONTROLS)
