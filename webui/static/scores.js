// The Big Roll of every colour as a card, and who starts.

import { capital, die, element, look } from "./dice.js";
import { colourWord } from "./model.js";
import { isUnsure } from "./picture.js";
import { said, t } from "./texts.js";

// In the order of play; colours that are not scored come last.
export function cards(score, reading) {
  const places = score.order.flat();
  const place = ({ colour, scored }) => (scored ? places.indexOf(colour) : places.length);
  const groups = [...score.colours].sort((a, b) => place(a) - place(b));
  return groups.map((group) => card(group, reading.dice.filter((each) => each.colour === group.colour)));
}

export function order(sentences) {
  const [first, ...rest] = sentences.map(said);
  if (first === undefined) return [];
  return [element("p", { class: "first" }, first), ...rest.map((text) => element("p", {}, text))];
}

function card(group, dice) {
  const name = `card-${group.colour}`;
  const made = element("article", { class: "card", "data-colour": group.colour, "aria-labelledby": name });
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.background = look(group.colour).paint;
  const head = element("header", {}, swatch, element("h3", { id: name }, capital(colourWord(group.colour))));
  if (group.scored) {
    const unit = element("span", { class: "unit" }, `${t(group.unsure > 0 ? "live.total-unsure" : "live.total")} `);
    head.append(element("p", { class: "total" }, unit, element("span", { class: "points" }, `${group.total}`)));
  }
  made.append(head, handful(dice, group.colour, t("live.dice", { count: group.count })));
  if (group.scored) made.append(sums(group));
  else made.append(element("p", { class: "problem" }, said(group.problem)));
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
  rows.append(row("base", t("live.base"), t("live.base-note"), `${group.base}`));
  if (group.bonuses.length === 0) rows.append(row("none", t("live.bonus"), t("live.bonus-none"), "0"));
  for (const bonus of group.bonuses) {
    const counts = bonus.category === group.best.category;
    // Rule 3:2.D: of several bonuses one counts, and the best is proposed.
    const note = group.bonuses.length === 1 ? null : t(counts ? "live.bonus-counts" : "live.bonus-not");
    const made = row(counts ? "bonus counts" : "bonus", capital(t(`bonus.${bonus.category}`)), note, `+${bonus.points}`);
    const formation = element("span", { class: "formation", role: "group", "aria-label": t("live.made-of") });
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
  return t("live.unsure-note", { count });
}
