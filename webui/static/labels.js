// Where the words beside the boxes go: next to their die, and never over another die or its words, or a row's number, as
// long as there is a place, a shorter word or a smaller font that needs none of theirs; where everything is taken, at the foot of their own.

import { colourWord } from "./model.js";
import { t } from "./texts.js";

const LETTER = 0.6; // width of a letter, in font sizes
const LEAST = 11; // font sizes on the screen, px
const MOST = 30;
const SMALLER = [1, 0.8];
// What else a label costs: a share of another die covered, of its own, a short colour word, smaller letters, a next spot.
const [COVERS, COVERS_OWN, SHORT, SMALL, NEXT] = [30, 0.7, 0.2, 0.3, 0.01];

// dice: as in the state, each with its doubts; scale: px on the screen per px of the picture; taken: boxes of what else
// is to be read there. Returns a label a die: {text, x, y, width, height, font}, in px of the picture.
export function place(dice, scale, { width, height }, taken) {
  const boxes = dice.map(({ box: [x0, y0, x1, y1] }) => ({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
  const labels = [];
  // Those in a crowd choose first: the others have room enough.
  const crowd = boxes.map((box) => boxes.filter((other) => overlap(wider(box), other) > 0).length);
  for (const index of [...boxes.keys()].sort((a, b) => crowd[b] - crowd[a])) {
    const [die, box] = [dice[index], boxes[index]];
    const others = [...taken, ...boxes.filter((each) => each !== box), ...labels.filter(Boolean)];
    for (const [shorter, word] of [colourWord(die.colour), t(`colour.short-${die.colour}`)].entries()) {
      for (const smaller of SMALLER) {
        const text = wording(die, word);
        const font = Math.min(MOST, Math.max(LEAST * smaller, 0.34 * smaller * box.width * scale)) / scale;
        const size = { width: (text.length * LETTER + 0.7) * font, height: 1.35 * font };
        for (const [next, spot] of spots(box, size).entries()) {
          const label = { ...keepInside(spot, size, width, height), ...size, text, font };
          const covered = others.reduce((sum, other) => sum + overlap(label, other), 0);
          const shares = (COVERS * covered + COVERS_OWN * overlap(label, box)) / (box.width * box.height);
          const cost = shares + SHORT * shorter + SMALL * (1 - smaller) + NEXT * next;
          if (!labels[index] || cost < labels[index].cost) labels[index] = { ...label, cost };
        }
      }
    }
  }
  return labels;
}

// "5 red"; a question mark follows what is unsure: "5? red", "5 red?"; for the die itself it leads.
function wording({ face, doubts }, word) {
  const mark = (part) => (doubts.includes(part) ? "?" : "");
  return `${mark("die")}${face ?? ""}${face === null ? "?" : mark("face")} ${word}${mark("colour")}`;
}

// Above and below, then at both sides, each in the middle or flush with an edge; at last on the die's own foot.
function spots({ x, y, width, height }, size) {
  const along = (start, room) => [start + room / 2, start, start + room];
  const across = along(x, width - size.width).flatMap((left) => [[left, y - size.height], [left, y + height]]);
  const beside = along(y, height - size.height).flatMap((top) => [[x + width, top], [x - size.width, top]]);
  return [...across, ...beside, [x + (width - size.width) / 2, y + height - size.height]];
}

function keepInside([x, y], size, width, height) {
  return {
    x: Math.max(0, Math.min(x, width - size.width)),
    y: Math.max(0, Math.min(y, height - size.height)),
  };
}

function wider({ x, y, width, height }) {
  return { x: x - width, y: y - height, width: 3 * width, height: 3 * height };
}

function overlap(a, b) {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}
