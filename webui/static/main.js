// Wires the stream of states to the page.

import { element } from "./dice.js";
import { Picture } from "./picture.js";
import { cards, order } from "./scores.js";
import { follow } from "./stream.js";

const SPEAK_MS = 1000;
const NAME = "Get Off My Lawn";

const at = (id) => document.getElementById(id);
const picture = new Picture(at("frame"));
let state = null;
let connected = false;
let ever = false;
let drawnScores = "";
let speaking = 0;
let toSay = "";

follow("/events", {
  onState(next) {
    state = next;
    draw();
  },
  onFound() {
    if (connected) return;
    connected = ever = true;
    draw();
  },
  onLost() {
    if (!connected && ever) return;
    connected = false;
    ever = true;
    draw();
  },
});

for (const [id, kind, what] of [["boxes", "bare", "boxes"], ["lawn", "plain", "lawn"]]) {
  at(id).addEventListener("click", () => {
    const gone = at("frame").classList.toggle(kind);
    setText(at(id), `${gone ? "Show" : "Hide"} ${what}`);
  });
}

function draw() {
  const alarm = alarmOf();
  // Old: the picture is not of now. Touched: it is, but the reading is of before something moved.
  const old = state !== null && (!connected || !(state.table || state.problem));
  const touched = state !== null && !old && !state.current && state.reading !== null;
  at("table").classList.toggle("old", old);
  at("table").classList.toggle("touched", touched);
  at("alarm").hidden = alarm === null;
  setText(at("alarm-title"), alarm?.title ?? "");
  setText(at("alarm-says"), alarm?.says ?? "");
  drawStatus();
  if (state !== null) {
    picture.show(state);
    drawScores();
    setText(at("caption"), old ? "" : state.source.says);
    setText(at("stale"), stale(old, touched));
    // Of a photo nobody expects it to move.
    setText(at("lying"), old || state.source.state === "still" ? "" : (state.table?.says ?? ""));
    at("lying").dataset.state = state.table?.state ?? "";
    setText(at("moved"), old ? "" : state.camera.says);
    at("lawn").hidden = !state.mat.found && state.hidden.outlines.length === 0;
    setItems(at("notices"), state.notices);
  }
  document.title = alarm ? `${alarm.title} ${NAME}` : NAME;
  speak(alarm ? `${alarm.title} ${alarm.says}` : (state?.order ?? []).join(" "));
}

// What stands in the way of a current reading, or null.
function alarmOf() {
  const old = state?.picture ? ` What you see is from ${clock(state.picture.seen_at)}.` : "";
  if (!connected && ever) {
    return { title: "Connection lost.", says: `The program does not answer; trying again.${old}` };
  }
  if (state?.source.state === "lost") {
    return { title: "Camera lost.", says: `${state.source.says}${old}` };
  }
  if (state?.problem) return { title: "Not read.", says: state.problem };
  return null;
}

function stale(old, touched) {
  if (old && state.picture) return `Not current: seen at ${clock(state.picture.seen_at)}`;
  return touched ? `As it lay at ${clock(state.reading_of.seen_at)}` : "";
}

function drawStatus() {
  const shown = !ever ? "starting" : !connected ? "offline" : (state?.source.state ?? "starting");
  const words = {
    starting: "Connecting …",
    offline: "Connection lost",
    lost: "Camera lost",
    live: "Live",
    playing: "Playing",
    ended: "Ended",
    still: "Photo",
  };
  at("status").dataset.state = shown;
  setText(at("status-says"), words[shown] ?? shown);
}

function drawScores() {
  const scores = JSON.stringify([state.score, state.order, state.reading?.dice]);
  if (scores === drawnScores) return;
  drawnScores = scores;
  at("order").replaceChildren(...order(state.order));
  at("cards").replaceChildren(...(state.score ? cards(state.score, state.reading) : []));
}

function speak(text) {
  if (text === toSay) return; // pictures come more often than anything is said
  toSay = text;
  clearTimeout(speaking);
  speaking = setTimeout(() => setText(at("spoken"), text), SPEAK_MS);
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function setItems(list, texts) {
  list.hidden = texts.length === 0;
  if (texts.join("\n") === [...list.children].map((item) => item.textContent).join("\n")) return;
  list.replaceChildren(...texts.map((text) => element("li", {}, text)));
}

function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString();
}
