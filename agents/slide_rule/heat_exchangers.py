"""Questions about a heat exchanger of two streams: its duty, area, coefficient and outlet temperatures.

The heat balance of the streams gives missing temperatures; with all four, the log-mean temperature difference
gives the rest. With both inlets alone, it is the effectiveness. Every given value has to have a place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.agents.slide_rule.asked_quantities import SENTENCES, Sought, asks_for
from ansatz.agents.slide_rule.formulas import load_process_formulas
from ansatz.agents.slide_rule.plain_question import Located
from ansatz.agents.slide_rule.processes import NotSolvable, SolutionSteps
from ansatz.agents.slide_rule.quantity_names import stem_words
from ansatz.agents.slide_rule.question import Kind, KnownQuantity, find_kind

_EXCHANGER = re.compile(
    r"\b(?:heat[- ]exchanger|exchanger|recuperator|(?:counter-?|parallel-?|co-?) ?(?:current|flow))",
    re.I,
)
_COUNTER, _PARALLEL = re.compile(r"\bcounter", re.I), re.compile(r"\b(?:parallel|co-?current)", re.I)
_CLAUSE = re.compile(
    r"[.;](?=\s)|,?\s(?:while|whereas|which is|by|with|using|against|and|warming|heating|cooling)\s", re.I
)
_FLOW, _HEAT, _COEFFICIENT, _AREA, _KELVIN, _RATE = map(
    find_kind, ("kg/s", "J/(kg*K)", "W/(m^2*K)", "m^2", "K", "W")
)
_PAIR = re.compile(r"(?:[^\d.;]|\.(?!\s))*?\b(?:down to|up to|to)\s+(?:about )?$", re.I)
_VALUES = re.compile(r"\d[\d.,]* ?\S*")
_VALUE = re.compile(r"^[-\d.,]+(?: ?(?!(?:to|down|up)\b)\S+)?")
_WATER = KnownQuantity("c", 4182.0, "J/(kg*K)", "specific heat", reason="the liquid is water")


@dataclass
class Stream:
    """One stream of a heat exchanger."""

    inlet: KnownQuantity
    outlet: KnownQuantity | None
    start: int
    """The place of its inlet temperature in the text."""
    flow: KnownQuantity | None = None
    heat: KnownQuantity | None = None
    """The specific heat."""


@dataclass
class Exchanger:
    """The stated values of a heat exchanger."""

    is_counterflow: bool
    hot: Stream
    cold: Stream
    coefficient: KnownQuantity | None = None
    area: KnownQuantity | None = None
    duty: KnownQuantity | None = None


def read_exchanger(body: str, located: Sequence[Located]) -> Exchanger | None:
    """Read a heat exchanger; None for any other question, or if a value has no place in it."""
    is_counter, is_parallel = bool(_COUNTER.search(body)), bool(_PARALLEL.search(body))
    if not _EXCHANGER.search(body) or is_counter == is_parallel:
        return None
    streams = _read_streams(body, located)
    if len(streams) != 2:
        return None
    hot, cold = sorted(streams, key=lambda each: -each.inlet.convert_to("K"))
    exchanger = Exchanger(is_counter, hot, cold)
    flows = [(given, start) for given, start in located if given.kind == _FLOW]
    heats = [(given, start) for given, start in located if given.kind == _HEAT]
    if not _assign(body, flows, streams, "flow") or not _assign(body, heats, streams, "heat"):
        return None
    for given, _ in located:
        slot = {_COEFFICIENT: "coefficient", _AREA: "area", _RATE: "duty"}.get(given.kind, "")
        if slot and getattr(exchanger, slot) is None:
            setattr(exchanger, slot, given)
        elif given.kind not in (_FLOW, _HEAT, _KELVIN):
            return None
    for stream in streams:
        clause = _find_clause(body, stream.start)
        if stream.flow and not stream.heat and re.search(r"\bwater\b", body[clause[0] : clause[1]], re.I):
            stream.heat = _WATER
    return exchanger


def _read_streams(body: str, located: Sequence[Located]) -> list[Stream]:
    """Read the streams: "from 90 degC to 60 degC" is one, and a temperature alone is an inlet."""
    temperatures = [(given, start) for given, start in located if given.kind == _KELVIN]
    streams: list[Stream] = []
    last_end = -1
    for given, start in temperatures:
        between = body[last_end:start] if last_end >= 0 else ""
        if streams and streams[-1].outlet is None and _PAIR.search(_VALUE.sub("", between)):
            streams[-1].outlet = given
        else:
            streams.append(Stream(given, None, start))
        last_end = start
    return streams


def _assign(body: str, values: Sequence[Located], streams: Sequence[Stream], slot: str) -> bool:
    """Assign mass flows or specific heats to streams: two in order, one to the stream of its clause."""
    if len(values) > 2:
        return False
    if len(values) == 2:
        for (given, _), stream in zip(values, sorted(streams, key=lambda each: each.start), strict=True):
            setattr(stream, slot, given)
        return True
    for given, start in values:
        begin, end = _find_clause(body, start)
        own = [each for each in streams if begin <= each.start < end]
        if not own:  # "1.5 kg/s of oil (cp = 2.1 kJ/(kg K)) from 90 degC": the next stream, if none is before
            own = [each for each in streams if each.start > start][:1]
            if len([each for each in streams if each.start < start]) > 0:
                return False
        setattr(min(own, key=lambda each: abs(each.start - start)), slot, given)
    return True


def _find_clause(body: str, start: int) -> tuple[int, int]:
    ends = [each.end() for each in _CLAUSE.finditer(body)]
    begin = max((end for end in ends if end <= start), default=0)
    return begin, min((end for end in ends if end > start), default=len(body))


def compute_exchanger(exchanger: Exchanger, sought: Sought, steps: SolutionSteps) -> KnownQuantity | None:
    """Compute the duty, area, coefficient, mean difference or an outlet; None if it is not determined."""
    kind = find_kind(sought.unit) if sought.unit else _find_kind_by_name(sought)
    rates = {id(each): _find_rate(each, steps) for each in (exchanger.hot, exchanger.cold)}
    hot_rate, cold_rate = rates[id(exchanger.hot)], rates[id(exchanger.cold)]
    is_open = exchanger.hot.outlet is None and exchanger.cold.outlet is None
    if is_open and hot_rate and cold_rate and exchanger.coefficient and exchanger.area and not exchanger.duty:
        duty = _find_duty_by_effectiveness(exchanger, hot_rate, cold_rate, steps)
        if kind == _RATE:
            return duty
        return (
            _find_asked_outlet(exchanger, sought, duty, hot_rate, cold_rate, steps)
            if kind == _KELVIN
            else None
        )
    duty_found = exchanger.duty or _find_duty(exchanger, hot_rate, cold_rate, steps)
    if kind == _RATE and duty_found and not exchanger.duty:
        return None if exchanger.coefficient or exchanger.area else duty_found
    if (
        kind == _KELVIN
        and duty_found
        and not stem_words("difference mean logarithmic") & stem_words(sought.name)
    ):
        outlet = _find_asked_outlet(exchanger, sought, duty_found, hot_rate, cold_rate, steps)
        return None if exchanger.coefficient or exchanger.area else outlet
    _complete_outlets(exchanger, duty_found, hot_rate, cold_rate, steps)
    difference = _find_mean_difference(exchanger, steps)
    if kind == _KELVIN:
        return None if exchanger.coefficient or exchanger.area or exchanger.duty else difference
    return _find_size(exchanger, kind, difference, duty_found, steps)


def _find_kind_by_name(sought: Sought) -> Kind | None:
    names = {
        "area": _AREA,
        "surface": _AREA,
        "temperature": _KELVIN,
        "difference": _KELVIN,
        "coefficient": _COEFFICIENT,
    }
    words = sought.head | stem_words(sought.name)
    found = (kind for name, kind in names.items() if stem_words(name) & words)
    return next(found, _RATE if words & stem_words("heat duty power rate") else None)


def _find_rate(stream: Stream, steps: SolutionSteps) -> KnownQuantity | None:
    """Find the heat capacity rate of a stream."""
    if stream.flow is None or stream.heat is None:
        return None
    formula = load_process_formulas()["capacity_rate"]
    return steps.add(formula, {"m_dot": stream.flow, "c": stream.heat})


def _find_duty(
    exchanger: Exchanger, hot: KnownQuantity | None, cold: KnownQuantity | None, steps: SolutionSteps
) -> KnownQuantity | None:
    """Find the heat flow from a stream whose rate and temperatures are known."""
    formula = load_process_formulas()["duty_of_stream"]
    if hot and exchanger.hot.outlet:
        return steps.add(formula, {"C": hot, "T_a": exchanger.hot.inlet, "T_b": exchanger.hot.outlet})
    if cold and exchanger.cold.outlet:
        return steps.add(formula, {"C": cold, "T_a": exchanger.cold.outlet, "T_b": exchanger.cold.inlet})
    return None


def _complete_outlets(
    exchanger: Exchanger,
    duty: KnownQuantity | None,
    hot: KnownQuantity | None,
    cold: KnownQuantity | None,
    steps: SolutionSteps,
) -> None:
    formulas = load_process_formulas()
    if exchanger.hot.outlet is None and duty and hot:
        bound = {"T_in": exchanger.hot.inlet, "Q_dot": duty, "C": hot}
        exchanger.hot.outlet = steps.add(formulas["cooled_outlet"], bound)
    if exchanger.cold.outlet is None and duty and cold:
        bound = {"T_in": exchanger.cold.inlet, "Q_dot": duty, "C": cold}
        exchanger.cold.outlet = steps.add(formulas["heated_outlet"], bound)


def _find_asked_outlet(
    exchanger: Exchanger,
    sought: Sought,
    duty: KnownQuantity,
    hot: KnownQuantity | None,
    cold: KnownQuantity | None,
    steps: SolutionSteps,
) -> KnownQuantity | None:
    """Find the one open outlet, or that of the stream whose name the question repeats."""
    open_streams = [each for each in (exchanger.hot, exchanger.cold) if each.outlet is None]
    if len(open_streams) == 2:
        asks = [each for each in SENTENCES.split(sought.text) if asks_for(each)][-1]
        first = min(each.start for each in open_streams)
        names = [_list_names(each, first, sought.text) & stem_words(asks) for each in open_streams]
        common = names[0] & names[1]
        named = zip(open_streams, names, strict=True)
        open_streams = [each for each, words in named if words - common]
    if len(open_streams) != 1:
        return None
    is_hot = open_streams[0] is exchanger.hot
    _complete_outlets(exchanger, duty, hot if is_hot else None, None if is_hot else cold, steps)
    return open_streams[0].outlet


def _list_names(stream: Stream, first: int, text: str) -> frozenset[str]:
    """List the words before the temperatures of a stream, of which one names its fluid."""
    begin, _ = _find_clause(text, stream.start)
    begin = begin if stream.start == first else max(begin, first)
    return stem_words(_VALUES.sub(" ", text[begin : stream.start]))


def _find_duty_by_effectiveness(
    exchanger: Exchanger, hot: KnownQuantity, cold: KnownQuantity, steps: SolutionSteps
) -> KnownQuantity:
    formulas = load_process_formulas()
    assert exchanger.coefficient and exchanger.area
    small, large = sorted((hot, cold), key=lambda each: each.value)
    ratio = steps.add(formulas["capacity_ratio"], {"C_min": small, "C_max": large})
    units = steps.add(
        formulas["cycle.transfer_units"], {"U": exchanger.coefficient, "A": exchanger.area, "C_min": small}
    )
    if exchanger.is_counterflow:
        known = "cycle.effectiveness_counterflow" if ratio.value < 0.999 else "balanced_effectiveness"
    else:
        known = "cycle.effectiveness_parallel_flow"
    bound = {"N": units} if known == "balanced_effectiveness" else {"N": units, "C": ratio}
    share = steps.add(formulas[known], bound)
    return steps.add(
        formulas["duty_of_effectiveness"],
        {"eps": share, "C_min": small, "T_h": exchanger.hot.inlet, "T_c": exchanger.cold.inlet},
    )


def _find_mean_difference(exchanger: Exchanger, steps: SolutionSteps) -> KnownQuantity:
    formulas = load_process_formulas()
    hot, cold = exchanger.hot, exchanger.cold
    if hot.outlet is None or cold.outlet is None:
        raise NotSolvable("an outlet temperature is open")
    warm, cool = (cold.outlet, cold.inlet) if exchanger.is_counterflow else (cold.inlet, cold.outlet)
    first = steps.add(formulas["difference_first"], {"T_a": hot.inlet, "T_b": warm})
    last = steps.add(formulas["difference_last"], {"T_a": hot.outlet, "T_b": cool})
    if min(first.value, last.value) <= 0:
        raise NotSolvable("the temperatures cross")
    if abs(first.value - last.value) < 1e-3 * first.value:
        return first
    return steps.add(formulas["log_mean"], {"dT_a": first, "dT_b": last})


def _find_size(
    exchanger: Exchanger,
    kind: Kind | None,
    difference: KnownQuantity,
    duty: KnownQuantity | None,
    steps: SolutionSteps,
) -> KnownQuantity | None:
    """Find the duty, the area or the coefficient from the other two."""
    formulas = load_process_formulas()
    coefficient, area = exchanger.coefficient, exchanger.area
    if kind == _RATE and coefficient and area and not duty:
        return steps.add(formulas["duty_of_area"], {"U": coefficient, "A": area, "dT_lm": difference})
    if kind == _AREA and coefficient and duty and not area:
        return steps.add(formulas["area_of_duty"], {"Q_dot": duty, "U": coefficient, "dT_lm": difference})
    if kind == _COEFFICIENT and area and duty and not coefficient:
        return steps.add(formulas["coefficient_of_duty"], {"Q_dot": duty, "A": area, "dT_lm": difference})
    return None
