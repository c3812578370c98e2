"""Every attack of the corpus is contained, and defeats its unprotected control."""

import re
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from tests.sandbox.containment_corpus import Attack, load
from tests.sandbox.containment_judge import Judge
from tests.sandbox.containment_machine import current_user, offered, ordinary_user
from tests.sandbox.containment_runners import refusal_of

pytestmark = pytest.mark.long

CORPUS = load()
LEVELS = ("full", "landlock", "filter")
OTHERS = [  # attacks on one level by one user share a process, and so a worker
    pytest.param(level, user, marks=pytest.mark.xdist_group(f"attacks {level} {user}"), id=f"{level}-{user}")
    for level in LEVELS
    for user in ("current", "ordinary")
    if (level, user) != ("full", "current")
]


@pytest.fixture(scope="module")
def judges():
    """One judge for each runner and user, shared by its attacks."""
    kept = {}

    def judge(runner: str, user: str = "current") -> Judge:
        if (runner, user) not in kept:
            while kept:
                kept.popitem()[1].__exit__()
            try:
                kept[runner, user] = Judge(
                    runner, ordinary_user(Path(folder)) if user == "ordinary" else current_user()
                )
            except LookupError as reason:
                pytest.skip(str(reason))
        return kept[runner, user]

    with tempfile.TemporaryDirectory() as folder:  # pytest's own is closed to other users
        yield judge
        while kept:
            kept.popitem()[1].__exit__()


@pytest.mark.slow
@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(
            attack,
            marks=pytest.mark.xdist_group(f"attacks {attack.control}"),
            id=f"{attack.control}-{attack.id}",
        )
        for attack in sorted(CORPUS, key=lambda attack: attack.control)
    ],
)
def test_attack_succeeds_without_isolation(judges, attack):
    """An attack that fails where nothing protects would prove nothing where something does."""
    if missing := attack.needs - offered():
        pytest.skip(f"this machine and user do not offer {', '.join(sorted(missing))}")
    assert judges(attack.control).judge(attack)


@pytest.mark.parametrize("attack", CORPUS, ids=lambda attack: attack.id)
def test_attack_is_contained(judges, attack):
    _assert_contained(judges, "full", "current", attack)


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
def test_judge_detects_an_escape(judges, id, seen):
    [attack] = [each for each in CORPUS if each.id == id]
    assert re.search(seen, "; ".join(judges("plain").judge(attack)))


@pytest.mark.slow
@pytest.mark.parametrize("attack", CORPUS, ids=lambda attack: attack.id)
@pytest.mark.parametrize(("level", "user"), OTHERS)
def test_attack_is_contained_at_every_level_and_user(judges, level, user, attack):
    _assert_contained(judges, level, user, attack)


@pytest.mark.parametrize(
    "level", ["full", *(pytest.param(each, marks=pytest.mark.slow) for each in LEVELS[1:])]
)
def test_no_process_remains_after_the_sandbox_ends(level):
    if refusal := refusal_of(level):
        pytest.skip(f"{level}: {refusal}")
    with Judge(f"sandbox:{level}", current_user()) as judge:
        assert judge.judge(next(attack for attack in CORPUS if attack.id == "processes/daemon")) == []
        assert judge.stop() == []


def _assert_contained(judges, level: str, user: str, attack: Attack) -> None:
    if refusal := refusal_of(level):
        pytest.skip(f"{level}: {refusal}")
    reasons = judges(f"sandbox:{level}", user).judge(attack)
    if why := attack.known.get(level):
        secrets = [reason for reason in reasons if "'key'" in reason or "'answer'" in reason]
        assert not secrets, f"known to escape ({why}), but never with these"
    else:
        assert not reasons, f"{attack.contained} But: {'; '.join(reasons)}"


def test_corpus_is_wide_with_few_known_escapes():
    counted = Counter(attack.category for attack in CORPUS)
    assert sum(counted.values()) >= 110
    assert min(counted.values()) >= 10
    assert counted.keys() == {
        "secrets", "files", "network", "processes", "signals", "resources", "integrity", "persistence",
    }  # fmt: skip
    assert sum(bool(attack.known) for attack in CORPUS) <= 4
    assert {attack.control for attack in CORPUS if attack.because} == {"exec"}
    assert all(attack.because for attack in CORPUS if attack.control == "exec")
