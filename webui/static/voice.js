// Spoken announcements and small sounds, both off until they are switched on in this browser.

import { language } from "./texts.js";

// Each sound: frequencies (Hz), one after the other; soft sine tones.
const TUNES = {
  turn: [520],
  capture: [520, 780],
  lock: [390, 520, 780],
  warning: [220, 196],
  ask: [440, 590],
};
const TONE_S = 0.16;
const LOUD = 0.12;

let audio = null;

export function isOn(name) {
  return localStorage.getItem(`lawn-${name}`) === "on";
}

export function turnOn(name, on) {
  localStorage.setItem(`lawn-${name}`, on ? "on" : "off");
  if (name === "speech" && !on) window.speechSynthesis?.cancel();
}

export function say(text) {
  if (!isOn("speech") || !text || !window.speechSynthesis) return;
  const said = new SpeechSynthesisUtterance(text);
  said.lang = language;
  window.speechSynthesis.cancel(); // the newest counts
  window.speechSynthesis.speak(said);
}

export function play(name) {
  if (!isOn("sounds") || !window.AudioContext) return;
  audio ??= new AudioContext();
  audio.resume();
  TUNES[name].forEach((hertz, at) => {
    const start = audio.currentTime + at * TONE_S;
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(LOUD, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 1.6 * TONE_S);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 2 * TONE_S);
  });
}
