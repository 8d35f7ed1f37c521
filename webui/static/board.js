// The table as the match knows it: the Lawn and, around it as on the mat, every Player Row with its captured dice.

import { animate, rects, settle } from "./motion.js";
import { painted, sample, token } from "./dice.js";
import { dieAt, fence, field, ground, preview, turf } from "./field.js";
import { NEUTRAL, ROWS, SIDES, believed, colourBeside, colourWord, placeWords, seatOf, who } from "./model.js";
import { all, button, focusIn, hear, named, noticing, pointing, svg, tag } from "./nodes.js";
import { t } from "./texts.js";

// on: {act(action), fix(what)}: what a tap means.
export function makeBoard(root, on) {
  let match = null;
  let can = {}; // {act, fix}: whether this viewer may play by hand and correct what is read
  let seen = new Map(); // as of seenAt
  let lawn = null;
  let lit = [];
  let isNew = noticing();

  function draw(game, may) {
    if (!isNew(game.position, game.legal, keysOf(game.table), game.corrected, may, game.players)) return;
    const before = match?.position;
    const old = before && rects(root);
    const focused = focusIn(root)?.dataset.spot;
    [match, can, seen] = [game, may, seenAt(game)];
    settle();
    const rows = match.players.map(playerRow);
    root.dataset.players = rows.length;
    lawn = drawLawn();
    root.replaceChildren(rows[1], lawn, ...rows.slice(2), rows[0]);
    if (focused) spotOf(focused)?.focus();
    light(lit);
    if (before) animate(root, old, before, match.position, (owner) => seatOf(match, owner));
  }

  function clear() {
    isNew = noticing();
    match = null;
    root.replaceChildren();
  }

  function spotOf(name) {
    return root.querySelector(`[data-spot="${name}"]`);
  }

  function drawLawn() {
    const made = field(t("live.lawn"));
    made.append(...ROWS.map(ground));
    for (const row of ROWS) {
      const { places: owners, locked } = match.board.lawn[row - 1];
      const words = locked ? t("live.row-locked", { row, name: who(match, locked) }) : t("game.row", { number: row });
      const cells = SIDES.map((side, index) => cell(row, side, owners[index]));
      made.append(svg("g.lawn-row", named("group", words), ...cells, locked && fence(row, locked)));
    }
    return made;
  }

  // What a tap does where `action` may be played by hand, or where something was read: null where it does nothing.
  function tapOf(action, what) {
    if (action && can.act) return () => on.act(action);
    return can.fix && match.table !== null ? () => on.fix(what) : null;
  }

  function cell(row, side, owner) {
    const action = match.legal.find((each) => each.kind === "place" && each.row === row && each.side === side);
    const spot = `${row}-${side}`;
    const tap = tapOf(action, { key: seen.get(spot)?.key, place: { row, side }, face: row, owner });
    const place = placeWords(match, { row, side });
    const lying = owner ? t("live.lies", { place, owner: who(match, owner) }) : t("live.free", { place });
    const made = svg(
      `g.cell${action ? ".legal" : ""}${tap ? ".taps" : ""}`,
      {
        "data-spot": spot,
        "data-owner": owner ?? "",
        "aria-label": action ? `${lying} ${t("live.can-place", { face: row })}` : lying,
        role: tap ? "button" : "img",
        tabindex: tap && 0,
      },
      turf(row, side),
      owner && dieAt(row, side, owner, seatOf(match, owner)),
    );
    if (tap) onTap(made, tap);
    // Where the die may not go, the program says why.
    else if (can.act && match.position.phase === "placement") hear(made, "click", () => on.act({ action: `place ${row} ${side}` }));
    return action ? shows(made, [action]) : made;
  }

  function playerRow({ colour }, seat) {
    const turn = match.position.turn === colour;
    const says = { "data-colour": colour, "aria-label": t("live.row-of", { name: who(match, colour) }) };
    return painted(tag(`section.prow.seat-${seat}${turn ? ".turn" : ""}`, says, plate(colour, seat, turn), rowDice(colour, seat)), colour);
  }

  function plate(colour, seat, turn) {
    const name = who(match, colour);
    const faces = match.position.captured[colour];
    const label = t("live.captured-by", { name, faces: faces.join(", ") });
    return tag(
      "div.plate",
      sample(colour, seat),
      tag("span.name", name),
      tag("span.word", colourBeside(match, colour)),
      turn && tag("span.its-turn", t("live.turn")),
      faces.length > 0 && tag("span.captured", named("img", label), ...faces.map((face) => token(face, NEUTRAL))),
    );
  }

  function rowDice(colour, seat) {
    const { position, legal } = match;
    const row = position.rows[colour];
    const air = airborne(position, colour);
    const dice = row.map((face, index) => {
      const acts = position.turn === colour ? legal.filter((each) => holds(each, index)) : [];
      const rolls = acts.find((each) => each.kind === "boundary");
      const plays = acts.some((each) => each.kind === "place");
      const spot = `${colour}-${index}`;
      const tap = tapOf(rolls, { key: seen.get(spot)?.key, place: { area: "row", seat }, face, owner: colour });
      const kinds = ["row-die", ...new Set(acts.map((each) => each.kind)), ...(air.has(index) ? ["air"] : [])].join(" ");
      const label = [`${colourWord(colour)} ${face}`, rolls && t("live.can-roll"), plays && t("live.playable")].filter(Boolean);
      const says = { "data-spot": spot, "data-face": face, "aria-label": label.join(", ") };
      const drawn = token(face, colour, seat);
      const made = tap ? button(drawn, tap, kinds, says) : tag("span", { ...says, class: kinds, role: "img" }, drawn);
      return acts[0] ? shows(made, rolls ? [rolls] : acts) : made;
    });
    return tag("div.row-dice", ...(dice.length ? dice : [tag("span.no-dice", t("live.row-empty"))]));
  }

  // Pointing at something that can be played shows what it would do.
  function shows(node, actions) {
    return pointing(node, () => previews(actions), () => previews([]));
  }

  function previews(actions) {
    for (const old of all(".preview", root)) old.remove();
    for (const old of all(".shown", root)) old.classList.remove("shown");
    if (!match) return;
    const colour = match.position.turn;
    for (const { die, dice = die === undefined ? [] : [die], kind, face, side, row, effect } of actions) {
      for (const index of dice) spotOf(`${colour}-${index}`)?.classList.add("shown");
      if (kind !== "place") continue;
      spotOf(`${face}-${side}`)?.classList.add("shown");
      // Two pushes of one row would lie over each other: then only the places are marked.
      if (actions.filter((each) => each.row === row).length > 1) continue;
      lawn.append(preview(face, { side, colour, seat: seatOf(match, colour), ...effect }));
    }
  }

  // Light the places and dice that something is said of.
  function light(spots) {
    lit = spots;
    for (const old of all(".lit", root)) old.classList.remove("lit");
    for (const old of all(".strange", root)) old.remove();
    for (const { row, side, seat } of spots) {
      const node = row ? spotOf(`${row}-${side}`) : root.querySelector(`.prow.seat-${seat}`);
      node?.classList.add("lit");
      // What lies on a lit place, where it is not what is expected there.
      const lies = node && row && seen.get(`${row}-${side}`);
      if (!lies || (lies.colour === node.dataset.owner && lies.face === row)) continue;
      node.append(dieAt(row, side, lies.colour, seatOf(match, lies.colour), "strange", lies.face));
    }
  }

  return { draw, clear, previews, light };
}

function onTap(node, act) {
  hear(node, "click", act);
  hear(node, "keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
}

function holds(action, index) {
  return action.dice?.includes(index) || action.die === index;
}

// Which dice of a Player Row are being rolled.
function airborne({ phase, turn, edge, rows, inAir }, colour) {
  if (turn !== colour) return new Set();
  const row = rows[colour];
  if (phase === "grind-roll") return new Set(row.keys());
  if (phase !== "boundary-roll") return new Set();
  return new Set([...row.keys()].filter((index) => (edge === "low" ? index < inAir : index >= row.length - inAir)));
}

function keysOf(table) {
  return table?.dice.map((each) => [each.key, ...each.face_p.map(Math.round), each.place_p[0][0]]);
}

// The dice that the camera sees, by the spot of the board where the match expects one like it.
export function seenAt(match) {
  const at = new Map();
  const loose = [];
  for (const seen of match.table?.dice ?? []) {
    const lies = believed(match, seen);
    if (lies.place.row) at.set(`${lies.place.row}-${lies.place.side}`, lies);
    else loose.push(lies);
  }
  for (const [colour, row] of Object.entries(match.position.rows)) {
    row.forEach((face, index) => {
      const found = loose.findIndex((each) => each.colour === colour && each.face === face);
      if (found >= 0) at.set(`${colour}-${index}`, ...loose.splice(found, 1));
    });
  }
  return at;
}
