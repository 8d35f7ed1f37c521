// Dice as drawn on the page: colours, words and pips.

import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

// Of every colour: the die, and the pips and words on it (webui/paints.py).
const PAINTS = JSON.parse(document.getElementById("paints")?.textContent ?? "{}");

// Where the pips of a face lie, in thirds of a die: -1, 0, 1.
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

export function look(colour) {
  const [paint, ink] = PAINTS[colour] ?? PAINTS.grey;
  return { paint, ink };
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// What is shown as long as somebody points at a node, by mouse, finger or keyboard.
export function pointing(node, show, hide) {
  for (const event of ["pointerenter", "focusin"]) node.addEventListener(event, show);
  for (const event of ["pointerleave", "focusout"]) node.addEventListener(event, hide);
}

export function button(text, act, kind = "", attributes = {}) {
  const made = element("button", { type: "button", class: kind, ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

// A table of data in a frame that scrolls. heads: its column heads. rows: each a list of cells, the first heads the row.
export function table(heads, rows, kind = "") {
  const line = (cells) => element("tr", {}, ...cells);
  const cell = (held, at) => element(at ? "td" : "th", at ? {} : { scope: "row" }, ...[held].flat());
  const head = element("thead", {}, line(heads.map((held) => element("th", { scope: "col" }, held))));
  const body = element("tbody", {}, ...rows.map((cells) => line(cells.map(cell))));
  return element("div", { class: "scroll" }, element("table", { class: `data ${kind}` }, head, body));
}

// A drawing laid over others: a square of that size around a point.
export function laid(drawn, [x, y], size) {
  const box = { x: x - size / 2, y: y - size / 2, width: size, height: size };
  return fill(drawn, box, []);
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// What is drawn on the dice of each seat besides their colour, so that nobody needs to tell colours apart.
const PATTERNS = {
  ring: { x: 2.7, y: 2.7, width: 24.6, height: 24.6, rx: 4.4, "stroke-width": 1.5 },
  stripes: { d: "M3 12L12 3M3 27L27 3M18 27L27 18", "stroke-width": 2.6 },
};
const OF_SEAT = [null, "ring", "stripes"];

// A drawing that says nothing, where words beside it do.
function silent(drawn) {
  drawn.removeAttribute("role");
  drawn.removeAttribute("aria-label");
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}

// A die of that seat, beside words that say it.
export function token(face, colour, seat) {
  return silent(die(face, colour, seat));
}

// A die without pips: the colour and pattern of a seat.
export function sample(colour, seat) {
  const drawn = token(null, colour, seat);
  drawn.classList.remove("unsure");
  drawn.querySelector(".asks").remove();
  return drawn;
}

// A die seen from above; face null: not readable. Says itself as "5", "5, unsure" or "not readable".
export function die(face, colour, seat = null, unsure = false) {
  const { paint, ink } = look(colour);
  const marked = OF_SEAT[seat] ?? null;
  const says = face === null ? t("live.die-unread") : unsure ? t("live.die-unsure", { face }) : `${face}`;
  const drawn = svg("svg", {
    viewBox: "-2 -2 34 34",
    class: unsure || face === null ? "die unsure" : "die",
    role: "img",
    "aria-label": says,
  });
  drawn.append(svg("rect", { x: 0, y: 0, width: 30, height: 30, rx: 6.5, fill: paint, class: "body" }));
  if (marked === "ring") drawn.append(svg("rect", { ...PATTERNS.ring, class: "mark", stroke: ink }));
  if (marked === "stripes") drawn.append(svg("path", { ...PATTERNS.stripes, class: "mark", stroke: ink }));
  for (const [x, y] of PIPS[face] ?? []) {
    drawn.append(svg("circle", { cx: 15 + 7.7 * x, cy: 15 + 7.7 * y, r: 2.9, fill: ink }));
  }
  if (face === null) {
    drawn.append(svg("text", { x: 15, y: 22, fill: ink, class: "asks" }, "?"));
  } else if (unsure) {
    drawn.append(
      svg("circle", { cx: 25, cy: 5, r: 6.5, class: "flag" }),
      svg("text", { x: 25, y: 8.8, class: "flag-asks" }, "?"),
    );
  }
  return drawn;
}
