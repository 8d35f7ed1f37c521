// Where the words beside the boxes go: next to their die, on as little of the others as possible.

import { colourWord } from "./model.js";
import { t } from "./texts.js";

const LETTER = 0.6; // width of a letter, in font sizes
const LEAST = 11; // font sizes on the screen, px
const MOST = 30;
const WORD_WORTH = 0.2; // a whole colour word may cover this much more of a die than its short form

// dice: as in the state, each with its doubts; scale: px on the screen per px of the picture.
// Returns a label a die: {text, x, y, width, height, font}, in px of the picture.
export function place(dice, scale, width, height) {
  const boxes = dice.map(({ box: [x0, y0, x1, y1] }) => ({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
  const taken = [];
  return dice.map((die, index) => {
    const box = boxes[index];
    const font = Math.min(MOST, Math.max(LEAST, 0.34 * box.width * scale)) / scale;
    const others = [...boxes.filter((_, other) => other !== index), ...taken];
    let best = null;
    for (const [loss, word] of [[0, colourWord(die.colour)], [WORD_WORTH, t(`colour.short-${die.colour}`)]]) {
      const text = wording(die, word);
      const size = { width: (text.length * LETTER + 0.7) * font, height: 1.35 * font };
      for (const [at, spot] of spots(box, size).entries()) {
        const label = { ...keepInside(spot, size, width, height), ...size, text, font };
        const covered = others.reduce((sum, other) => sum + overlap(label, other), 0);
        const own = overlap(label, box);
        const cost = (covered + 0.7 * own) / (box.width * box.height) + loss + 0.01 * at;
        if (best === null || cost < best.cost) best = { ...label, cost };
      }
    }
    taken.push(best);
    return best;
  });
}

// "5 red"; a question mark follows what is unsure: "5? red", "5 red?"; for the die itself it leads.
function wording({ face, doubts }, word) {
  const mark = (part) => (doubts.includes(part) ? "?" : "");
  return `${mark("die")}${face ?? ""}${face === null ? "?" : mark("face")} ${word}${mark("colour")}`;
}

function spots(box, size) {
  const middle = box.x + (box.width - size.width) / 2;
  const beside = box.y + (box.height - size.height) / 2;
  return [
    { x: middle, y: box.y - size.height },
    { x: middle, y: box.y + box.height },
    { x: box.x + box.width, y: beside },
    { x: box.x - size.width, y: beside },
  ];
}

function keepInside({ x, y }, size, width, height) {
  return {
    x: Math.max(0, Math.min(x, width - size.width)),
    y: Math.max(0, Math.min(y, height - size.height)),
  };
}

function overlap(a, b) {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}
