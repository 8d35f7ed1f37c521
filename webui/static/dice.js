// Dice as drawn on the page: colours, patterns and pips.

import { at, fill, named, svg } from "./nodes.js";
import { t } from "./texts.js";

// Of every colour: the die, and the pips and words on it (webui/paints.py).
const PAINTS = JSON.parse(at("paints")?.textContent ?? "{}");

// Where the pips of a face lie: the thirds of a die counted from 0 at its upper left to 8 at its lower right.
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

export function look(colour) {
  const [paint, ink] = PAINTS[colour] ?? PAINTS.grey;
  return { paint, ink };
}

// A node in the colour of somebody's dice, for what its style sheet makes of that.
export function painted(node, colour) {
  node.style.setProperty("--paint", look(colour).paint);
  return node;
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// A drawing laid over others: a square of that size around a point.
export function laid(drawn, [x, y], size) {
  return fill(drawn, { x: x - size / 2, y: y - size / 2, width: size, height: size });
}

// A die without pips, beside words that say it: the colour of a seat, and its pattern, so that nobody needs to tell
// colours apart.
export function sample(colour, seat) {
  const { paint, ink } = look(colour);
  return svg(
    "svg.die",
    { viewBox: "-2 -2 34 34", "aria-hidden": "true" },
    svg("rect.body", { x: 0, y: 0, width: 30, height: 30, rx: 6.5, fill: paint }),
    seat === 1 && svg("rect.mark", { x: 2.7, y: 2.7, width: 24.6, height: 24.6, rx: 4.4, "stroke-width": 1.5, stroke: ink }),
    seat === 2 && svg("path.mark", { d: "M3 12L12 3M3 27L27 3M18 27L27 18", "stroke-width": 2.6, stroke: ink }),
  );
}

// A die of a seat as seen from above, beside words that say it; face null: not readable.
export function token(face, colour, seat) {
  const { ink } = look(colour);
  const drawn = sample(colour, seat);
  for (const third of PIPS[face] ?? []) {
    drawn.append(svg("circle", { cx: 7.3 + 7.7 * (third % 3), cy: 7.3 + 7.7 * Math.floor(third / 3), r: 2.9, fill: ink }));
  }
  if (face === null) drawn.append(svg("text.asks", { x: 15, y: 22, fill: ink }, "?"));
  drawn.classList.toggle("unsure", face === null);
  return drawn;
}

// One that says itself: "5", "5, unsure" or "not readable".
export function die(face, colour, unsure = false) {
  const says = face === null ? t("live.die-unread") : unsure ? t("live.die-unsure", { face }) : `${face}`;
  const drawn = fill(token(face, colour), named("img", says));
  drawn.removeAttribute("aria-hidden");
  if (face === null || !unsure) return drawn;
  drawn.classList.add("unsure");
  return fill(drawn, svg("circle.flag", { cx: 25, cy: 5, r: 6.5 }), svg("text.flag-asks", { x: 25, y: 8.8 }, "?"));
}
