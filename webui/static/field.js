// The Lawn as a drawing to the scale of the printed mat: a mown field of six rows of three places, with fences where
// a row is locked. Lengths are mm of the mat.

import { laid, look, token } from "./dice.js";
import { SIDES } from "./model.js";
import { SILENT, svg } from "./nodes.js";

export const CELL = { width: 31, height: 26.5 };
const DIE = 17.6; // a die of 16 mm with the edge that is drawn around it
const LEFT = -11;
const BESIDE = [-7, 3 * CELL.width + 7]; // where the numbers stand
const WIDE = 3 * CELL.width - 2 * LEFT;
const HIGH = 6 * CELL.height + 6;

export function field(label) {
  return svg(
    "svg.field",
    { viewBox: `${LEFT} -3 ${WIDE} ${HIGH}`, role: "group", "aria-label": label },
    svg("rect.earth", { x: -3, y: -2.2, width: 3 * CELL.width + 6, height: 6 * CELL.height + 4.4, rx: 5 }),
  );
}

// The ground of a row: its stripe of grass and its number at both ends.
export function ground(row) {
  const y = (row - 1) * CELL.height;
  return svg(
    row % 2 ? "g.ground-row" : "g.ground-row.light",
    SILENT,
    svg("rect.grass", { x: -1, y, width: 3 * CELL.width + 2, height: CELL.height }),
    ...BESIDE.map((x) => svg("text.number", { x, y: y + CELL.height / 2 + 2.9 }, row)),
  );
}

function cellCorner(row, side) {
  return [SIDES.indexOf(side) * CELL.width, (row - 1) * CELL.height];
}

function cellMiddle(row, side) {
  const [x, y] = cellCorner(row, side);
  return [x + CELL.width / 2, y + CELL.height / 2];
}

export function turf(row, side) {
  const [x, y] = cellCorner(row, side);
  return svg("rect.turf", { x: x + 1.6, y: y + 1.6, width: CELL.width - 3.2, height: CELL.height - 3.2, rx: 3 });
}

export function dieAt(row, side, owner, seat, kind = "lies", face = row) {
  return svg(`g.${kind}`, laid(token(face, owner, seat), cellMiddle(row, side), DIE));
}

// A fence around a locked row, in its owner's colour.
export function fence(row, owner) {
  const y = (row - 1) * CELL.height;
  const box = { x: 0.4, y: y + 0.9, width: 3 * CELL.width - 0.8, height: CELL.height - 1.8, rx: 3.4 };
  return svg(
    "g.fence",
    SILENT,
    svg("rect.rail-under", box),
    svg("rect.rail", { ...box, stroke: look(owner).paint }),
    ...BESIDE.map((x) => padlock(x, y + CELL.height / 2)),
  );
}

function padlock(x, y, kind = "padlock") {
  return svg(
    `g.${kind}`,
    { transform: `translate(${x} ${y})` },
    svg("path.bow", { d: "M-2.3 -0.6V-2.6A2.3 2.3 0 0 1 2.3 -2.6V-0.6" }),
    svg("rect.block", { x: -3.6, y: -0.8, width: 7.2, height: 5.8, rx: 1.2 }),
    svg("circle.hole", { cx: 0, cy: 1.8, r: 0.9 }),
  );
}

// What a placement would do, drawn over the field: the die as it would lie, the row sliding, and who leaves it.
// slides: which way, or null; pushed: whose die leaves; locks: the row that is locked then, or null.
export function preview(row, { side, colour, seat, slides, pushed, locks }) {
  const made = svg("g.preview", SILENT);
  const y = (row - 0.5) * CELL.height;
  if (slides !== null) {
    const way = side === "left" ? 1 : -1;
    const from = side === "left" ? 0 : 3 * CELL.width;
    const leaves = side === "left" ? "right" : "left";
    const [x] = cellMiddle(row, leaves);
    made.append(arrow(from + way * 24.6, y, way * 12.6), arrow(from + way * 55.6, y, way * 12.6));
    const box = { x: x - DIE / 2 - 1.4, y: y - DIE / 2 - 1.4, width: DIE + 2.8, height: DIE + 2.8, rx: 4.6 };
    made.append(svg(pushed === "white" ? "rect.leaves.captured" : "rect.leaves", box));
    made.append(arrow(x + way * 10.4, y, way * 12.6, "away"));
    made.append(svg("g", { transform: `translate(${-way * 23} 0)` }, dieAt(row, side, colour, seat, "ghost")));
  } else {
    made.append(dieAt(row, side, colour, seat, "ghost"));
  }
  if (locks !== null) made.append(...BESIDE.map((x) => padlock(x, y, "padlock.coming")));
  return made;
}

function arrow(x, y, long, kind = "slides") {
  const head = long > 0 ? -4 : 4;
  const d = `M${x} ${y}h${long}m${head} -4l${-head} 4l${head} 4`;
  return svg(`g.arrow.${kind}`, svg("path.under", { d }), svg("path.upper", { d }));
}
