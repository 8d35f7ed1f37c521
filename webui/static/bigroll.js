// The Big Roll of every player: eight dice, base, every bonus with the dice that make it, the election, and ties.

import { seenAt } from "./board.js";
import { token } from "./dice.js";
import { colourBeside, colourWord, who } from "./model.js";
import { SILENT, all, at, button, focusIn, named, noticing, pointing, tag } from "./nodes.js";
import { card, sums } from "./sums.js";
import { t } from "./texts.js";

// on: {elect(colour, category), fix(what)}
export function makeBigRolls(root, on) {
  const isNew = noticing();

  function draw(game, canAct) {
    const seen = seenAt(game);
    const keys = [...seen].map(([spot, { key }]) => [spot, key]);
    const { big_rolls: rolls, opening, position, players } = game;
    if (!isNew(rolls, keys, opening, position.phase, position.turn, canAct, players)) return;
    const focused = focusIn(root)?.id;
    const cards = rolls.map((each) => cardOf(game, each, canAct, seen));
    root.replaceChildren(...(opening ? [tag("p.order", opening)] : []), ...cards);
    if (focused) at(focused)?.focus();
  }

  function cardOf(game, roll, canAct, seen) {
    const { colour, faces, bonuses, tie_break: again } = roll;
    const turn = game.position.turn === colour;
    const after = tag("span.word", colourBeside(game, colour));
    const made = card(colour, turn ? "roll.turn" : "roll", { title: who(game, colour), after, total: faces.length ? roll.total : "" });
    if (faces.length === 0) {
      const slots = Array.from({ length: 8 }, () => tag("span.slot"));
      made.append(tag("div.dice.waits", SILENT, ...slots), tag("p.soft", t(turn ? "live.roll-now" : "live.roll-waits")));
      return made;
    }
    const counting = bonuses.find((each) => each.category === (roll.elected ?? bonuses[0]?.category));
    const dice = handful(roll, faces, counting?.dice);
    if (canAct && game.table !== null && again.length === 0) correctable(dice, roll, seen);
    made.append(dice, sumsOf(roll, canAct, dice));
    if (again.length > 0) made.append(tag("p.soft", t("live.tie-rolled")), handful(roll, again));
    return made;
  }

  function sumsOf(roll, canAct, dice) {
    const several = roll.bonuses.length > 1;
    const list = sums(roll, ({ category }) => {
      const counts = category === roll.elected || (!several && !roll.open);
      const chosen = several && roll.elected !== null;
      const note = roll.open ? "live.bonus-choose" : counts ? "live.bonus-counts" : chosen ? "live.bonus-not" : "";
      const elects = canAct && several && (roll.open || (chosen && !counts));
      const id = `elect-${roll.colour}-${category.replaceAll(" ", "-")}`;
      return { note: note && t(note), counts, held: elects ? button("", () => on.elect(roll.colour, category), "elect", { id }) : undefined };
    });
    const drawn = all(".die", dice);
    all(".bonus-line", list).forEach((made, index) => {
      const chosen = roll.bonuses[index].dice;
      const show = (fades) => () => drawn.forEach((each, at) => each.classList.toggle("fades", fades && !chosen.includes(at)));
      pointing(made, show(true), show(false));
    });
    return list;
  }

  // Where a camera reads the dice, a tap on one corrects it.
  function correctable(dice, { colour, faces, seat }, seen) {
    dice.setAttribute("role", "group");
    dice.replaceChildren(
      ...[...dice.children].map((drawn, index) => {
        const face = faces[index];
        const what = { key: seen.get(`${colour}-${index}`)?.key, place: { area: "row", seat }, face, owner: colour };
        return button(drawn, () => on.fix(what), "roll-die", { "aria-label": `${colourWord(colour)} ${face}` });
      }),
    );
  }

  return { draw };
}

function handful({ colour, seat }, faces, chosen = []) {
  const dice = faces.map((face, index) => {
    const drawn = token(face, colour, seat);
    drawn.classList.toggle("chosen", chosen.includes(index));
    return drawn;
  });
  return tag("div.dice", named("img", t("live.dice-of", { faces: faces.join(", ") })), ...dice);
}
