// The table as the match knows it: the Lawn and, around it as on the mat, every Player Row with its captured dice.

import { animate, rects, settle } from "./motion.js";
import { element, look, pointing, sample, svg, token } from "./dice.js";
import { dieAt, fence, field, ground, preview, turf } from "./field.js";
import { NEUTRAL, ROWS, SIDES, believed, colourBeside, colourWord, placeWords, seatOf, who } from "./model.js";
import { t } from "./texts.js";

export class Board {
  #root;
  #on;
  #match = null;
  #field = null;
  #drawn = "";
  #lit = [];

  // on: {act(action), fix(what)}: what a tap means.
  constructor(root, on) {
    this.#root = root;
    this.#on = on;
  }

  // can: {act, fix}: whether this viewer may play by hand and correct what is read.
  draw(match, can) {
    const { position, table, legal, corrected } = match;
    const drawn = JSON.stringify([position, legal, keysOf(table), corrected, can, match.players]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const before = this.#match;
    const old = before ? rects(this.#root) : null;
    const focused = this.#root.contains(document.activeElement) ? document.activeElement.dataset.spot : null;
    this.#match = match;
    this.#make(can);
    if (focused) this.#spot(focused)?.focus();
    this.light(this.#lit);
    if (before) animate(this.#root, old, before.position, position, (owner) => seatOf(match, owner));
  }

  clear() {
    this.#drawn = "";
    this.#match = null;
    this.#root.replaceChildren();
  }

  #spot(name) {
    return this.#root.querySelector(`[data-spot="${name}"]`);
  }

  #make(can) {
    const match = this.#match;
    const seen = seenAt(match);
    settle();
    const parts = match.position.players.map((colour, seat) => this.#row(colour, seat, seen, can));
    this.#root.dataset.players = parts.length;
    this.#root.replaceChildren(parts[1], this.#lawn(seen, can), ...(parts[2] ? [parts[2]] : []), parts[0]);
  }

  #lawn(seen, can) {
    const match = this.#match;
    const made = field(t("live.lawn"));
    for (const row of ROWS) made.append(ground(row));
    for (const row of ROWS) {
      const { places: owners, locked } = match.board.lawn[row - 1];
      const words = locked ? t("live.row-locked", { row, name: who(match, locked) }) : t("game.row", { number: row });
      const group = svg("g", { class: "lawn-row", role: "group", "aria-label": words });
      for (const side of SIDES) group.append(this.#cell(row, side, owners[SIDES.indexOf(side)], seen, can));
      if (locked) group.append(fence(row, locked));
      made.append(group);
    }
    this.#field = made;
    return made;
  }

  #cell(row, side, owner, seen, can) {
    const match = this.#match;
    const action = match.legal.find((each) => each.kind === "place" && each.row === row && each.side === side);
    const key = seen.get(`${row}-${side}`)?.key;
    const fixes = can.fix && match.table !== null;
    const taps = (action && can.act) || fixes;
    const here = placeWords(match, { row, side });
    const lying = owner ? t("live.lies", { place: here, owner: who(match, owner) }) : t("live.free", { place: here });
    const words = action ? `${lying} ${t("live.can-place", { face: row })}` : lying;
    const cell = svg("g", {
      class: `cell${action ? " legal" : ""}${taps ? " taps" : ""}`,
      "data-spot": `${row}-${side}`,
      "data-owner": owner ?? "",
      "aria-label": words,
      role: taps ? "button" : "img",
      ...(taps ? { tabindex: 0 } : {}),
    });
    cell.append(turf(row, side));
    if (owner) cell.append(dieAt(row, side, owner, seatOf(match, owner)));
    if (taps) {
      onTap(cell, () => {
        if (action && can.act) this.#on.act(action);
        else this.#on.fix({ key, place: { row, side }, face: row, owner });
      });
    }
    if (action) this.#shows(cell, [action]);
    return cell;
  }

  #row(colour, seat, seen, can) {
    const match = this.#match;
    const { position } = match;
    const name = who(match, colour);
    const turn = position.turn === colour;
    const made = element("section", {
      class: `prow seat-${seat}${turn ? " turn" : ""}`,
      "data-colour": colour,
      "aria-label": t("live.row-of", { name }),
    });
    made.style.setProperty("--paint", look(colour).paint);
    made.append(this.#plate(colour, seat, turn), this.#dice(colour, seat, seen, can));
    return made;
  }

  #plate(colour, seat, turn) {
    const match = this.#match;
    const plate = element("div", { class: "plate" });
    const says = element("span", { class: "name" }, who(match, colour));
    const word = element("span", { class: "word" }, colourBeside(match, colour));
    plate.append(sample(colour, seat), says, word);
    if (turn) plate.append(element("span", { class: "its-turn" }, t("live.turn")));
    const captured = match.position.captured[colour];
    if (captured.length > 0) {
      const label = t("live.captured-by", { name: who(match, colour), faces: captured.join(", ") });
      const tray = element("span", { class: "captured", role: "img", "aria-label": label });
      for (const face of captured) tray.append(token(face, NEUTRAL));
      plate.append(tray);
    }
    return plate;
  }

  #dice(colour, seat, seen, can) {
    const match = this.#match;
    const { position } = match;
    const row = position.rows[colour];
    const mine = position.turn === colour;
    const air = airborne(position, colour);
    const made = element("div", { class: "row-dice" });
    if (row.length === 0) made.append(element("span", { class: "no-dice" }, t("live.row-empty")));
    row.forEach((face, index) => {
      const acts = mine ? match.legal.filter((each) => holds(each, index)) : [];
      const key = seen.get(`${colour}-${index}`)?.key;
      const rolls = acts.find((each) => each.kind === "boundary");
      const fixes = can.fix && match.table !== null;
      const taps = (rolls && can.act) || fixes;
      const kinds = ["row-die", ...new Set(acts.map((each) => each.kind)), ...(air.has(index) ? ["air"] : [])];
      const label = [`${colourWord(colour)} ${face}`, ...(rolls ? [t("live.can-roll")] : [])];
      if (acts.some((each) => each.kind === "place")) label.push(t("live.playable"));
      const spot = { "data-spot": `${colour}-${index}`, "data-face": face, class: kinds.join(" ") };
      const box = taps
        ? element("button", { type: "button", ...spot, "aria-label": label.join(", ") })
        : element("span", { ...spot, role: "img", "aria-label": label.join(", ") });
      box.append(token(face, colour, seat));
      if (taps) {
        box.addEventListener("click", () => {
          if (rolls && can.act) this.#on.act(rolls);
          else this.#on.fix({ key, place: { area: "row", seat }, face, owner: colour });
        });
      }
      if (acts[0]) this.#shows(box, rolls ? [rolls] : acts);
      made.append(box);
    });
    return made;
  }

  // Pointing at something that can be played shows what it would do.
  #shows(node, actions) {
    pointing(node, () => this.previews(actions), () => this.previews([]));
  }

  previews(actions) {
    for (const old of this.#root.querySelectorAll(".preview")) old.remove();
    for (const old of this.#root.querySelectorAll(".shown")) old.classList.remove("shown");
    if (!this.#match) return;
    const { position } = this.#match;
    const rows = actions.map((each) => each.row);
    for (const action of actions) {
      for (const index of action.dice ?? (action.die === undefined ? [] : [action.die])) {
        this.#spot(`${position.turn}-${index}`)?.classList.add("shown");
      }
      const { kind, face, side, effect } = action;
      if (kind !== "place") continue;
      this.#spot(`${face}-${side}`)?.classList.add("shown");
      // Two pushes of one row would lie over each other: then only the places are marked.
      if (rows.filter((row) => row === face).length > 1) continue;
      const seat = seatOf(this.#match, position.turn);
      this.#field.append(preview(face, { side, colour: position.turn, seat, ...effect }));
    }
  }

  // Light the places and dice that something is said of.
  light(spots) {
    this.#lit = spots;
    for (const old of this.#root.querySelectorAll(".lit")) old.classList.remove("lit");
    for (const old of this.#root.querySelectorAll(".strange")) old.remove();
    for (const spot of spots) {
      const node = spot.row
        ? this.#spot(`${spot.row}-${spot.side}`)
        : this.#root.querySelector(`.prow.seat-${spot.seat}`);
      node?.classList.add("lit");
      if (node && spot.row) this.#seenOn(node, spot);
    }
  }

  // What lies on a lit place, where it is not what is expected there.
  #seenOn(node, { row, side }) {
    const lies = seenAt(this.#match).get(`${row}-${side}`);
    if (!lies || (lies.colour === node.dataset.owner && lies.face === row)) return;
    node.append(dieAt(row, side, lies.colour, seatOf(this.#match, lies.colour), "strange", lies.face));
  }
}

function onTap(node, act) {
  node.addEventListener("click", act);
  node.addEventListener("keydown", (event) => {
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
