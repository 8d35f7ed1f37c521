// What the cards of Big Rolls have in common, those of a match and those that are only read: their head and their sums.

import { capital, painted } from "./dice.js";
import { fill, tag } from "./nodes.js";
import { t } from "./texts.js";

// mark: what stands before the title; after: what follows it; total: "" before the roll.
export function card(colour, kind, { title, mark = "", after = "", total = "", unit = "live.total" }) {
  const id = `roll-${colour}`;
  const head = tag("header", mark, tag("h3", { id }, title), after);
  if (total !== "") head.append(tag("p.total", tag("span.unit", t(unit)), ` ${total}`));
  return painted(tag(`article.card${kind && `.${kind}`}`, { "data-colour": colour, "aria-labelledby": id }, head), colour);
}

// The base and every bonus that qualifies. of: gives each bonus its list item's {note, counts} and, where it may be
// chosen, the button that its words stand in.
export function sums({ base, bonuses }, of) {
  const list = tag("ul.sums");
  const add = (word, note, points, held = tag("span.line")) => {
    const made = tag("li", fill(held, tag("span.what", word), note && tag("span.note-of", note), tag("span.points", points)));
    list.append(made);
    return made;
  };
  add(t("live.base"), t("live.base-note"), base);
  if (bonuses.length === 0) add(t("live.bonus"), t("live.bonus-none"), "0");
  for (const bonus of bonuses) {
    const { note, counts, held } = of(bonus);
    const made = add(capital(t(`bonus.${bonus.category}`)), note, `+${bonus.points}`, held);
    made.className = counts ? "bonus-line counts" : "bonus-line";
    made.dataset.category = bonus.category;
  }
  return list;
}
