"""Entropy and exergy balances of one device of a cycle, each written down on its own.

Steady flow, per kg of the cycle's main stream (a bottoming cycle's streams count by their share of it). Heat
crosses the boundary at the temperature of the reservoir it comes from or goes to, so that the entropy
generated between reservoir and fluid counts as the device's own. Cengel and Boles, chapters 7 and 8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ansatz.knowledge_base.properties import State


@dataclass(frozen=True)
class Stream:
    """A fluid that passes a device; `share` is its mass per kg of the main stream."""

    inlet: State
    outlet: State
    share: float = 1.0


@dataclass(frozen=True)
class Component:
    """A device by its streams; one with a reservoir (K) takes in heat there, any other does work."""

    name: str
    streams: tuple[Stream, ...]
    reservoir: float | None = None

    @property
    def heat(self) -> float:
        """Heat taken in from the reservoir, J/kg; negative where it is given off."""
        return self._gain_of_enthalpy if self.reservoir is not None else 0.0

    @property
    def work(self) -> float:
        """Work done by the streams, J/kg; negative for pumps and compressors."""
        return self.heat - self._gain_of_enthalpy

    @property
    def entropy_generation(self) -> float:
        """What leaves less what enters, J/(kg·K)."""
        leaving = sum(stream.share * (stream.outlet.s - stream.inlet.s) for stream in self.streams)
        return leaving if self.reservoir is None else leaving - self.heat / self.reservoir

    def exergy_destruction(self, exergy: Callable[[State], float], dead_temperature: float) -> float:
        """Exergy in less exergy out, J/kg, for a flow exergy with this dead state's temperature in K."""
        lost = sum(stream.share * (exergy(stream.inlet) - exergy(stream.outlet)) for stream in self.streams)
        carnot = 0.0 if self.reservoir is None else 1 - dead_temperature / self.reservoir
        return lost + carnot * self.heat - self.work

    @property
    def _gain_of_enthalpy(self) -> float:
        return sum(stream.share * (stream.outlet.h - stream.inlet.h) for stream in self.streams)


def device(name: str, inlet: State, outlet: State, share: float = 1.0) -> Component:
    """An adiabatic device with one stream: a pump, compressor, turbine or valve."""
    return Component(name, (Stream(inlet, outlet, share),))


def heater(name: str, inlet: State, outlet: State, reservoir: float, share: float = 1.0) -> Component:
    """A device whose stream takes heat from a reservoir at a temperature in K, or gives heat to it."""
    return Component(name, (Stream(inlet, outlet, share),), reservoir)
