// Where the words beside the boxes go: next to their die, on as little of the others as possible.

const LETTER = 0.6; // width of a letter, in font sizes

// dice: as in the state; scale: px on the screen per px of the picture.
// Returns a label a die: {text, x, y, width, height, font}, in px of the picture.
export function place(dice, shorts, scale, width, height) {
  const boxes = dice.map(({ box: [x0, y0, x1, y1] }) => ({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
  const taken = [];
  return dice.map((die, index) => {
    const box = boxes[index];
    const font = Math.min(30, Math.max(12, 0.34 * box.width * scale)) / scale;
    const face = `${die.face ?? ""}${die.unsure || die.face === null ? "?" : ""}`;
    const others = [...boxes.filter((_, other) => other !== index), ...taken];
    let best = null;
    for (const [loss, word] of [[0, die.colour], [0.15, shorts(die.colour)]]) {
      const text = `${face} ${word}`;
      const size = { width: (text.length * LETTER + 0.7) * font, height: 1.35 * font };
      for (const [at, spot] of spots(box, size).entries()) {
        const label = { ...keepInside(spot, size, width, height), ...size, text, font };
        const covered = others.reduce((sum, other) => sum + overlap(label, other), 0);
        const own = overlap(label, box);
        const cost = (covered + 0.7 * own) / (size.width * size.height) + loss + 0.01 * at;
        if (best === null || cost < best.cost) best = { ...label, cost };
      }
    }
    taken.push(best);
    return best;
  });
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
