/**
 * Sounds, made on the spot from oscillators and noise: no files, and nothing before the first touch (browsers forbid
 * it). All of them go through one soft filter, so that none is shrill.
 */

import { settings, type SoundName } from "./settings.svelte";

/** Where sounds go: the context and what they are mixed in. */
interface Output {
  context: AudioContext;
  mix: AudioNode;
}

/** Hertz above which everything fades. */
const SOFT = 2400;
let output: Output | null = null;

function wake(): void {
  try {
    output ??= made(new AudioContext());
    if (output.context.state === "suspended") void output.context.resume();
  } catch {
    // no sound device: silence is fine
  }
}

function made(context: AudioContext): Output {
  const soft = context.createBiquadFilter();
  soft.type = "lowpass";
  soft.frequency.value = SOFT;
  soft.connect(context.destination);
  return { context, mix: soft };
}

/** Wait for a touch or a key; returns how to stop waiting. */
export function allowSound(): () => void {
  const touched = (): void => {
    if (settings.sound) wake();
  };
  addEventListener("pointerdown", touched);
  addEventListener("keydown", touched);
  return () => {
    removeEventListener("pointerdown", touched);
    removeEventListener("keydown", touched);
  };
}

/** A pipe: swells, stays, ends. */
function tone({ context, mix }: Output, pitch: number, from: number, length: number, loud: number): void {
  const start = context.currentTime + from;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.03);
  gain.gain.setValueAtTime(loud, start + length - 0.08);
  gain.gain.linearRampToValueAtTime(0, start + length);
  gain.connect(mix);
  const pipe = context.createOscillator();
  pipe.type = "triangle";
  pipe.frequency.setValueAtTime(pitch * 0.97, start);
  pipe.frequency.linearRampToValueAtTime(pitch, start + 0.06);
  pipe.connect(gain);
  pipe.start(start);
  pipe.stop(start + length);
}

/** Something struck: loud at once, then it fades; with an overtone it is metal. */
function strike({ context, mix }: Output, pitch: number, from: number, length: number, loud: number): void {
  for (const [part, share] of [
    [1, 1],
    [2.76, 0.25],
  ] as const) {
    const start = context.currentTime + from;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(loud * share, start + 0.006);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length / part);
    gain.connect(mix);
    const metal = context.createOscillator();
    metal.type = "sine";
    metal.frequency.value = pitch * part;
    metal.connect(gain);
    metal.start(start);
    metal.stop(start + length);
  }
}

/** A breath of steam or a card on the table: noise around a pitch, without a click where it begins. */
function puff({ context, mix }: Output, from: number, length: number, loud: number, pitch: number): void {
  const start = context.currentTime + from;
  const samples = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const data = samples.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
  const noise = context.createBufferSource();
  noise.buffer = samples;
  const band = context.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 0.8;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.004);
  noise.connect(band).connect(gain).connect(mix);
  noise.start(start);
}

const MAKERS: Record<SoundName, (out: Output) => void> = {
  /** Two tones of an old steam whistle. */
  turn: (out) => {
    for (const [pitch, from] of [
      [392, 0],
      [494, 0],
      [440, 0.24],
      [554, 0.24],
    ] as const)
      tone(out, pitch, from, 0.22 + from, 0.05);
  },
  draw: (out) => puff(out, 0, 0.07, 0.6, 1500),
  claim: (out) => [0, 0.15, 0.28].forEach((from, i) => puff(out, from, 0.16, 0.6 - i * 0.12, 420)),
  /** A card on stone, deep in the mountain. */
  tunnel: (out) => {
    puff(out, 0, 0.35, 0.6, 140);
    puff(out, 0.02, 0.07, 0.35, 1300);
  },
  complete: (out) => [523, 659, 784].forEach((pitch, i) => strike(out, pitch, i * 0.12, 0.9, 0.08)),
  /** The bell of a station, twice. */
  last_round: (out) => [0, 0.55].forEach((from) => strike(out, 440, from, 1.6, 0.1)),
  victory: (out) => {
    for (const [pitch, from, length] of [
      [262, 0, 0.2],
      [330, 0.2, 0.2],
      [392, 0.4, 0.2],
      [523, 0.6, 0.8],
      [392, 0.6, 0.8],
      [330, 0.6, 0.8],
    ] as const)
      tone(out, pitch, from, length, 0.05);
  },
};

export function play(sound: SoundName): void {
  if (settings.sound && !settings.muted.includes(sound) && output?.context.state === "running") MAKERS[sound](output);
}
