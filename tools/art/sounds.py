"""Sounds by synthesis: short and soft, three variants each.

A selection is a wooden tap, an order a second tap on another note. A step is brushed gravel, a shot a dull crack with
an echo, a hit a thud. Suspicion is a rising tone, alarm a hand bell, the end a slow chord.
"""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tools.art.drawing.noise import hashed

RATE = 22050
VARIANTS = 3
PEAK = 0.7
Wave = np.ndarray  # float64[n]


def _time(seconds: float) -> Wave:
    return np.arange(int(seconds * RATE)) / RATE


def _hiss(n: int, seed: int) -> Wave:
    """Return white noise in -1 to 1."""
    return hashed(np.arange(n), np.full(n, seed * 13 + 5), seed) * 2 - 1


def _low(signal: Wave, hertz: float) -> Wave:
    """Return the signal after a one-pole low pass, applied twice."""
    share = 1 - np.exp(-2 * np.pi * hertz / RATE)
    out = signal
    for _ in range(2):
        kernel = share * (1 - share) ** np.arange(min(len(out), int(8 / share) + 1))
        out = np.convolve(out, kernel)[: len(out)]
    return out


def _band(signal: Wave, low: float, high: float) -> Wave:
    return _low(signal, high) - _low(signal, low)


def _struck(t: Wave, hertz: float, decay: float, partials: tuple[tuple[float, float, float], ...]) -> Wave:
    """Return the sound of a struck body.

    A partial is (frequency ratio, loudness, multiple of ``decay``).
    """
    out = np.zeros_like(t)
    for ratio, loud, faster in partials:
        out += loud * np.sin(2 * np.pi * hertz * ratio * t) * np.exp(-t * decay * faster)
    return out * np.minimum(1, t / 0.002)


WOOD = ((1.0, 1.0, 1.0), (2.76, 0.35, 2.2), (5.4, 0.12, 4.0))
BELL = ((0.5, 0.4, 0.6), (1.0, 1.0, 1.0), (1.19, 0.5, 1.2), (2.0, 0.5, 1.6), (2.74, 0.3, 2.4), (3.76, 0.2, 3.2))
REED = ((1.0, 1.0, 1.0), (2.0, 0.45, 1.1), (3.0, 0.25, 1.3), (4.0, 0.1, 1.6))


def _select(v: int) -> Wave:
    t = _time(0.16)
    return _struck(t, (820, 870, 780)[v], 38, WOOD) * 0.75


def _order(v: int) -> Wave:
    t = _time(0.30)
    first, second = ((587, 784), (587, 880), (523, 784))[v]
    out = _struck(t, first, 30, WOOD) * 0.8
    start = int(0.085 * RATE)
    out[start:] += _struck(t[: len(t) - start], second, 22, WOOD)
    return out * 0.7


def _step(v: int) -> Wave:
    t = _time(0.11)
    grit = _band(_hiss(len(t), 11 + v), 500 + 120 * v, 3200)
    thud = np.sin(2 * np.pi * (92 + 8 * v) * t) * np.exp(-t * 60)
    crunch = np.exp(-t * 45) + 0.6 * np.exp(-(((t - 0.045) / 0.012) ** 2))
    return (grit * crunch * 1.2 + thud * 0.5) * 0.34


def _shot(v: int) -> Wave:
    t = _time(0.75)
    hiss = _hiss(len(t), 31 + v)
    crack = _band(hiss, 900, 7000) * np.exp(-t * 70)
    body = _band(hiss, 90, 900 + 150 * v) * np.exp(-t * 13) * 2.4
    boom = np.sin(2 * np.pi * (72 + 6 * v) * t * (1 + 0.9 * np.exp(-t * 30))) * np.exp(-t * 14)
    echo = np.zeros_like(t)
    late = int((0.16 + 0.02 * v) * RATE)
    echo[late:] = _low(hiss, 700)[:-late] * np.exp(-t[:-late] * 8) * 0.9
    return np.tanh((crack * 1.3 + body + boom * 1.2 + echo) * 1.1) * 0.85


def _hit(v: int) -> Wave:
    t = _time(0.22)
    thud = np.sin(2 * np.pi * (105 - 9 * v) * t * (1 + 0.5 * np.exp(-t * 40))) * np.exp(-t * 24)
    slap = _band(_hiss(len(t), 51 + v), 300, 2200) * np.exp(-t * 60)
    return (thud + slap * 1.1) * 0.7


def _suspicion(v: int) -> Wave:
    t = _time(0.85)
    base = (311, 330, 294)[v]
    glide = base * (1 + 0.12 * np.clip(t / 0.35, 0, 1) ** 2)
    phase = 2 * np.pi * np.cumsum(glide) / RATE
    tone = np.sin(phase) + 0.4 * np.sin(2 * phase) + 0.2 * np.sin(3 * phase)
    swell = np.clip(t / 0.18, 0, 1) * np.exp(-np.clip(t - 0.35, 0, None) * 5.5)
    return tone * swell * (1 + 0.16 * np.sin(2 * np.pi * 6 * t)) * 0.34


def _alarm(v: int) -> Wave:
    t = _time(1.5)
    out = np.zeros_like(t)
    for i in range(5):
        start = int((0.19 + 0.01 * v) * i * RATE)
        out[start:] += _struck(t[: len(t) - start], (988, 1047, 932)[v] * (1 if i % 2 else 0.994), 5.0, BELL) * 0.6
    return np.tanh(out * 0.8) * 0.62


def _end(v: int) -> Wave:
    t = _time(2.6)
    chord = ((196, 294, 392, 494), (175, 262, 349, 440), (220, 277, 330, 440))[v]
    out = np.zeros_like(t)
    for i, hertz in enumerate(chord):
        start = int(0.14 * i * RATE)
        out[start:] += _struck(t[: len(t) - start], hertz, 1.7, REED) * np.minimum(1, t[: len(t) - start] / 0.05)
    return out * 0.22


SOUNDS: dict[str, Callable[[int], Wave]] = {
    "select": _select,
    "order": _order,
    "step": _step,
    "shot": _shot,
    "hit": _hit,
    "suspicion": _suspicion,
    "alarm": _alarm,
    "end": _end,
}
ABOUT = {
    "select": "a unit is selected",
    "order": "an order is given",
    "step": "a footfall",
    "shot": "a shot is fired",
    "hit": "a unit is hit",
    "suspicion": "a guard grows suspicious",
    "alarm": "the alarm is raised",
    "end": "the mission is over",
}


def samples(name: str, variant: int) -> np.ndarray:
    """Return int16[n], mono, faded out over the last hundredth of a second."""
    out = np.clip(SOUNDS[name](variant), -1, 1) * PEAK
    fade = int(0.01 * RATE)
    out[-fade:] *= np.linspace(1, 0, fade)
    return np.round(out * 32767).astype("<i2")


def bake(folder: Path) -> list[dict[str, object]]:
    """Write ``sounds/<name>_<n>.wav``; return index rows."""
    (folder / "sounds").mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = []
    for name in SOUNDS:
        files = [f"sounds/{name}_{variant + 1}.wav" for variant in range(VARIANTS)]
        for variant, file in enumerate(files):
            with wave.open(str(folder / file), "wb") as out:
                out.setnchannels(1)
                out.setsampwidth(2)
                out.setframerate(RATE)
                out.writeframes(samples(name, variant).tobytes())
        rows.append({"name": name, "about": ABOUT[name], "files": files})
    return rows
