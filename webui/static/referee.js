// What the referee says: an infringement with its rule and mend, a doubt to be settled by one tap, a table out of step.

import { button, element, table } from "./dice.js";
import { believed, certainty, colourWord, percent, placeWords } from "./model.js";
import { ruleLink } from "./rules_link.js";
import { t } from "./texts.js";

export class RefereePanel {
  #root;
  #on;
  #drawn = "";

  // on: {answer(guess, number), accept(), fix(what), say(key, face)}
  constructor(root, on) {
    this.#root = root;
    this.#on = on;
  }

  draw(game, canAct) {
    const { question } = game;
    const drawn = JSON.stringify([question, canAct, game.taken_back]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#root.hidden = question === null;
    if (question === null) {
      this.#root.replaceChildren();
      return;
    }
    const { verdict } = question;
    this.#root.dataset.verdict = verdict.verdict;
    const make = { infringement: this.#infringement, unsure: this.#unsure, desync: this.#desync }[verdict.verdict];
    this.#root.replaceChildren(...make.call(this, game, question, canAct));
  }

  #infringement(game, question, canAct) {
    const { verdict } = question;
    const head = element("p", { class: "verdict" }, element("strong", {}, verdict.sentence), " ", ruleOf(verdict.rule));
    const mend = element("p", { class: "mend" }, element("span", { class: "tag" }, t("live.mend")), " ", verdict.mend);
    const parts = [title("live.infringement"), head, mend];
    if (verdict.probability) parts.push(sure(verdict.probability));
    parts.push(this.#crops(game, question, canAct));
    if (canAct) {
      parts.push(
        element("p", { class: "soft" }, t("live.mended-says")),
        row(button(t("live.accept"), () => this.#on.accept(), "plain"), ...this.#fixes(game, question)),
      );
    }
    return parts;
  }

  #unsure(game, question, canAct) {
    const { verdict, number } = question;
    const parts = [title("live.unsure"), element("p", { class: "verdict" }, verdict.sentence), this.#crops(game, question, canAct)];
    if (!canAct) return parts;
    const guesses = verdict.guesses.map((guess, at) => {
      const made = button("", () => this.#on.answer(at, number), "guess");
      made.append(element("span", {}, guess.sentence), element("span", { class: "p" }, percent(guess.probability)));
      return made;
    });
    parts.push(element("div", { class: "guesses", role: "group", "aria-label": t("live.which") }, ...guesses));
    parts.push(row(...this.#fixes(game, question)));
    return parts;
  }

  #desync(game, question, canAct) {
    const { verdict } = question;
    const heads = ["where", "expected", "seen"].map((key) => t(`live.${key}`));
    if (canAct) heads.push(element("span", { class: "quiet" }, t("live.correct")));
    const rows = verdict.differences.map(({ place, expected, seen, keys: [key] }) => {
      const fix = canAct ? [button(t("live.correct"), () => this.#on.fix({ key, place }), "plain")] : [];
      return [placeWords(game, place), expected, seen, ...fix];
    });
    const parts = [title("live.desync"), element("p", { class: "verdict" }, verdict.sentence), table(heads, rows, "differences")];
    if (canAct) parts.push(element("p", { class: "soft" }, t("live.desync-says")), row(button(t("live.accept-table"), () => this.#on.accept(), "plain")));
    return parts;
  }

  // The dice in question as the camera sees them; a face is said with one tap below its picture.
  #crops(game, question, canAct) {
    const made = element("div", { class: "crops" });
    for (const { key, picture } of question.dice) {
      const seen = game.table?.dice.find((each) => each.key === key);
      const die = seen && believed(game, seen);
      const crop = element("figure", { class: "crop" });
      const says = die ? `${colourWord(die.colour)} ${die.face}, ${percent(die.face_p)}` : "";
      crop.append(element("img", { src: `${picture}?v=${game.version}`, alt: t("live.crop", { die: says }), width: 96, height: 96 }));
      crop.append(element("figcaption", {}, says));
      if (canAct) {
        const faces = element("div", { class: "say-face", role: "group", "aria-label": t("live.it-shows") });
        for (const face of [1, 2, 3, 4, 5, 6]) faces.append(button(`${face}`, () => this.#on.say(key, face), "tiny"));
        crop.append(faces);
      }
      made.append(crop);
    }
    return made;
  }

  #fixes(game, { verdict, dice }) {
    const key = dice[0]?.key;
    const place = verdict.cells?.[0] ?? verdict.look_at?.[0];
    if (game.table === null || (key === undefined && !place)) return [];
    return [button(t("live.correct-reading"), () => this.#on.fix({ key, place }), "plain")];
  }
}

function title(key) {
  return element("h2", {}, t(key));
}

function ruleOf(number) {
  return element("a", { class: "rule", href: ruleLink(number) }, t("live.rule", { number }));
}

function sure(p) {
  return element("p", { class: "soft" }, t("live.sure", { p: certainty(p) }));
}

function row(...children) {
  return element("div", { class: "row" }, ...children);
}
