// Dice as drawn on the page: colours, words and pips.

import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

// paint: the die; ink: its pips and the words on it, chosen for a contrast of at least 4.5 to 1.
const COLOURS = {
  white: { paint: "#f8f7f2", ink: "#1c1c1c", short: "wh" },
  black: { paint: "#242427", ink: "#ffffff", short: "bk" },
  grey: { paint: "#9aa0a6", ink: "#141414", short: "gy" },
  red: { paint: "#c2302c", ink: "#ffffff", short: "rd" },
  orange: { paint: "#ee8a24", ink: "#1f1200", short: "or" },
  yellow: { paint: "#f4cd2a", ink: "#1f1a00", short: "ye" },
  green: { paint: "#23793a", ink: "#ffffff", short: "gn" },
  blue: { paint: "#2360c4", ink: "#ffffff", short: "bl" },
  purple: { paint: "#7540ab", ink: "#ffffff", short: "pu" },
  pink: { paint: "#f19abf", ink: "#2a0816", short: "pk" },
  brown: { paint: "#74462a", ink: "#ffffff", short: "bn" },
};

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
  return COLOURS[colour] ?? COLOURS.grey;
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function button(text, act, kind = "") {
  const made = element("button", { type: "button", class: kind }, text);
  made.addEventListener("click", act);
  return made;
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
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

export function pattern(seat) {
  return OF_SEAT[seat] ?? null;
}

// A drawing that says nothing, where words beside it do.
export function silent(drawn) {
  drawn.removeAttribute("role");
  drawn.removeAttribute("aria-label");
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}

// A die without pips: the colour and pattern of a seat.
export function sample(colour, seat) {
  const drawn = silent(die(null, colour, false, pattern(seat)));
  drawn.classList.remove("unsure");
  drawn.querySelector(".asks").remove();
  return drawn;
}

// A die seen from above; face null: not readable. Says itself as "5", "5, unsure" or "not readable".
export function die(face, colour, unsure = false, marked = null) {
  const { paint, ink } = look(colour);
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
