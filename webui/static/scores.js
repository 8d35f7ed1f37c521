// The Big Roll of every colour as a card, and who starts.

import { capital, die, element, look } from "./dice.js";
import { isUnsure } from "./picture.js";

// In the order of play; colours that are not scored come last.
export function cards(score, reading) {
  const places = score.order.flat();
  const place = ({ colour, scored }) => (scored ? places.indexOf(colour) : places.length);
  const groups = [...score.colours].sort((a, b) => place(a) - place(b));
  return groups.map((group) => card(group, reading.dice.filter((each) => each.colour === group.colour)));
}

export function order(sentences) {
  const [first, ...rest] = sentences;
  if (first === undefined) return [];
  return [element("p", { class: "first" }, first), ...rest.map((text) => element("p", {}, text))];
}

function card(group, dice) {
  const name = `card-${group.colour}`;
  const made = element("article", { class: "card", "data-colour": group.colour, "aria-labelledby": name });
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.background = look(group.colour).paint;
  const head = element("header", {}, swatch, element("h3", { id: name }, capital(group.colour)));
  if (group.scored) {
    const unit = element("span", { class: "unit" }, group.unsure > 0 ? "total, unsure " : "total ");
    head.append(element("p", { class: "total" }, unit, element("span", { class: "points" }, `${group.total}`)));
  }
  made.append(head, handful(dice, group.colour, `${group.count} ${group.count === 1 ? "die" : "dice"}`));
  if (group.scored) made.append(sums(group));
  else made.append(element("p", { class: "problem" }, group.problem));
  if (group.unsure > 0) made.append(element("p", { class: "unsure-note" }, unsureNote(group.unsure)));
  return made;
}

function handful(dice, colour, label) {
  const drawn = element("div", { class: "dice", role: "group", "aria-label": label });
  const sorted = [...dice].sort((a, b) => (a.face ?? 7) - (b.face ?? 7));
  drawn.append(...sorted.map((each) => die(each.face, colour, isUnsure(each))));
  return drawn;
}

function sums(group) {
  const rows = element("dl", { class: "sums" });
  rows.append(row("base", "Base", "sum of all dice", `${group.base}`));
  if (group.bonuses.length === 0) rows.append(row("none", "Bonus", "no formation qualifies", "0"));
  for (const bonus of group.bonuses) {
    const counts = bonus.category === group.best.category;
    // Rule 3:2.D: of several bonuses one counts, and the best is proposed.
    const note = group.bonuses.length === 1 ? null : counts ? "counts" : "not counted";
    const made = row(counts ? "bonus counts" : "bonus", capital(bonus.category), note, `+${bonus.points}`);
    const formation = element("span", { class: "formation", role: "group", "aria-label": "made of" });
    formation.append(...bonus.dice.map((face) => die(face, group.colour)));
    made.querySelector("dt").append(formation);
    made.dataset.category = bonus.category;
    rows.append(made);
  }
  return rows;
}

function row(kind, name, note, points) {
  const term = element("dt", {}, element("span", { class: "name" }, name));
  if (note) term.append(element("span", { class: "note" }, note));
  return element("div", { class: kind }, term, element("dd", {}, points));
}

function unsureNote(count) {
  return count === 1
    ? "One die, marked with a question mark, is not read for sure: look at it."
    : `${count} dice, marked with a question mark, are not read for sure: look at them.`;
}
