// The Big Roll of every player: eight dice, base, every bonus with the dice that make it, the election, and ties.

import { seenAt } from "./board.js";
import { button, element, pointing, token } from "./dice.js";
import { colourBeside, colourWord, who } from "./model.js";
import { card, sums } from "./sums.js";
import { t } from "./texts.js";

export class BigRolls {
  #root;
  #on;
  #drawn = "";

  // on: {elect(colour, category), fix(what)}
  constructor(root, on) {
    this.#root = root;
    this.#on = on;
  }

  draw(game, canAct) {
    const seen = seenAt(game);
    const keys = [...seen].map(([spot, { key }]) => [spot, key]);
    const drawn = JSON.stringify([game.big_rolls, keys, game.opening, game.position.phase, game.position.turn, canAct, game.players]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = this.#root.contains(document.activeElement) ? document.activeElement.id : null;
    const says = element("p", { class: "order" }, game.opening);
    this.#root.replaceChildren(...(game.opening ? [says] : []), ...game.big_rolls.map((each) => this.#card(game, each, canAct, seen)));
    if (focused) document.getElementById(focused)?.focus();
  }

  #card(game, roll, canAct, seen) {
    const turn = game.position.turn === roll.colour;
    const rolled = roll.faces.length > 0;
    const after = element("span", { class: "word" }, colourBeside(game, roll.colour));
    const made = card(roll.colour, turn ? "roll turn" : "roll", { title: who(game, roll.colour), after, total: rolled ? roll.total : "" });
    if (!rolled) {
      const waits = element("div", { class: "dice waits", "aria-hidden": "true" });
      for (let count = 0; count < 8; count++) waits.append(element("span", { class: "slot" }));
      made.append(waits, element("p", { class: "soft" }, t(turn ? "live.roll-now" : "live.roll-waits")));
      return made;
    }
    const counting = roll.bonuses.find((each) => each.category === (roll.elected ?? roll.bonuses[0]?.category));
    const dice = handful(roll, counting?.dice ?? []);
    if (canAct && game.table !== null && roll.tie_break.length === 0) this.#correctable(dice, roll, seen);
    made.append(dice, this.#sums(roll, canAct, dice));
    if (roll.tie_break.length > 0) {
      made.append(element("p", { class: "soft" }, t("live.tie-rolled")), handful({ ...roll, faces: roll.tie_break }, []));
    }
    return made;
  }

  #sums(roll, canAct, dice) {
    const several = roll.bonuses.length > 1;
    const list = sums(roll, ({ category }) => {
      const counts = category === roll.elected || (!several && !roll.open);
      const chosen = several && roll.elected !== null;
      const note = roll.open ? t("live.bonus-choose") : counts ? t("live.bonus-counts") : chosen ? t("live.bonus-not") : "";
      const elects = canAct && several && (roll.open || (chosen && !counts));
      const id = `elect-${roll.colour}-${category.replaceAll(" ", "-")}`;
      return { note, counts, held: elects ? button("", () => this.#on.elect(roll.colour, category), "elect", { id }) : undefined };
    });
    const drawn = [...dice.querySelectorAll(".die")];
    list.querySelectorAll(".bonus-line").forEach((made, index) => {
      const chosen = roll.bonuses[index].dice;
      const show = (on) => () => drawn.forEach((each, at) => each.classList.toggle("fades", on && !chosen.includes(at)));
      pointing(made, show(true), show(false));
    });
    return list;
  }

  // Where a camera reads the dice, a tap on one corrects it.
  #correctable(dice, roll, seen) {
    dice.setAttribute("role", "group");
    [...dice.children].forEach((drawn, at) => {
      const face = roll.faces[at];
      const what = { key: seen.get(`${roll.colour}-${at}`)?.key, place: { area: "row", seat: roll.seat }, face, owner: roll.colour };
      const made = button("", () => this.#on.fix(what), "roll-die", { "aria-label": `${colourWord(roll.colour)} ${face}` });
      drawn.replaceWith(made);
      made.append(drawn);
    });
  }
}

function handful(roll, chosen) {
  const label = t("live.dice-of", { faces: roll.faces.join(", ") });
  const made = element("div", { class: "dice", role: "img", "aria-label": label });
  roll.faces.forEach((face, at) => {
    const drawn = token(face, roll.colour, roll.seat);
    if (chosen.includes(at)) drawn.classList.add("chosen");
    made.append(drawn);
  });
  return made;
}
