"""The pressure in a vessel that is filled through a tube, and empties through it: two phases.

While the flow is above 0 the pressure is resistance times flow plus volume over capacity; else the
vessel empties, the faster the smaller resistance times capacity is (the equation of motion of a
lung in one compartment, as artificial ventilators are modelled).

Difficulty: high for models of single steps, which know neither the volume nor how long it has been
emptying; rises with `spread`, by which resistance and capacity differ between samples.
"""

import numpy as np

YIELDS = "numbers"
PARAMETERS = {
    "of": {
        "$ref": "#/$defs/series_factor",
        "description": "the flow; below 0 it counts as 0",
        "examples": ["pulses"],
    },
    "resistance": {"$ref": "#/$defs/number_factor"},
    "capacity": {"$ref": "#/$defs/number_factor"},
    "spread": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "how far a standard deviation of them changes their logarithm",
        "examples": [0.2, 0.35, 0.5],
    },
}


def two_phase_pressure(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    resistance: np.ndarray,
    capacity: np.ndarray,
    spread: float = 0.35,
) -> np.ndarray:
    hinder, room = (
        np.exp(spread * (values - values.mean()) / (values.std() or 1.0))
        for values in (resistance, capacity)
    )
    volume = np.zeros(len(of))
    pressure = np.empty(of.shape)
    for step, flow in enumerate(np.maximum(of, 0.0).T):
        kept = np.exp(-0.25 / (hinder * room))
        volume = np.where(flow > 0, volume + 0.25 * flow, volume * kept)
        pressure[:, step] = 2 * hinder * flow + 2 * volume / room
    return pressure
