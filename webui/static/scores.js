// The Big Roll of every colour that is read while nobody plays, as a card each, and who starts.

import { capital, die } from "./dice.js";
import { colourWord } from "./model.js";
import { SILENT, all, fill, named, tag } from "./nodes.js";
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
  return sentences.map((text, at) => tag(at ? "p" : "p.first", text));
}

function cardOf(group, dice) {
  const { colour, unsure, scored } = group;
  const mark = tag("span.swatch", SILENT);
  const total = scored ? group.total : "";
  const made = card(colour, "", { mark, total, title: capital(colourWord(colour)), unit: unsure ? "live.total-unsure" : "live.total" });
  const sorted = [...dice].sort((a, b) => (a.face ?? 7) - (b.face ?? 7)).map((each) => die(each.face, colour, isUnsure(each)));
  return fill(
    made,
    tag("div.dice", named("group", t("live.dice", { count: group.count })), ...sorted),
    scored ? summed(group) : tag("p.problem", group.problem),
    unsure > 0 && tag("p.unsure-note", t("live.unsure-note", { count: unsure })),
  );
}

// Rule 3:2.D: of several bonuses one counts, and the best is proposed.
function summed(group) {
  const { colour, bonuses, best } = group;
  const list = sums(group, ({ category }) => {
    const counts = category === best.category;
    return { counts, note: bonuses.length === 1 ? "" : t(counts ? "live.bonus-counts" : "live.bonus-not") };
  });
  all(".bonus-line .what", list).forEach((word, at) => {
    const dice = bonuses[at].dice.map((face) => die(face, colour));
    word.after(tag("span.formation", named("group", t("live.made-of")), ...dice));
  });
  return list;
}
