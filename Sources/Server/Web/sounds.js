// The sounds of a game, made of tones by the browser: no files. Nothing sounds before the player has touched the page,
// and nothing at all while sound is off.
import { keep, kept } from "./device.js";

/** Each sound as its tones: frequency in hertz, beginning and length in seconds, loudness. */
const scores = {
  tick: [[880, 0, 0.05, 0.12]],
  begin: [[523, 0, 0.12, 0.2], [784, 0.12, 0.2, 0.2]],
  capture: [[523, 0, 0.1, 0.2], [659, 0.09, 0.1, 0.2], [784, 0.18, 0.22, 0.22]],
  other: [[392, 0, 0.12, 0.1]],
  theft: [[330, 0, 0.14, 0.22], [233, 0.13, 0.26, 0.22]],
  small: [[294, 0, 0.1, 0.15], [294, 0.14, 0.1, 0.15]],
  badge: [[784, 0, 0.1, 0.18], [988, 0.1, 0.1, 0.18], [1_175, 0.2, 0.3, 0.18]],
  won: [[523, 0, 0.15, 0.22], [659, 0.15, 0.15, 0.22], [784, 0.3, 0.15, 0.22], [1_047, 0.45, 0.5, 0.24]],
  over: [[523, 0, 0.2, 0.16], [392, 0.2, 0.35, 0.16]],
};

/** Pauses and pulses of a phone, in milliseconds. */
const pulses = { capture: [60], theft: [40, 60, 120], badge: [30, 40, 30], won: [80, 60, 80, 60, 160], small: [30], tick: [15] };

let context = null;

export function isSoundOn() {
  return kept("sound") !== "off";
}

export function setSound(isOn) {
  keep("sound", isOn ? "on" : "off");
}

export function play(name) {
  // Browsers refuse both before the first touch, and complain.
  if (!navigator.userActivation?.hasBeenActive || !isSoundOn()) return;
  if (pulses[name]) navigator.vibrate?.(pulses[name]);
  if (!globalThis.AudioContext) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const tone of scores[name] ?? []) sound(...tone);
}

function sound(hertz, beginsAfter, lasts, loudness) {
  const begins = context.currentTime + 0.01 + beginsAfter;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0, begins);
  volume.gain.linearRampToValueAtTime(loudness, begins + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.001, begins + lasts);
  tone.connect(volume).connect(context.destination);
  tone.start(begins);
  tone.stop(begins + lasts + 0.02);
}
