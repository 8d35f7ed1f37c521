// What may be done now, as a list: each move with what it would cause, the chances of each edge, and the hint.

import { token } from "./dice.js";
import { percent, seatOf } from "./model.js";
import { SILENT, button, focusIn, named, noticing, pointing, tag } from "./nodes.js";
import { number, t } from "./texts.js";

const ICONS = { push: "⇥", capture: "★", lock: "▣" }; // which every font has

// on: {act(action), previews(actions)}
export function makeMoves(list, on) {
  const isNew = noticing();

  function draw(game, canAct, advice) {
    const choices = game.legal.filter((each) => each.action !== null && each.kind !== "claim");
    if (!isNew(choices, game.chances, canAct, advice, game.position.turn)) return;
    const focused = focusIn(list)?.dataset.action;
    list.hidden = choices.length === 0;
    list.replaceChildren(...choices.map((each) => item(game, each, canAct, advice)));
    if (focused) (list.querySelector(`[data-action="${focused}"]`) ?? list.querySelector("button"))?.focus();
    on.previews([]);
  }

  function item(game, action, canAct, advice) {
    const { label, notes = [] } = action;
    const effects = notes.map(({ kind, text }) => tag(`span.effect.${kind}`, tag("span", SILENT, ICONS[kind]), text));
    const chances = game.chances.find((each) => each.edge === action.edge && action.kind === "boundary");
    const hint = advice?.find((each) => each.action === action.action);
    const says = tag(
      "span.says",
      tag("span.label", label),
      ...effects,
      chances && chancesOf(game, action, chances),
      hint && hinted(hint, hint === advice[0]),
    );
    const told = { "data-action": action.action, "aria-disabled": canAct ? null : "true" };
    const made = button([diceOf(game, action), says], () => canAct && on.act(action), "move", told);
    return tag("li", pointing(made, () => on.previews([action]), () => on.previews([])));
  }

  function diceOf(game, action) {
    const { turn, rows } = game.position;
    const faces = action.dice?.map((index) => rows[turn][index]) ?? [action.face];
    const drawn = faces.map((each) => token(each, turn, seatOf(game, turn)));
    return tag(faces.length > 4 ? "span.of.many" : "span.of", SILENT, ...drawn);
  }

  return { draw };
}

// The chances of a boundary roll, in words, and which face may come to the edge as small bars.
function chancesOf(game, action, chances) {
  const said = ["pushes", "captures", "locks", "blocked"]
    .filter((each) => chances[each] > 0.0005 && !(each === "captures" && !game.position.captured))
    .map((each) => t(`live.chance-${each}`, { p: percent(chances[each]) }));
  return tag("span.chances", tag("span", t("live.chance-edge")), bars(chances[action.edge]), tag("span.odds", ...said.map((each) => tag("span", each))));
}

function bars(faces) {
  const words = Object.entries(faces).filter(([, p]) => p > 0.0005).map(([face, p]) => `${face}: ${percent(p)}`);
  const most = Math.max(...Object.values(faces), 0.01);
  const drawn = Object.entries(faces).map(([face, p]) => {
    const level = tag("span.level");
    level.style.height = `${(100 * p) / most}%`;
    return tag("span.bar", SILENT, tag("span.tube", level), tag("span.foot", face));
  });
  return tag("span.bars", named("img", words.join(", ")), ...drawn);
}

function hinted(hint, best) {
  const sign = hint.margin < 0 ? "−" : "+";
  const margin = `${sign}${number(Math.abs(hint.margin), 1)}`;
  const text = t(best ? "live.hint-best" : "live.hint", { margin, error: number(hint.margin_error, 1), p: percent(hint.win) });
  return tag(best ? "span.hint.best" : "span.hint", text);
}

