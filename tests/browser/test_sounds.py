"""What the page sounds like: every sound is rendered by the browser into samples, and measured."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from numpy.typing import NDArray

from support.browser_pages import NewPage
from support.person import act

RATE = 32_000
SECONDS = 3
MOMENT = RATE // 1000
"""A millisecond, in samples."""
SOUNDS = ("turn", "draw", "claim", "tunnel", "complete", "last_round", "victory")
QUIET = 0.003
"""Below this a sample is silence: 50 dB under full scale."""
RENDERING = """([rate, seconds]) => {
  window.AudioContext = class extends OfflineAudioContext {
    constructor() {
      super(1, rate * seconds, rate);
      window.rendering = this;
    }
    get state() { return 'running' }  // as a device is after the first touch
    get currentTime() { return window.now }
    resume() { return Promise.resolve() }
  };
}"""
"""Instead of a device: everything is heard at `window.now`, and written down."""
SAMPLES = """async () => {
  const heard = (await rendering.startRendering()).getChannelData(0);
  const bytes = new Uint8Array(Float32Array.from(heard).buffer);
  let text = '';
  for (let i = 0; i < bytes.length; i += 30000) text += String.fromCharCode(...bytes.subarray(i, i + 30000));
  return btoa(text);
}"""

Samples = NDArray[np.float64]


@pytest.fixture
def heard(new_page: NewPage) -> dict[str, Samples]:
    """Every sound as it leaves the page: switched on in the settings, it is heard once."""
    page = new_page()
    page.add_init_script(f"({RENDERING})([{RATE}, {SECONDS * len(SOUNDS)}])")
    page.goto("/")
    page.locator(act("settings")).first.click()
    for at, sound in enumerate(SOUNDS):
        page.evaluate("at => { window.now = at }", at * SECONDS)
        for _ in ("off", "on"):
            page.locator(act(f"sound-{sound}")).click()
    samples = np.frombuffer(base64.b64decode(page.evaluate(SAMPLES)), np.float32).astype(float)
    return dict(zip(SOUNDS, samples.reshape(len(SOUNDS), -1), strict=True))


def audible(samples: Samples) -> Samples:
    """From the first to the last sample that is heard."""
    heard = np.flatnonzero(np.abs(samples) > QUIET)
    return samples[heard[0] : heard[-1] + 1]


def loudness(samples: Samples) -> float:
    """Of the loudest tenth of a second, in decibels below full scale."""
    window = RATE // 10
    energy = np.cumsum(samples**2)
    return float(10 * np.log10((energy[window:] - energy[:-window]).max() / window))


def high_share(samples: Samples, hertz: float = 4000) -> float:
    """How much of the energy is above so many Hertz."""
    energy = np.abs(np.fft.rfft(samples)) ** 2
    return float(energy[np.fft.rfftfreq(len(samples), 1 / RATE) > hertz].sum() / energy.sum())


def test_sounds_are_soft_short_and_alike_in_loudness(heard: dict[str, Samples]) -> None:
    loud = {sound: loudness(samples) for sound, samples in heard.items()}
    for sound, samples in heard.items():
        assert np.abs(samples).max() < 0.5, f"{sound} leaves no room for another one beside it"
        assert high_share(samples) < 0.02, f"{sound} is shrill"
        assert len(audible(samples)) < 2.2 * RATE, f"{sound} does not end"
        peak = np.abs(samples).max()
        assert np.abs(samples[:MOMENT]).max() < 0.4 * peak, f"{sound} begins with a click"
        assert np.abs(audible(samples)[-2 * MOMENT :]).max() < 0.15 * peak, f"{sound} ends with a click"
    assert max(loud.values()) - min(loud.values()) < 10, loud
    assert min(loud.values()) > -36, loud
