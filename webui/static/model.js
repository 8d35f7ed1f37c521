// The match as the page talks about it: who is who, where things lie, and how sure it is.

import { capital } from "./dice.js";
import { t } from "./texts.js";

export const SIDES = ["left", "center", "right"];
export const ROWS = [1, 2, 3, 4, 5, 6];
export const NEUTRAL = "white";
export const OPENING = ["big-roll", "bonus-choice", "tie-break"];

export function colourWord(colour) {
  const key = `colour.${colour}`;
  const word = t(key);
  return word === key ? colour : word;
}

// The match with the position that is shown: with what has been seen and is not yet final, if there is any.
export function gameOf(match) {
  const { phase, turn, lawn, rows, captured, air } = match.board;
  const position = {
    players: match.players.map((each) => each.colour),
    phase,
    turn,
    rows,
    captured,
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

// The colour's word beside the name, "" where that is the name.
export function colourBeside(match, colour) {
  const word = colourWord(colour);
  return who(match, colour).toLowerCase() === word.toLowerCase() ? "" : word;
}

// The players of a match that may be gone on with, and their points.
export function pointsOf({ players }) {
  return listed(players.map(({ name, colour, total }) => `${name || capital(colourWord(colour))} ${total}`));
}

export function listed(words) {
  if (words.length < 2) return words.join("");
  return t("live.and", { first: words.slice(0, -1).join(", "), last: words[words.length - 1] });
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
  return `${p > 1 - 1e-9 ? 100 : Math.min(99, Math.round(100 * p))} %`; // never rounded up to certainty
}

// How sure the referee is: never wholly.
export function certainty(p) {
  return percent(Math.min(p, 0.99));
}

// The likeliest of probabilities: its index.
function likeliest(probabilities) {
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
  return `${sentence} ${mend}`.trim();
}
