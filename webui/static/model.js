// The match as the page talks about it: who is who, what a placement would do, and sentences about actions.

import { said, t } from "./texts.js";

export const SIDES = ["left", "center", "right"];
export const ROWS = [1, 2, 3, 4, 5, 6];
export const NEUTRAL = "white";
export const OPENING = ["big-roll", "bonus-choice", "tie-break"];

export function colourWord(colour) {
  const key = `colour.${colour}`;
  const said = t(key);
  return said === key ? colour : said;
}

// The match with the position that is shown: with what has been seen and is not yet final, if there is any.
export function gameOf(match) {
  const { phase, turn, lawn, rows, captured, air } = match.board;
  const position = {
    players: match.players.map((each) => each.colour),
    ...{ phase, turn, rows, captured },
    edge: air?.edge ?? null,
    displaced: phase === "re-entry" ? air.owner : null,
    inAir: air?.dice ?? 0,
    lawn: Object.fromEntries(lawn.map((each) => [each.row, each.places])),
  };
  return { ...match, position };
}

export function seatOf(match, colour) {
  return match.position.players.indexOf(colour);
}

// The name of a player, or the word for what belongs to nobody.
export function who(match, colour) {
  return match.players.find((each) => each.colour === colour)?.name ?? colourWord(colour);
}

// What a placement does to a row of the Lawn (5:1.B): the row afterwards, and whose die is pushed off.
export function placed(row, colour, side) {
  const [left, center, right] = row;
  if (side === "center") return { row: [left, colour, right], out: null };
  if (row.includes(null)) {
    return { row: side === "left" ? [colour, center, right] : [left, center, colour], out: null };
  }
  return side === "left"
    ? { row: [colour, left, center], out: right }
    : { row: [center, right, colour], out: left };
}

export function lockedBy(row) {
  const [left, center, right] = row;
  return left !== null && left === center && center === right && left !== NEUTRAL ? left : null;
}

export function parse(notation) {
  const [verb, first, second] = notation.split(" ");
  if (verb === "boundary") return { kind: "boundary", edge: first };
  if (verb === "place") return { kind: "place", face: Number(first), side: second };
  if (verb === "claim") return { kind: "claim", category: notation.slice(verb.length + 1) };
  return { kind: "rolled" };
}

export function edgeSet(row, edge) {
  const face = edge === "low" ? row[0] : row[row.length - 1];
  return row.filter((each) => each === face);
}

// What there is to do now, in a sentence.
export function prompt(match) {
  const { position } = match;
  if (match.paused) return t("live.prompt-paused");
  if (match.match.over) {
    const winners = match.match.winners.map((each) => who(match, each));
    return t("live.prompt-won", { count: winners.length, name: listed(winners) });
  }
  const owner = position.displaced;
  const own = position.phase === "re-entry" && owner === position.turn;
  return t(`live.prompt-${position.phase}${own ? "-own" : ""}`, {
    name: who(match, position.turn),
    owner: owner ? who(match, owner) : "",
    count: position.inAir,
  });
}

export function listed(words) {
  if (words.length < 2) return words.join("");
  return t("live.and", { first: words.slice(0, -1).join(", "), last: words[words.length - 1] });
}

// What an action would do: {label, notes: [{kind, text}]}.
export function told(match, action) {
  const { position } = match;
  const { kind, edge, face, side, category } = parse(action);
  const turn = position.turn;
  if (kind === "boundary") {
    const row = position.rows[turn];
    const set = edgeSet(row, edge);
    const all = row[0] === row[row.length - 1];
    return { label: t(`live.roll-${all ? "all" : edge}`, { face: set[0], count: set.length }), notes: [] };
  }
  if (kind === "claim") return { label: t(`bonus.${category}`), notes: [] };
  const before = position.lawn[face];
  const { row, out } = placed(before, turn, side);
  const notes = [];
  if (out === NEUTRAL) notes.push({ kind: "capture", text: t("live.captures", { face }) });
  else if (out === turn) notes.push({ kind: "push", text: t("live.pushes-own") });
  else if (out) notes.push({ kind: "push", text: t("live.pushes", { name: who(match, out) }) });
  if (lockedBy(row)) notes.push({ kind: "lock", text: t("live.locks", { face, points: 3 * face }) });
  return { label: t(`live.place-${side}`, { face }), notes };
}

// "row 4, left flank", "Anna's row", "beside the mat".
export function placeWords(match, place) {
  if (place.row) return t(`live.at-${place.side}`, { row: place.row });
  const colour = match.position.players[place.seat];
  return t(colour ? `live.at-${place.area}` : "live.at-elsewhere", {
    name: colour ? who(match, colour) : "",
  });
}

export function percent(p) {
  return `${Math.floor(100 * p)} %`; // never rounded up to a certainty that it is not
}

// How sure the referee is: never wholly.
export function certainty(p) {
  return percent(Math.min(p, 0.99));
}

// The likeliest of probabilities: its index.
export function likeliest(probabilities) {
  return probabilities.indexOf(Math.max(...probabilities));
}

// A die of the table as it is believed: {key, face, colour, place, face_p, colour_p}.
export function believed(match, seen) {
  const owners = [...match.position.players];
  const owner = likeliest(seen.owner_p);
  return {
    key: seen.key,
    face: likeliest(seen.face_p) + 1,
    colour: owner === 3 ? NEUTRAL : (owners[owner] ?? NEUTRAL),
    place: seen.place_p[0][0],
    face_p: Math.max(...seen.face_p),
    colour_p: Math.max(...seen.owner_p),
    flags: seen.flags,
    box: seen.box,
  };
}

// The places that the open question is about.
export function spotsOf({ question }) {
  if (question === null) return [];
  const { verdict } = question;
  return verdict.cells ?? verdict.look_at ?? verdict.differences.map((each) => each.place);
}

export function saidBy({ question }) {
  if (question === null) return "";
  const { sentence, mend = "" } = question.verdict;
  return said(`${sentence} ${mend}`.trim());
}
