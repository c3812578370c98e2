"""Parts of a study page. Every number on a page is computed from the run that it shows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path

from PIL import Image

import ansatz as az
from ansatz.eval.statistics import PairedDelta
from ansatz.experiments.report.ranking import rank_systems
from ansatz.experiments.results import Estimate, Results, Subset, System

from .published import Published

ROOT = Path(__file__).parents[2]
STUDIES, PICTURES = ROOT / "docs" / "studies", ROOT / "docs" / "pictures"
TEMPLATES = Path(__file__).with_name("pages")


def points(share: float | None) -> str:
    """Format a share of 1 as points of 100."""
    return "–" if share is None else f"{100 * share:.1f}"


def change(found: Estimate | None) -> str:
    """Format a difference in points with its interval, and a star if it is significant."""
    if found is None or found.value is None:
        return "–"
    star = "*" if found.is_significant else ""
    ends = (
        "" if found.low is None or found.high is None else f" [{_signed(found.low)}, {_signed(found.high)}]"
    )
    return f"{_signed(found.value)}{star}{ends}"


def judged(found: Estimate | None) -> str:
    """Format a difference in points with the verdict on it."""
    clear = found is not None and found.is_significant
    return f"{change(found).replace('*', '')} points ({'significant' if clear else 'not significant'})"


def _signed(share: float) -> str:
    return f"{100 * share:+.1f}".replace("-", "−").replace("+0.0", "0.0").replace("−0.0", "0.0")


def with_interval(found: Estimate) -> str:
    """Format a mean in points with its interval."""
    ends = "" if found.low is None else f" [{points(found.low)}, {points(found.high)}]"
    return f"{points(found.value)}{ends}"


def mean(subset: Subset, dimension: str = "score") -> Estimate:
    """Return the mean of a dimension over problems."""
    return subset.estimate_mean(subset.data.values(dimension))


def differences(
    data: Results, compared: Mapping[Hashable, tuple[Subset, Subset]], dimension: str = "score"
) -> dict[Hashable, Estimate | None]:
    """Compare pairs of subsets on a dimension; intervals and p hold for all of them at once."""
    deltas: dict[Hashable, PairedDelta | None] = {
        key: one.difference_from(other, data.values(dimension)) for key, (one, other) in compared.items()
    }
    return data.estimate_deltas(deltas)


def rank_arms(data: Results) -> dict[str, str]:
    """Return the range of each arm's rank on the first dimension."""
    found = rank_systems(data, data.dimensions[0])
    return {
        system.arm: f"{rank.low:g}–{rank.high:g}".replace("–", " to ") for system, (_, rank) in found.items()
    }


def against_baseline(data: Results, dimension: str = "score") -> dict[System, Estimate | None]:
    """Compare each arm with the baseline of its model, as the report of the run does."""
    pairs = {each.system: (each, each.control) for each in data.subsets() if not each.is_baseline}
    return differences(data, pairs, dimension)  # type: ignore[arg-type, return-value]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table whose first column is text and whose others are numbers."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def describe_size(data: Results) -> str:
    """State the numbers of problems and families."""
    return f"{len(data.problem_list):,} problems in {len(set(data.family.tolist())):,} families"


def _describe_source(published: Published) -> str:
    """State where the scores come from, under which licence, and the commands that make scores and page."""
    address, name = f"https://github.com/{published.repository}", published.name
    source = (
        f"{published.citation}. The scores are from [{published.repository}]({address}) at commit "
        f"`{published.commit[:12]}`, licence: {published.licence}. {published.fields} Ansatz includes the "
        f"scores in `examples/published/{name}.csv`, and no text of questions or answers."
    )
    return f"""## Source

{source}

```sh
git clone {address} /tmp/{name}
python -m examples.published {name} --clone /tmp/{name}   # scores, then this page
python -m examples.published {name}   # this page, from the scores in the repository
```"""


def write(published: Published, run: az.Run, page: str, **parts: str | int) -> Path:
    """Write a page of docs/studies, and the picture of its run.

    Parameters:
        published: The set, whose name is that of the template in `pages/`.
        run: The run that the page shows.
        page: The name of the page.
        parts: What the template names in braces, apart from `picture` and `source`.
    """
    picture = PICTURES / f"published-{published.name}.png"
    picture.parent.mkdir(exist_ok=True)
    run.plot().savefig(picture)
    Image.open(picture).convert("RGB").quantize(128).save(picture, optimize=True)
    template = (TEMPLATES / f"{published.name}.md").read_text(encoding="utf-8")
    path = STUDIES / f"{page}.md"
    filled = template.format(
        picture=f"../pictures/{picture.name}", source=_describe_source(published), **parts
    )
    path.write_text(filled, encoding="utf-8")
    return path
