// What may be done now, as a list: each move with what it would cause, the chances of each edge, and the hint.

import { button, element, pointing, token } from "./dice.js";
import { percent, seatOf } from "./model.js";
import { number, t } from "./texts.js";

const ICONS = { push: "⇥", capture: "★", lock: "🔒" };

export class Moves {
  #list;
  #on;
  #drawn = "";

  // on: {act(action), previews(actions)}
  constructor(list, on) {
    this.#list = list;
    this.#on = on;
  }

  draw(game, canAct, advice) {
    const choices = game.legal.filter((each) => each.action !== null && each.kind !== "claim");
    const drawn = JSON.stringify([choices, game.chances, canAct, advice, game.position.turn]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = this.#list.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.#list.hidden = choices.length === 0;
    this.#list.replaceChildren(...choices.map((each) => this.#item(game, each, canAct, advice)));
    if (focused) (this.#list.querySelector(`[data-action="${focused}"]`) ?? this.#list.querySelector("button"))?.focus();
    this.#on.previews([]);
  }

  #item(game, action, canAct, advice) {
    const { label, notes = [] } = action;
    const made = button("", () => canAct && this.#on.act(action), "move", { "data-action": action.action });
    if (!canAct) made.setAttribute("aria-disabled", "true");
    const says = element("span", { class: "says" }, element("span", { class: "label" }, label));
    for (const { kind, text } of notes) {
      says.append(element("span", { class: `effect ${kind}` }, element("span", { "aria-hidden": "true" }, ICONS[kind]), text));
    }
    const chances = game.chances.find((each) => each.edge === action.edge && action.kind === "boundary");
    if (chances) says.append(chancesOf(game, action, chances));
    const hint = advice?.find((each) => each.action === action.action);
    if (hint) says.append(hinted(hint, hint === advice[0]));
    made.append(this.#dice(game, action), says);
    pointing(made, () => this.#on.previews([action]), () => this.#on.previews([]));
    return element("li", {}, made);
  }

  #dice(game, action) {
    const { turn, rows } = game.position;
    const faces = action.dice?.map((index) => rows[turn][index]) ?? [action.face];
    const made = element("span", { class: faces.length > 4 ? "of many" : "of", "aria-hidden": "true" });
    made.append(...faces.map((each) => token(each, turn, seatOf(game, turn))));
    return made;
  }
}

// The chances of a boundary roll, in words, and which face may come to the edge as small bars.
function chancesOf(game, action, chances) {
  const said = ["pushes", "captures", "locks", "blocked"]
    .filter((each) => chances[each] > 0.0005 && !(each === "captures" && !game.position.captured))
    .map((each) => t(`live.chance-${each}`, { p: percent(chances[each]) }));
  const made = element("span", { class: "chances" });
  const list = element("span", { class: "odds" });
  list.append(...said.map((each) => element("span", {}, each)));
  made.append(bars(chances[action.edge]), list);
  return made;
}

function bars(faces) {
  const words = Object.entries(faces).filter(([, p]) => p > 0.0005).map(([face, p]) => `${face}: ${percent(p)}`);
  const made = element("span", { class: "bars", role: "img", "aria-label": t("live.chance-edge", { list: words.join(", ") }) });
  const most = Math.max(...Object.values(faces), 0.01);
  for (const [face, p] of Object.entries(faces)) {
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    const level = element("span", { class: "level" });
    level.style.height = `${(100 * p) / most}%`;
    bar.append(element("span", { class: "tube" }, level), element("span", { class: "foot" }, face));
    made.append(bar);
  }
  return made;
}

function hinted(hint, best) {
  const sign = hint.margin < 0 ? "−" : "+";
  const margin = `${sign}${number(Math.abs(hint.margin), 1)}`;
  const text = t(best ? "live.hint-best" : "live.hint", { margin, error: number(hint.margin_error, 1), p: percent(hint.win) });
  return element("span", { class: best ? "hint best" : "hint" }, text);
}

