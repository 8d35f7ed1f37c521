// The Big Roll of every player: eight dice, base, every bonus with the dice that make it, the election, and ties.

import { seenAt } from "./board.js";
import { button, capital, die, element, look, pattern, silent } from "./dice.js";
import { colourWord, listed, who } from "./model.js";
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
    const drawn = JSON.stringify([game.big_rolls, keys, game.turn_order, game.position.phase, game.position.turn, canAct, game.players]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = this.#root.contains(document.activeElement) ? document.activeElement.id : null;
    this.#root.replaceChildren(...guidance(game), ...game.big_rolls.map((each) => this.#card(game, each, canAct, seen)));
    if (focused) document.getElementById(focused)?.focus();
  }

  #card(game, roll, canAct, seen) {
    const { position } = game;
    const name = who(game, roll.colour);
    const turn = position.turn === roll.colour;
    const id = `roll-${roll.colour}`;
    const made = element("article", { class: turn ? "card roll turn" : "card roll", "data-colour": roll.colour, "aria-labelledby": id });
    made.style.setProperty("--paint", look(roll.colour).paint);
    const head = element("header", {}, element("h3", { id }, name), element("span", { class: "word" }, colourWord(roll.colour)));
    if (roll.faces.length > 0) {
      const total = element("p", { class: "total" }, element("span", { class: "unit" }, t("live.total")), ` ${roll.total}`);
      head.append(total);
    }
    made.append(head);
    if (roll.faces.length === 0) {
      const waits = element("div", { class: "dice waits", "aria-hidden": "true" });
      for (let count = 0; count < 8; count++) waits.append(element("span", { class: "slot" }));
      made.append(waits, element("p", { class: "soft" }, t(turn ? "live.roll-now" : "live.roll-waits")));
      return made;
    }
    const counting = roll.bonuses.find((each) => each.category === (roll.elected ?? roll.bonuses[0]?.category));
    const dice = handful(roll, counting?.dice ?? []);
    if (canAct && game.table !== null && roll.tie_break.length === 0) this.#correctable(dice, roll, seen);
    made.append(dice, this.#sums(game, roll, canAct, made));
    if (roll.tie_break.length > 0) {
      made.append(element("p", { class: "soft" }, t("live.tie-rolled")), handful({ ...roll, faces: roll.tie_break }, []));
    }
    return made;
  }

  #sums(game, roll, canAct, card) {
    const list = element("ul", { class: "sums" });
    list.append(line(t("live.base"), t("live.base-note"), `${roll.base}`));
    if (roll.bonuses.length === 0) list.append(line(t("live.bonus"), t("live.bonus-none"), "0"));
    for (const bonus of roll.bonuses) {
      const counts = bonus.category === roll.elected || (roll.bonuses.length === 1 && !roll.open);
      const word = capital(t(`bonus.${bonus.category}`));
      const chosen = roll.bonuses.length > 1 && roll.elected !== null;
      const note = roll.open ? t("live.bonus-choose") : counts ? t("live.bonus-counts") : chosen ? t("live.bonus-not") : "";
      const elects = canAct && roll.bonuses.length > 1 && (roll.open || (chosen && !counts));
      const made = elects ? this.#choice(roll, bonus, word, note) : line(word, note, `+${bonus.points}`);
      made.classList.add("bonus-line");
      if (counts) made.classList.add("counts");
      made.dataset.category = bonus.category;
      const dice = [...card.querySelectorAll(".dice .die")];
      const show = (on) => () => dice.forEach((each, at) => each.classList.toggle("fades", on && !bonus.dice.includes(at)));
      for (const event of ["pointerenter", "focusin"]) made.addEventListener(event, show(true));
      for (const event of ["pointerleave", "focusout"]) made.addEventListener(event, show(false));
      list.append(made);
    }
    return list;
  }

  // Where a camera reads the dice, a tap on one corrects it.
  #correctable(dice, roll, seen) {
    dice.setAttribute("role", "group");
    [...dice.children].forEach((drawn, at) => {
      const face = roll.faces[at];
      const made = button("", () => this.#on.fix({ key: seen.get(`${roll.colour}-${at}`)?.key, place: { area: "row", seat: roll.seat }, face, owner: roll.colour }), "roll-die");
      made.setAttribute("aria-label", `${colourWord(roll.colour)} ${face}`);
      drawn.replaceWith(made);
      made.append(drawn);
    });
  }

  #choice(roll, bonus, word, note) {
    const id = `elect-${roll.colour}-${bonus.category.replaceAll(" ", "-")}`;
    const made = element("button", { type: "button", class: "elect", id }, ...parts(word, note, `+${bonus.points}`));
    made.addEventListener("click", () => this.#on.elect(roll.colour, bonus.category));
    return element("li", {}, made);
  }
}

function handful(roll, chosen) {
  const label = t("live.dice-of", { faces: roll.faces.join(", ") });
  const made = element("div", { class: "dice", role: "img", "aria-label": label });
  roll.faces.forEach((face, at) => {
    const drawn = silent(die(face, roll.colour, false, pattern(roll.seat)));
    if (chosen.includes(at)) drawn.classList.add("chosen");
    made.append(drawn);
  });
  return made;
}

function line(word, note, points) {
  return element("li", {}, element("span", { class: "line" }, ...parts(word, note, points)));
}

function parts(word, note, points) {
  const made = [element("span", { class: "what" }, word)];
  if (note) made.push(element("span", { class: "note-of" }, note));
  made.push(element("span", { class: "points" }, points));
  return made;
}

// Who is first, or that there is a tie and what to do about it (3:4.B).
function guidance(game) {
  const { position, big_rolls: rolls } = game;
  const said = [];
  if (position.phase === "tie-break") {
    const totals = rolls.map((each) => each.total);
    const tied = rolls.filter((each) => totals.filter((total) => total === each.total).length > 1);
    const names = listed(tied.map((each) => who(game, each.colour)));
    said.push(t("live.tie", { names, name: who(game, position.turn) }));
  } else if (position.phase === "bonus-choice") {
    said.push(t("live.elect", { name: who(game, position.turn) }));
  } else if (game.turn_order.length > 0) {
    said.push(t("live.order", { names: listed(game.turn_order.map((each) => who(game, each))) }));
  }
  return said.map((text) => element("p", { class: "order" }, text));
}
