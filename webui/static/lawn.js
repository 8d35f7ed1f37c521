// What lies over the picture besides dice: the lawn's grid, and what is hidden.

import { laid, token } from "./dice.js";
import { seatOf } from "./model.js";
import { svg } from "./nodes.js";

const PLACES = 3;
const ROWS = 6;
const NUMBER = 22; // of a row, its circle's width on the screen, px, where the rows are that high

// The lines between the places, as paths: first the edge at row 1, then those below it, then those from row to row.
// corners: row 1 left, row 1 right, row 6 right, row 6 left, px.
export function lines(corners) {
  const place = placer(corners);
  const rows = Array.from({ length: ROWS + 1 }, (_, row) => [[0, row / ROWS], [1, row / ROWS]]);
  const columns = Array.from({ length: PLACES + 1 }, (_, column) => [[column / PLACES, 0], [column / PLACES, 1]]);
  return [...rows, ...columns].map(([start, end]) => `M${place(...start)}L${place(...end)}`);
}

// Where the numbers stand at both sides of the rows: boxes {x, y, width, height}, px of the picture.
// scale: px on the screen per px of the picture.
export function numbers(corners, scale) {
  const place = placer(corners);
  const [[x0, y0], , , [x3, y3]] = corners;
  const size = Math.min(NUMBER / scale, Math.hypot(x3 - x0, y3 - y0) / 8);
  return Array.from({ length: 2 * ROWS }, (_, at) => {
    const [x, y] = place(at % 2 ? 1.07 : -0.07, ((at >> 1) + 0.5) / ROWS);
    return { x: x - size / 2, y: y - size / 2, width: size, height: size };
  });
}

export function grid(corners, scale) {
  const d = lines(corners).join("");
  const made = svg("g.lawn", svg("path.under", { d, "stroke-width": 4 / scale }), svg("path.line", { d, "stroke-width": 2 / scale }));
  numbers(corners, scale).forEach(({ x, y, width: size }, at) => {
    const [cx, cy] = [x + size / 2, y + size / 2];
    made.append(
      svg("circle", { cx, cy, r: size / 2 }),
      svg("text", { x: cx, y: cy + 0.21 * size, "font-size": 0.59 * size, "text-anchor": "middle" }, (at >> 1) + 1),
    );
  });
  return made;
}

// The dice of the Lawn as the match expects them, each over its place.
export function expected(corners, game) {
  const place = placer(corners);
  const made = svg("g.expected");
  for (const [row, owners] of Object.entries(game.position.lawn)) {
    owners.forEach((owner, at) => {
      if (!owner) return;
      const [u, v] = [(at + 0.5) / PLACES, (row - 0.5) / ROWS];
      const [left, right] = [place(u - 0.5 / PLACES, v), place(u + 0.5 / PLACES, v)];
      const size = 0.62 * Math.hypot(right[0] - left[0], right[1] - left[1]);
      made.append(laid(token(Number(row), owner, seatOf(game, owner)), place(u, v), size));
    });
  }
  return made;
}

// outlines: lists of [x, y], px. There nothing is known: it is hatched, as in drawings of lawn read.
export function hidden(outlines, scale) {
  const made = svg("g.hidden");
  const step = 12 / scale;
  const hatch = svg(
    "pattern",
    { id: "hatch", width: step, height: step, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect.veil", { width: step, height: step }),
    svg("rect.stripe", { width: step / 7, height: step }),
  );
  made.append(svg("defs", {}, hatch));
  for (const outline of outlines) {
    made.append(svg("polygon", { points: outline.join(" "), fill: "url(#hatch)", "stroke-width": 2 / scale }));
  }
  return made;
}

// Where a point of the unit square lies between the corners (Heckbert 1989, 2.2.3).
function placer([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const det = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const g = (sx * dy2 - dx2 * sy) / det;
  const h = (dx1 * sy - sx * dy1) / det;
  return (u, v) => {
    const w = g * u + h * v + 1;
    const x = ((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / w;
    const y = ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / w;
    return [x, y];
  };
}
