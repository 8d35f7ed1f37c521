// What the cards of Big Rolls have in common, those of a match and those that are only read: their head and their sums.

import { capital, element, look } from "./dice.js";
import { t } from "./texts.js";

// mark: what stands before the title; after: what follows it; total: "" before the roll.
export function card(colour, kind, { title, mark = "", after = "", total = "", unit = "live.total" }) {
  const id = `roll-${colour}`;
  const head = element("header", {}, mark, element("h3", { id }, title), after);
  if (total !== "") head.append(element("p", { class: "total" }, element("span", { class: "unit" }, t(unit)), ` ${total}`));
  const made = element("article", { class: `card ${kind}`, "data-colour": colour, "aria-labelledby": id }, head);
  made.style.setProperty("--paint", look(colour).paint);
  return made;
}

// The base and every bonus that qualifies. of: gives each bonus its list item's {note, counts} and, where it may be
// chosen, the button that its words stand in.
export function sums({ base, bonuses }, of) {
  const list = element("ul", { class: "sums" });
  const add = (word, note, points, held = element("span", { class: "line" })) => {
    held.append(element("span", { class: "what" }, word));
    if (note) held.append(element("span", { class: "note-of" }, note));
    held.append(element("span", { class: "points" }, points));
    const made = element("li", {}, held);
    list.append(made);
    return made;
  };
  add(t("live.base"), t("live.base-note"), `${base}`);
  if (bonuses.length === 0) add(t("live.bonus"), t("live.bonus-none"), "0");
  for (const bonus of bonuses) {
    const { note, counts, held } = of(bonus);
    const made = add(capital(t(`bonus.${bonus.category}`)), note, `+${bonus.points}`, held);
    made.className = counts ? "bonus-line counts" : "bonus-line";
    made.dataset.category = bonus.category;
  }
  return list;
}
