// Sends what this phone's camera sees, one picture after the other: the next only when the last has arrived.

import { at, hear } from "./nodes.js";
import { t } from "./texts.js";

const LONGEST_PX = 1280;
const PAUSE_MS = 100;
const AGAIN_MS = 1500;
const QUALITY = 0.85;

const says = at("says");
const start = at("start");
const seen = at("seen");
const address = "picture" + location.search;

hear(start, "click", begin);

async function begin() {
  start.disabled = true;
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
    });
    seen.srcObject = stream;
    await seen.play();
    stream.getVideoTracks()[0].addEventListener("ended", () => stop(t("phone.ended")));
  } catch (error) {
    stop(why(error));
    return;
  }
  seen.hidden = false;
  start.hidden = true;
  stayAwake();
  send();
}

function why({ name, message }) {
  const known = { NotAllowedError: "not-allowed", NotFoundError: "none", NotReadableError: "taken" }[name];
  return t(`phone.${known ?? "broken"}`, { why: message });
}

function stop(sentence) {
  says.textContent = sentence;
  start.disabled = false;
  start.hidden = false;
  seen.hidden = true;
}

async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // Some phones refuse on a low battery; the page works until the screen goes dark.
  }
}

hear(document, "visibilitychange", () => {
  if (!document.hidden && !seen.hidden) stayAwake();
});

const canvas = document.createElement("canvas");

function picture() {
  const scale = Math.min(1, LONGEST_PX / Math.max(seen.videoWidth, seen.videoHeight, 1));
  canvas.width = Math.round(seen.videoWidth * scale);
  canvas.height = Math.round(seen.videoHeight * scale);
  canvas.getContext("2d").drawImage(seen, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

async function send() {
  let sent = 0;
  while (!seen.hidden) {
    try {
      const blob = await picture();
      if (blob) {
        const answer = await fetch(address, { method: "POST", body: blob }); // a blob brings its own kind
        if (!answer.ok) throw new Error((await answer.text()).trim());
        sent += 1;
        says.textContent = t("phone.watched", { count: sent });
      }
      await pause(PAUSE_MS);
    } catch (error) {
      says.textContent = t("phone.no-answer", { why: error.message });
      await pause(AGAIN_MS);
    }
  }
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
