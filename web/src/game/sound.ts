/**
 * Sounds, made on the spot from oscillators and noise: no files, and nothing before the first touch (browsers forbid
 * it).
 */

import { settings } from "../lib/settings.svelte";

let audio: AudioContext | null = null;

function wake(): void {
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") void audio.resume();
  } catch {
    // no sound device: silence is fine
  }
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

function tone(context: AudioContext, pitch: number, from: number, length: number, loud: number): void {
  const start = context.currentTime + from;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.03);
  gain.gain.setValueAtTime(loud, start + length - 0.08);
  gain.gain.linearRampToValueAtTime(0, start + length);
  gain.connect(context.destination);
  const pipe = context.createOscillator();
  pipe.type = "triangle";
  pipe.frequency.setValueAtTime(pitch * 0.97, start);
  pipe.frequency.linearRampToValueAtTime(pitch, start + 0.06);
  pipe.connect(gain);
  pipe.start(start);
  pipe.stop(start + length);
}

function puff(context: AudioContext, from: number, length: number, loud: number, pitch: number): void {
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
  gain.gain.value = loud;
  noise.connect(band).connect(gain).connect(context.destination);
  noise.start(start);
}

const SOUNDS = {
  /** My turn: two tones of an old steam whistle. */
  whistle: (context: AudioContext) => {
    for (const [pitch, from] of [
      [523, 0],
      [659, 0],
      [587, 0.24],
      [740, 0.24],
    ] as const)
      tone(context, pitch, from, 0.22 + from, 0.05);
  },
  card: (context: AudioContext) => puff(context, 0, 0.06, 0.25, 2600),
  train: (context: AudioContext) =>
    [0, 0.15, 0.28].forEach((from, i) => puff(context, from, 0.16, 0.3 - i * 0.06, 420)),
  hush: (context: AudioContext) => puff(context, 0, 0.2, 0.12, 900),
};

export function play(sound: keyof typeof SOUNDS): void {
  if (settings.sound && audio?.state === "running") SOUNDS[sound](audio);
}
