// What changes on the board, shown as a movement: a row slides, a pushed die leaves, rolled dice tumble.

import { token } from "./dice.js";
import { CELL } from "./field.js";
import { ROWS, SIDES } from "./model.js";
import { all } from "./nodes.js";

const SLIDE_MS = 520;
const FLY_MS = 700;
const TUMBLE_MS = 450;
const CALM = "cubic-bezier(0.3, 0, 0.2, 1)";

const flying = new Set();
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Where everything lies on the screen, by its spot.
export function rects(root) {
  const found = new Map();
  for (const node of all("[data-spot]", root)) found.set(node.dataset.spot, boxOf(node));
  return found;
}

function boxOf(node) {
  return (node.querySelector(".lies, .die") ?? node).getBoundingClientRect();
}

// End every movement at once: something newer is shown.
export function settle() {
  for (const flyer of flying) flyer.remove();
  flying.clear();
}

export function animate(root, old, before, after, seatOf) {
  if (still.matches || document.hidden || !before || before.players.join() !== after.players.join()) return;
  const spot = (name) => root.querySelector(`[data-spot="${name}"]`);
  for (const row of ROWS) {
    const [was, is] = [before.lawn[row], after.lawn[row]];
    if (was.join() === is.join()) continue;
    const change = changeOf(was, is);
    if (!change) continue;
    for (const side of change.slid) slide(spot(`${row}-${side}`), change.way);
    enter(spot(`${row}-${change.side}`), rowEdge(old, before, change.colour, row), row, change.colour, seatOf);
    if (change.out) leave(root, old.get(`${row}-${change.leaves}`), row, change.out, change.colour, seatOf);
  }
  for (const [colour, row] of Object.entries(after.rows)) {
    const kept = [...before.rows[colour]];
    row.forEach((face, index) => {
      const at = kept.indexOf(face);
      if (at >= 0) kept.splice(at, 1);
      else tumble(spot(`${colour}-${index}`));
    });
  }
}

// How a row of the Lawn came to be another: where the new die lies, what slid, and who left (5:1.B).
function changeOf(was, is) {
  const empty = is.findIndex((owner, at) => owner && !was[at]);
  if (was.includes(null)) {
    return empty < 0 ? null : { side: SIDES[empty], colour: is[empty], slid: [], way: 0, out: null };
  }
  if (is[1] === was[0] && is[2] === was[1]) {
    return { side: "left", colour: is[0], slid: ["center", "right"], way: 1, out: was[2], leaves: "right" };
  }
  if (is[0] === was[1] && is[1] === was[2]) {
    return { side: "right", colour: is[2], slid: ["left", "center"], way: -1, out: was[0], leaves: "left" };
  }
  return null;
}

function rowEdge(old, before, colour, face) {
  const row = before.rows[colour] ?? [];
  const index = row[0] === face ? 0 : row.lastIndexOf(face);
  return old.get(`${colour}-${index}`);
}

function slide(node, way) {
  node?.querySelector(".lies")?.animate(
    [{ transform: `translate(${-way * CELL.width}px, 0)` }, { transform: "none" }],
    { duration: SLIDE_MS, easing: CALM },
  );
}

function enter(node, from, face, colour, seatOf) {
  const lies = node?.querySelector(".lies");
  if (!lies || !from) return;
  const to = lies.getBoundingClientRect();
  lies.animate([{ opacity: 0 }, { opacity: 0 }], { duration: SLIDE_MS });
  fly(face, colour, seatOf(colour), from, to, SLIDE_MS);
}

function leave(root, from, face, owner, by, seatOf) {
  const home = root.querySelector(`.prow[data-colour="${owner}"] .row-dice, .prow[data-colour="${by}"] .captured`);
  if (from && home) fly(face, owner, seatOf(owner), from, home.getBoundingClientRect(), FLY_MS);
}

function fly(face, colour, seat, from, to, duration) {
  const flyer = token(face, colour, seat);
  flyer.classList.add("flyer");
  Object.assign(flyer.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px` });
  document.body.append(flyer);
  flying.add(flyer);
  const x = to.left + (to.width - from.width) / 2 - from.left;
  const y = to.top + (to.height - from.height) / 2 - from.top;
  const moving = flyer.animate(
    [{ transform: "none" }, { transform: `translate(${x}px, ${y}px)` }],
    { duration, easing: CALM, fill: "forwards" },
  );
  moving.finished.catch(() => {}).then(() => {
    flyer.remove();
    flying.delete(flyer);
  });
}

function tumble(node) {
  node?.querySelector(".die")?.animate(
    [
      { transform: "rotate(-150deg) scale(0.6)", opacity: 0.2 },
      { transform: "rotate(12deg) scale(1.06)", opacity: 1, offset: 0.75 },
      { transform: "none" },
    ],
    { duration: TUMBLE_MS, easing: "ease-out" },
  );
}
