// What the referee says: an infringement with its rule and mend, a doubt to be settled by one tap, a table out of step.

import { ROWS, believed, certainty, colourWord, percent, placeWords } from "./model.js";
import { button, named, noticing, table, tag } from "./nodes.js";
import { t } from "./texts.js";

// on: {answer(guess, number), accept(), fix(what), say(key, face)}
export function makeReferee(root, on) {
  const isNew = noticing();

  function draw(game, canAct) {
    const { question } = game;
    if (!isNew(question, canAct, game.taken_back)) return;
    root.hidden = question === null;
    if (question === null) {
      root.replaceChildren();
      return;
    }
    const { verdict } = question.verdict;
    root.dataset.verdict = verdict;
    root.replaceChildren(...{ infringement, unsure, desync }[verdict](game, question, canAct));
  }

  function infringement(game, question, canAct) {
    const { verdict } = question;
    const head = tag("p.verdict", tag("strong", verdict.says), " ", ruleOf(verdict.rule));
    const mend = tag("p.mend", tag("span.tag", t("live.mend")), " ", verdict.mend);
    const parts = [title("live.infringement"), head, mend];
    if (verdict.probability) parts.push(sure(verdict.probability));
    parts.push(crops(game, question, canAct));
    if (canAct) {
      parts.push(
        tag("p.soft", t("live.mended-says")),
        row(button(t("live.accept"), () => on.accept(), "plain"), ...fixes(game, question)),
      );
    }
    return parts;
  }

  function unsure(game, question, canAct) {
    const { verdict, number } = question;
    const parts = [title("live.unsure"), tag("p.verdict", verdict.sentence), crops(game, question, canAct)];
    if (!canAct) return parts;
    const guesses = verdict.guesses.map(({ sentence, probability }, at) => {
      return button([tag("span", sentence), tag("span.p", percent(probability))], () => on.answer(at, number), "guess");
    });
    // Without any, what the die shows is said below its picture.
    if (guesses.length > 0) parts.push(tag("div.guesses", named("group", t("live.which")), ...guesses));
    parts.push(row(...fixes(game, question)));
    return parts;
  }

  function desync(game, question, canAct) {
    const { verdict } = question;
    const heads = ["where", "expected", "seen"].map((key) => t(`live.${key}`));
    if (canAct) heads.push(tag("span.quiet", t("live.correct")));
    const rows = verdict.differences.map(({ place, expected, seen, keys: [key] }) => {
      const fix = canAct ? [button(t("live.correct"), () => on.fix({ key, place }), "plain")] : [];
      return [placeWords(game, place), expected, seen, ...fix];
    });
    const parts = [title("live.desync"), tag("p.verdict", verdict.sentence), table(heads, rows, "differences")];
    if (canAct) parts.push(tag("p.soft", t("live.desync-says")), row(button(t("live.accept-table"), () => on.accept(), "plain")));
    return parts;
  }

  // The dice in question as the camera sees them; a face is said with one tap below its picture.
  function crops(game, question, canAct) {
    const crops = question.dice.map(({ key, picture }) => {
      const seen = game.table?.dice.find((each) => each.key === key);
      const die = seen && believed(game, seen);
      const says = die ? `${colourWord(die.colour)} ${die.face}, ${percent(die.face_p)}` : "";
      const faces = ROWS.map((face) => button(`${face}`, () => on.say(key, face), "tiny"));
      return tag(
        "figure.crop",
        tag("img", { src: `${picture}?v=${game.version}`, alt: t("live.crop", { die: says }), width: 96, height: 96 }),
        tag("figcaption", says),
        canAct && tag("div.say-face", named("group", t("live.it-shows")), ...faces),
      );
    });
    return tag("div.crops", ...crops);
  }

  function fixes(game, { verdict, dice }) {
    const key = dice[0]?.key;
    const place = verdict.cells?.[0] ?? verdict.look_at?.[0];
    if (game.table === null || (key === undefined && !place)) return [];
    return [button(t("live.correct-reading"), () => on.fix({ key, place }), "plain")];
  }

  return { draw };
}

function title(key) {
  return tag("h2", t(key));
}

// The rules page has rule 4:3.B at #rule-4-3-B.
function ruleOf(number) {
  return tag("a.rule", { href: `/rules#rule-${number.replace(/[:.]/g, "-")}` }, t("live.rule", { number }));
}

function sure(p) {
  return tag("p.soft", t("live.sure", { p: certainty(p) }));
}

function row(...children) {
  return tag("div.row", ...children);
}
