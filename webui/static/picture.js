// The picture with its boxes; a picture and its boxes always change together.

import { capital, look, svg } from "./dice.js";
import { place } from "./labels.js";
import { expected, grid, hidden } from "./lawn.js";
import { colourWord, percent } from "./model.js";
import { t } from "./texts.js";

const MARGIN = 0.6; // around what is looked at, in widths of a die
const NEAREST = 5; // times

export class Picture {
  near = null; // whether only the part of the picture with the mat and the dice is shown; null: not said yet
  #frame;
  #part = null; // x0, y0, x1, y1 px: that part
  #shown = null; // the state whose picture is on the page
  #wanted = null;
  #loading = false;
  #game = null;

  // tap(key): somebody points at a die that the match knows.
  constructor(frame, tap) {
    this.#frame = frame;
    frame.addEventListener("click", (event) => {
      const die = this.#dieAt(event);
      if (die) tap(die.key);
    });
    // Labels keep their size on the screen, whatever the picture's.
    new ResizeObserver(() => this.redraw()).observe(frame);
  }

  // Show the state's picture. While one is loading, those in between are passed over.
  async show(state, game) {
    this.#game = game;
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
    this.redraw();
  }

  #dieAt(event) {
    const drawn = this.#frame.querySelector(".overlay");
    if (!drawn) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawn.getScreenCTM().inverse());
    return this.#game?.table?.dice.find(({ box: [x0, y0, x1, y1] }) => x >= x0 && x <= x1 && y >= y0 && y <= y1);
  }

  // How many times larger the picture is shown, so that the mat and the dice fill the frame.
  #come({ picture, reading, mat }, scale) {
    const points = (reading?.dice ?? []).flatMap(({ box: [x0, y0, x1, y1] }) => [[x0, y0], [x1, y1]]);
    if (mat.found) points.push(...mat.corners);
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const die = reading?.dice[0] ? reading.dice[0].box[2] - reading.dice[0].box[0] : 0;
    const gap = MARGIN * die;
    const part = [Math.min(...xs) - gap, Math.min(...ys) - gap, Math.max(...xs) + gap, Math.max(...ys) + gap];
    // Dice that move a little do not move the whole picture.
    const inside = this.#part?.every((edge, at) => (at < 2 ? edge <= part[at] : edge >= part[at]));
    if (!inside || area(this.#part) > 1.6 * area(part)) this.#part = part.map((edge, at) => edge + (at < 2 ? -gap : gap));
    const [width, height] = [this.#frame.clientWidth, this.#frame.clientHeight];
    let times = 1;
    let [left, top] = [0, 0];
    if (this.near && points.length > 2) {
      const [x0, y0, x1, y1] = this.#part;
      times = Math.max(1, Math.min(NEAREST, width / ((x1 - x0) * scale), height / ((y1 - y0) * scale)));
      left = shift(width, picture.width * scale, ((x0 + x1) / 2) * scale, times);
      top = shift(height, picture.height * scale, ((y0 + y1) / 2) * scale, times);
    }
    const moved = times === 1 ? "" : `translate(${left}px, ${top}px) scale(${times})`;
    return { times, moved };
  }

  redraw() {
    for (const drawn of this.#frame.querySelectorAll("svg")) drawn.remove();
    if (!this.#shown?.picture) return;
    const { picture, reading, doubts, untouched, mat, hidden: covered } = this.#shown;
    const whole = Math.min(this.#frame.clientWidth / picture.width, this.#frame.clientHeight / picture.height);
    if (whole === 0) return;
    const { times, moved } = this.#come(this.#shown, whole);
    const image = this.#frame.querySelector("img");
    if (image) image.style.transform = moved;
    if (!reading) return;
    // A die that something has touched since it was read may lie elsewhere by now.
    const dice = reading.dice
      .map((die, index) => ({ ...die, doubts: doubts[index] }))
      .filter((_, index) => untouched[index]);
    const scale = whole * times;
    const viewBox = `0 0 ${picture.width} ${picture.height}`;
    const ground = svg("svg", { viewBox, class: "ground", "aria-hidden": "true" });
    if (mat.found) ground.append(grid(mat.corners, scale));
    if (mat.found && this.#game) ground.append(expected(mat.corners, this.#game));
    if (covered.outlines.length > 0) ground.append(hidden(covered.outlines, scale));
    const overlay = svg("svg", { viewBox, class: "overlay", role: "img", "aria-label": inWords(dice) });
    const labels = place(dice, scale, picture.width, picture.height);
    const boxes = dice.map((die) => boxOf(die, scale));
    overlay.append(...boxes, ...dice.map((die, index) => labelOf(die, labels[index], scale)));
    for (const drawn of [ground, overlay]) drawn.style.transform = moved;
    this.#frame.append(ground, overlay);
  }
}

// Where a picture of that length, centered in the frame, starts when it is shown larger around a point of it.
function shift(frame, length, point, times) {
  const edge = (frame - length) / 2;
  const [least, most] = [frame - (edge + length) * times, -edge * times];
  if (least > most) return (frame * (1 - times)) / 2; // it does not fill the frame
  return Math.min(most, Math.max(least, frame / 2 - (edge + point) * times));
}

function area([x0, y0, x1, y1]) {
  return (x1 - x0) * (y1 - y0);
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
  const colour = capital(colourWord(die.colour));
  if (die.face === null) return t("live.box-unread", { colour });
  const sure = { face_p: percent(die.face_p[die.face - 1]), colour_p: percent(die.colour_p[die.colour]) };
  const unsure = die.doubts.map((each) => t(`live.doubt-${each}`)).join(", ");
  return t(unsure ? "live.box-unsure" : "live.box", { colour, face: die.face, ...sure, unsure });
}

function inWords(dice) {
  if (dice.length === 0) return t("live.pic-empty");
  const byColour = new Map();
  for (const die of dice) {
    const said = die.face === null ? t("live.pic-unread") : die.unsure ? t("live.pic-unsure", { face: die.face }) : `${die.face}`;
    byColour.set(die.colour, [...(byColour.get(die.colour) ?? []), said]);
  }
  const groups = [...byColour].map(([colour, faces]) => `${colourWord(colour)}: ${faces.sort().join(", ")}`);
  return t("live.pic", { count: dice.length, list: groups.join("; ") });
}
