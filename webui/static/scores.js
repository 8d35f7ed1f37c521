// The Big Roll of every colour that is read while nobody plays, as a card each, and who starts.

import { capital, die, element } from "./dice.js";
import { colourWord } from "./model.js";
import { isUnsure } from "./picture.js";
import { card, sums } from "./sums.js";
import { t } from "./texts.js";

// In the order of play; colours that are not scored come last.
export function cards(score, reading) {
  const places = score.order.flat();
  const place = ({ colour, scored }) => (scored ? places.indexOf(colour) : places.length);
  const groups = [...score.colours].sort((a, b) => place(a) - place(b));
  return groups.map((group) => cardOf(group, reading.dice.filter((each) => each.colour === group.colour)));
}

export function order(sentences) {
  return sentences.map((text, at) => element("p", { class: at ? "" : "first" }, text));
}

function cardOf(group, dice) {
  const { colour, unsure, scored } = group;
  const mark = element("span", { class: "swatch", "aria-hidden": "true" });
  const total = scored ? group.total : "";
  const made = card(colour, "", { mark, total, title: capital(colourWord(colour)), unit: unsure ? "live.total-unsure" : "live.total" });
  const drawn = element("div", { class: "dice", role: "group", "aria-label": t("live.dice", { count: group.count }) });
  const sorted = [...dice].sort((a, b) => (a.face ?? 7) - (b.face ?? 7));
  drawn.append(...sorted.map((each) => die(each.face, colour, null, isUnsure(each))));
  made.append(drawn, scored ? summed(group) : element("p", { class: "problem" }, group.problem));
  if (unsure > 0) made.append(element("p", { class: "unsure-note" }, t("live.unsure-note", { count: unsure })));
  return made;
}

// Rule 3:2.D: of several bonuses one counts, and the best is proposed.
function summed(group) {
  const { colour, bonuses, best } = group;
  const list = sums(group, ({ category }) => {
    const counts = category === best.category;
    return { counts, note: bonuses.length === 1 ? "" : t(counts ? "live.bonus-counts" : "live.bonus-not") };
  });
  list.querySelectorAll(".bonus-line .what").forEach((word, at) => {
    const formation = element("span", { class: "formation", role: "group", "aria-label": t("live.made-of") });
    formation.append(...bonuses[at].dice.map((face) => die(face, colour)));
    word.after(formation);
  });
  return list;
}
