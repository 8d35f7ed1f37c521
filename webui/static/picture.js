// The picture with its boxes; a picture and its boxes always change together.

import { capital, look } from "./dice.js";
import { place } from "./labels.js";
import { expected, grid, hidden, numbers } from "./lawn.js";
import { colourWord, percent } from "./model.js";
import { all, hear, svg } from "./nodes.js";
import { t } from "./texts.js";

const MARGIN = 0.6; // around what is looked at, in widths of a die
const NEAREST = 5; // times

// tap(key): somebody points at a die that the match knows.
export function makePicture(frame, tap) {
  let near = false; // whether only the part of the picture with the mat and the dice is shown
  let part = null; // x0, y0, x1, y1 px: that part
  let shown = null; // the state whose picture is on the page
  let wanted = null;
  let loading = false;
  let game = null;
  hear(frame, "click", (event) => {
    const die = dieAt(event);
    if (die) tap(die.key);
  });
  // Labels keep their size on the screen, whatever the picture's.
  new ResizeObserver(redraw).observe(frame);

  // Show the state's picture. While one is loading, those in between are passed over.
  async function show(state, match) {
    game = match;
    wanted = state;
    if (loading) return;
    loading = true;
    while (wanted !== null) {
      const next = wanted;
      wanted = null;
      await load(next);
    }
    loading = false;
  }

  async function load(state) {
    if (state.picture === null) return;
    if (state.picture.url !== shown?.picture.url) {
      const image = new Image();
      image.src = state.picture.url;
      image.alt = "";
      try {
        await image.decode();
      } catch {
        return; // not kept any more: a newer state is on its way
      }
      frame.replaceChildren(image);
    }
    shown = state;
    redraw();
  }

  function come(nearer) {
    near = nearer;
    redraw();
  }

  function dieAt(event) {
    const drawn = frame.querySelector(".overlay");
    if (!drawn) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawn.getScreenCTM().inverse());
    return game?.table?.dice.find(({ box: [x0, y0, x1, y1] }) => x >= x0 && x <= x1 && y >= y0 && y <= y1);
  }

  // How many times larger the picture is shown, so that the mat and the dice fill the frame.
  function nearness({ picture, reading, mat }, scale) {
    const points = (reading?.dice ?? []).flatMap(({ box: [x0, y0, x1, y1] }) => [[x0, y0], [x1, y1]]);
    if (mat.found) points.push(...mat.corners);
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const die = reading?.dice[0] ? reading.dice[0].box[2] - reading.dice[0].box[0] : 0;
    const gap = MARGIN * die;
    const filled = [Math.min(...xs) - gap, Math.min(...ys) - gap, Math.max(...xs) + gap, Math.max(...ys) + gap];
    // Dice that move a little do not move the whole picture.
    const inside = part?.every((edge, at) => (at < 2 ? edge <= filled[at] : edge >= filled[at]));
    if (!inside || area(part) > 1.6 * area(filled)) part = filled.map((edge, at) => edge + (at < 2 ? -gap : gap));
    const [width, height] = [frame.clientWidth, frame.clientHeight];
    let times = 1;
    let [left, top] = [0, 0];
    if (near && points.length > 2) {
      const [x0, y0, x1, y1] = part;
      times = Math.max(1, Math.min(NEAREST, width / ((x1 - x0) * scale), height / ((y1 - y0) * scale)));
      left = shift(width, picture.width * scale, ((x0 + x1) / 2) * scale, times);
      top = shift(height, picture.height * scale, ((y0 + y1) / 2) * scale, times);
    }
    const moved = times === 1 ? "" : `translate(${left}px, ${top}px) scale(${times})`;
    return { times, moved };
  }

  function redraw() {
    for (const drawn of all("svg", frame)) drawn.remove();
    if (!shown?.picture) return;
    const { picture, reading, doubts, untouched, mat, hidden: covered } = shown;
    const whole = Math.min(frame.clientWidth / picture.width, frame.clientHeight / picture.height);
    if (whole === 0) return;
    const { times, moved } = nearness(shown, whole);
    const image = frame.querySelector("img");
    if (image) image.style.transform = moved;
    if (!reading) return;
    // A die that something has touched since it was read may lie elsewhere by now.
    const dice = reading.dice
      .map((die, index) => ({ ...die, doubts: doubts[index] }))
      .filter((_, index) => untouched[index]);
    const scale = whole * times;
    const viewBox = `0 0 ${picture.width} ${picture.height}`;
    const ground = svg(
      "svg.ground",
      { viewBox, "aria-hidden": "true" },
      mat.found && grid(mat.corners, scale),
      mat.found && game && expected(mat.corners, game),
      covered.outlines.length > 0 && hidden(covered.outlines, scale),
    );
    const labels = place(dice, scale, picture, mat.found ? numbers(mat.corners, scale) : []);
    const overlay = svg(
      "svg.overlay",
      { viewBox, role: "img", "aria-label": inWords(dice) },
      ...dice.map((die) => boxOf(die, scale)),
      ...dice.map((die, index) => labelOf(die, labels[index], scale)),
    );
    for (const drawn of [ground, overlay]) drawn.style.transform = moved;
    frame.append(ground, overlay);
  }

  return { show, come };
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
  // Dark and light around the die's own colour show on any table; dashes show on what contrasts with them.
  const dashes = unsure ? `${9 / scale} ${6 / scale}` : null;
  return svg(
    unsure ? "g.box.unsure" : "g.box",
    { "data-colour": die.colour, "data-face": die.face ?? "" },
    svg("title", {}, title(die)),
    svg("rect.casing", { ...shape, "stroke-width": 7 / scale, stroke: "#000000" }),
    svg("rect.casing.light", { ...shape, "stroke-width": 5 / scale, stroke: unsure ? ink : "#ffffff" }),
    svg("rect.edge", { ...shape, "stroke-width": 3 / scale, stroke: paint, "stroke-dasharray": dashes }),
  );
}

function labelOf(die, { text, x, y, width, height, font }, scale) {
  const { paint, ink } = look(die.colour);
  const edge = { rx: 0.25 * font, fill: paint, stroke: ink, "stroke-width": 1.5 / scale };
  return svg(
    isUnsure(die) ? "g.label.unsure" : "g.label",
    svg("rect.plate", { x, y, width, height, ...edge }),
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
