// The picture with its boxes; a picture and its boxes always change together.

import { capital, look, svg } from "./dice.js";
import { place } from "./labels.js";
import { grid, hidden } from "./lawn.js";

export class Picture {
  #frame;
  #shown = null; // the state whose picture is on the page
  #wanted = null;
  #loading = false;

  constructor(frame) {
    this.#frame = frame;
    // Labels keep their size on the screen, so they are placed anew when the picture's size changes.
    new ResizeObserver(() => this.#drawBoxes()).observe(frame);
  }

  // Show the state's picture. While one is loading, those in between are passed over.
  async show(state) {
    this.#wanted = state;
    if (this.#loading) return;
    this.#loading = true;
    while (this.#wanted !== null) {
      const next = this.#wanted;
      this.#wanted = null;
      await this.#load(next);
    }
    this.#loading = false;
  }

  async #load(state) {
    if (state.picture === null) return;
    if (state.picture.url !== this.#shown?.picture.url) {
      const image = new Image();
      image.src = state.picture.url;
      image.alt = "";
      try {
        await image.decode();
      } catch {
        return; // not kept any more: a newer state is on its way
      }
      this.#frame.replaceChildren(image);
    }
    this.#shown = state;
    this.#drawBoxes();
  }

  #drawBoxes() {
    for (const drawn of this.#frame.querySelectorAll("svg")) drawn.remove();
    const { picture, reading, doubts, untouched, mat, hidden: covered } = this.#shown ?? {};
    if (!reading) return;
    // A die that something has touched since it was read may lie elsewhere by now.
    const dice = reading.dice
      .map((die, index) => ({ ...die, doubts: doubts[index] }))
      .filter((_, index) => untouched[index]);
    const scale = Math.min(this.#frame.clientWidth / picture.width, this.#frame.clientHeight / picture.height);
    if (scale === 0) return;
    const viewBox = `0 0 ${picture.width} ${picture.height}`;
    const ground = svg("svg", { viewBox, class: "ground", "aria-hidden": "true" });
    if (mat.found) ground.append(grid(mat.corners, scale));
    if (covered.outlines.length > 0) ground.append(hidden(covered.outlines, scale));
    const overlay = svg("svg", { viewBox, class: "overlay", role: "img", "aria-label": inWords(dice) });
    const labels = place(dice, (colour) => look(colour).short, scale, picture.width, picture.height);
    const boxes = dice.map((die) => boxOf(die, scale));
    overlay.append(...boxes, ...dice.map((die, index) => labelOf(die, labels[index], scale)));
    this.#frame.append(ground, overlay);
  }
}

function boxOf(die, scale) {
  const [x0, y0, x1, y1] = die.box;
  const shape = { x: x0, y: y0, width: x1 - x0, height: y1 - y0, rx: 4 / scale };
  const unsure = isUnsure(die);
  const { paint, ink } = look(die.colour);
  const stroke = { stroke: paint, "stroke-width": 3 / scale };
  if (unsure) stroke["stroke-dasharray"] = `${9 / scale} ${6 / scale}`;
  // Dark and light around the die's own colour show on any table; dashes show on what contrasts with them.
  return svg(
    "g",
    { class: unsure ? "box unsure" : "box", "data-colour": die.colour, "data-face": die.face ?? "" },
    svg("title", {}, title(die)),
    svg("rect", { ...shape, class: "casing", "stroke-width": 7 / scale, stroke: "#000000" }),
    svg("rect", { ...shape, class: "casing light", "stroke-width": 5 / scale, stroke: unsure ? ink : "#ffffff" }),
    svg("rect", { ...shape, ...stroke, class: "edge" }),
  );
}

function labelOf(die, { text, x, y, width, height, font }, scale) {
  const { paint, ink } = look(die.colour);
  const edge = { rx: 0.25 * font, fill: paint, stroke: ink, "stroke-width": 1.5 / scale, class: "plate" };
  return svg(
    "g",
    { class: isUnsure(die) ? "label unsure" : "label" },
    svg("rect", { x, y, width, height, ...edge }),
    svg(
      "text",
      { x: x + width / 2, y: y + 0.98 * font, "font-size": font, fill: ink, "text-anchor": "middle" },
      text,
    ),
  );
}

export function isUnsure(die) {
  return die.unsure || die.face === null;
}

function title(die) {
  if (die.face === null) return `${capital(die.colour)}: this die cannot be read`;
  const percent = (p) => `${Math.floor(100 * p)} %`; // never rounded up to a certainty that it is not
  const unsure = die.doubts.length > 0 ? `; unsure: ${die.doubts.join(", ")}` : "";
  const sure = `face ${percent(die.face_p[die.face - 1])}, colour ${percent(die.colour_p[die.colour])}`;
  return `${capital(die.colour)} ${die.face} (${sure}${unsure})`;
}

function inWords(dice) {
  if (dice.length === 0) return "Picture of the table; no dice are seen.";
  const byColour = new Map();
  for (const die of dice) {
    const said = `${die.face ?? "unreadable"}${die.face !== null && die.unsure ? " unsure" : ""}`;
    byColour.set(die.colour, [...(byColour.get(die.colour) ?? []), said]);
  }
  const groups = [...byColour].map(([colour, faces]) => `${colour}: ${faces.sort().join(", ")}`);
  return `Picture of the table; ${dice.length} ${dice.length === 1 ? "die" : "dice"}. ${groups.join("; ")}.`;
}
