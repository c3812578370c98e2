"""What an answer should speak of: the words of its problem, its results, and where they are reached."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansatz.eval.problem import NumberTarget
from ansatz.eval.rubrics.comparison import quantities
from ansatz.eval.rubrics.passages import Passage
from ansatz.eval.rubrics.prose import words
from ansatz.eval.rubrics.working import RIGHT, Working, close
from ansatz.quantities.scales import convert
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import spelled

_ROUNDED = 0.05  # relative: a sentence gives a result in round numbers
_GENERIC = words(
    "physically meaningful consistent engineering design significant significance reasonable plausible"
    " expected analysis calculation solution context practical important final quantity values results"
    " conditions problem question number report answers physical"
)
_THINGS = words(
    "margin material limit peak shield shielding insulation cooling coolant cooled ablator ablative"
    " ablation boiling"
    " sonic ceramic metal metals alloy alloys tile tiles carbon steel aluminium aluminum titanium nickel"
    " silica quartz"
    " copper graphite structure structural skin vehicle vehicles capsule probe lander spacecraft"
    " satellite aircraft"
    " glider wing nose wall surface body window sensor sensors gauge gauges instrument payload crew tank"
    " propellant"
    " nozzle tunnel facility trajectory entry reentry descent flight orbit altitude load loads stress"
    " force forces drag"
    " lift thrust pressure temperature heat heating flux convective radiative radiation melt melts"
    " melting burn burns"
    " oxidation oxidise survive survives glow glows thermal protection mass weight thickness recession"
    " continuum slip"
    " rarefied laminar turbulent equilibrium frozen chemistry dissociation ionization recombination"
    " catalytic coating"
    " emissivity opaque transparent optical layer shock plasma electrons communication blackout signal"
    " radar subsonic"
    " supersonic hypersonic model theory estimate correlation simulation solver mesh grid test tests"
    " measurement"
    " 热流 热载荷 防热 烧蚀 材料 金属 合金 陶瓷 隔热 冷却 鼻锥 头部 飞行器 返回舱 探测器 航天器 卫星"
    " 机翼 壁面 表面 结构 温度 压力 阻力 升力"
    " 激波 边界层 气体 等离子体 辐射 轨道 弹道 再入 进入 设计 载荷 推力 喷管"
    " 风洞 模型 测量 传感器 误差 稀薄 连续 平衡 冻结"
    " plate plates foil polish coat paint resistance bearing seal hinge flap rudder elevon actuator spar rib"
    " parachute mortar penetrator decelerator balloon missile booster engine intake inlet scramjet turbine"
    " compressor pump valve pipe wire cable electronics battery antenna camera lens mirror spectrometer"
    " radiometer detector photodiode pyrometer thermocouple transducer manometer pitot radiator cryogenic"
    " hydrogen helium fuel oxidizer glass fibre fabric foam cork phenolic tantalum molybdenum tungsten"
    " niobium silicide carbide boron zirconia alumina rubber epoxy adhesive bond joint fastener bolt rivet"
    " gap step drogue chute oblique wave ramp"
    " roughness transition separation stagnation wake plume jet throat diffuser channel duct pilot astronaut"
    " cabin corridor footprint dispersion guidance navigation landing splashdown trim controller designer"
    " planner operator experimenter analyst laboratory shadowgraph schlieren interferometer laser bulb"
    " calibration uncertainty error atmosphere deceleration decelerates Apollo Shuttle Stardust Galileo"
    " Mars Earth Titan Venus"
)
"""What results of this field are said to matter for."""


_RESULT = re.compile(r"[=:≈] ?-?(?=(?:[.\d]*?[1-9]){3})(\d+\.?\d*)[^=:≈]*$")  # of three digits and more
_NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|thousand|twice|half|third"
    r"|quarter|fifth|tenth|hundredth|per ?cent)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Subject:
    """The words that an assumption, and those that a check or a meaning may be tied to; `reached` is the
    place in the plain answer where the last of the results is first stated."""

    working: Working
    assumed: frozenset[str]
    setting: frozenset[str]
    reached: int

    @classmethod
    def of(cls, working: Working) -> Subject:
        problem, reference = working.problem, working.problem.reference
        formulation = reference.formulation
        approach = f"{formulation.approach} {formulation.assumptions}" if formulation else ""
        question = words(f"{problem.context} {problem.question}")
        said = f"{approach} {reference.trap} {' '.join(bound.reason for bound in reference.bounds)}"
        return cls(
            working,
            frozenset((reference_assumptions(working) | question) - _GENERIC),
            frozenset((words(said) | question | _THINGS) - _GENERIC),
            reached(working),
        )

    def mentioned(self, passage: Passage) -> NumberTarget | None:
        """The target that a passage speaks of: by symbol, half its description, or value."""
        return next((each for each in self.working.targets if self._mentions(passage.text, each)), None)

    def is_about_a_given(self, passage: Passage) -> bool:
        """Whether the first quantity of a passage is that of a given it names, and it speaks of no target."""
        first = next((side for _, side in quantities(passage.text) if side.unit not in ("", "-")), None)
        if first is None or self.mentioned(passage):
            return False
        for given in self.working.problem.givens:
            named = words(passage.text) & words(f"{given.description} {given.name}")
            value = None if isinstance(given.value, str) else convert(first.value, first.unit, given.unit)
            if named and value is not None and close(value, float(given.value), RIGHT):
                return True
        return False

    def _mentions(self, sentence: str, target: NumberTarget) -> bool:
        if any(spelled(token) == spelled(target.name) for token in re.findall(r"[A-Za-z]\w*", sentence)):
            return True
        about = words(target.description)
        if about and 2 * len(words(sentence) & about) >= len(about):
            return True
        final = self.working.finals.get(target.name)
        if final is None or final.unit in ("", "-"):
            return False
        said = (convert(side.value, side.unit, final.unit) for _, side in quantities(sentence) if side.unit)
        return any(value is not None and close(value, final.value, _ROUNDED) for value in said)


def reference_assumptions(working: Working) -> set[str]:
    """The words of what the reference takes for granted."""
    formulation = working.problem.reference.formulation
    said = f"{formulation.assumptions} {formulation.approach}" if formulation else ""
    for equation in working.gold:
        said += " " + " ".join(equation.assumptions)
        said += " " + " ".join(
            f"{each.var} {each.words()}" for each in equation.regime.require + equation.regime.prefer
        )
    return words(said.replace("_", " ")) - _GENERIC


def has_number(sentence: str) -> bool:
    """Whether a sentence holds a number that is no part of a name."""
    return bool(re.search(r"\d", re.sub(r"[A-Za-z]\w*", "", sentence)) or _NUMBER_WORD.search(sentence))


def reached(working: Working) -> int:
    """Where the last of the results is first met."""
    return max((first_place(working, final) for final in working.finals.values()), default=len(working.text))


def first_place(working: Working, final: Statement) -> int:
    """Where a final value is first met, under whatever name, or its symbol with whatever value."""
    digits = _RESULT.search(final.text)
    written = digits and re.search(rf"(?<![\d.]){re.escape(digits[1])}(?!\.?\d)", working.text)
    named = (each.position for each in working.statements if spelled(each.symbol) == spelled(final.symbol))
    same = (
        chain.position
        for chain in working.chains
        for value, unit, shown in chain.values
        if shown > 1 and _is_same(value, unit, final)
    )
    return min([*named, *same, *([written.start()] if written else [])], default=final.position)


def _is_same(value: float, unit: str, final: Statement) -> bool:
    converted = convert(value, unit, final.unit) if unit and final.unit else value
    return converted is not None and close(abs(converted), abs(final.value), RIGHT)
