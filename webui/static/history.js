// The turns so far, newest first, each with its picture, and setting a past turn right.

import { button, element, sample } from "./dice.js";
import { seatOf, who } from "./model.js";
import { t } from "./texts.js";

// The clauses of a record's line (docs/record-format.md), and the words for each.
const CLAUSES = [
  [/^(low|high) (\d+)(?: -> (\d+))?$/, (game, edge, from, to) => t(`live.past-${edge}`, { from, to: to ?? "…" })],
  [/^grind -> (\d+)$/, (game, to) => t("live.past-grind", { to })],
  [/^place (\d) (\w+)$/, (game, face, side) => t(`live.past-${side}`, { face })],
  [/^capture (\d)$/, (game, face) => t("live.past-capture", { face })],
  [/^lock (\d)$/, (game, face) => t("live.past-lock", { face })],
  [/^push (\w+)(?: -> (\d))?$/, (game, owner, to) => t("live.past-push", { name: who(game, owner), to: to ?? "…" })],
  [/^big roll (\d+)$/, (game, faces) => t("live.past-big-roll", { faces })],
  [/^tie-break (\d+)$/, (game, faces) => t("live.past-tie-break", { faces })],
  [/^(?:bonus|claims) (.+)$/, (game, category) => t(`bonus.${category}`)],
  [/^score (\d+)$/, (game, points) => t("live.past-score", { points })],
  [/^lost turn$/, () => t("live.past-lost")],
];

export class History {
  #list;
  #dialog;
  #on;
  #drawn = "";

  // on: {turn(id, body)}
  constructor(list, dialog, on) {
    this.#list = list;
    this.#dialog = dialog;
    this.#on = on;
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }

  draw(game, canAct) {
    const seems = game.ahead ? game.provisional.actions : [];
    const drawn = JSON.stringify([game.turns, seems, canAct]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#list.replaceChildren(...pending(game, seems), ...[...game.turns].reverse().map((turn, back) => this.#item(game, turn, game.turns_total - back, canAct)));
  }

  #item(game, turn, number, canAct) {
    const made = element("li", { class: turn.misfit ? "past misfit" : "past" });
    const dot = turn.by ? sample(turn.by, seatOf(game, turn.by)) : element("span", { class: "die" });
    const usual = turn.source === (game.watched ? "camera" : "person");
    const source = usual ? "" : t(`live.by-${turn.source}`);
    const says = element("button", { type: "button", class: "past-says", "aria-haspopup": "dialog" });
    says.append(dot, element("span", { class: "number" }, `${number}`), element("span", { class: "past-text" }, turnWords(game, turn)), element("span", { class: "source" }, source));
    if (turn.misfit) says.append(element("span", { class: "misfit-says" }, turn.misfit));
    says.addEventListener("click", () => this.#open(game, turn, number, canAct));
    made.append(says);
    return made;
  }

  #open(game, turn, number, canAct) {
    const close = button("×", () => this.#dialog.close(), "close");
    close.setAttribute("aria-label", t("live.close"));
    const parts = [close, element("h2", { id: "turn-title" }, t("live.turn-title", { number })), element("p", { class: "past-text" }, turnWords(game, turn))];
    if (turn.misfit) parts.push(element("p", { class: "warning" }, turn.misfit));
    if (turn.picture_url) parts.push(element("img", { class: "moment", src: turn.picture_url, alt: t("live.moment", { number }) }));
    else parts.push(element("p", { class: "soft" }, t("live.no-moment")));
    if (canAct && turn.source !== "ruling") parts.push(...this.#forms(turn));
    this.#dialog.replaceChildren(...parts);
    this.#dialog.showModal();
  }

  #forms(turn) {
    const label = element("label", { for: "turn-actions" }, t("live.turn-actions"));
    const field = element("input", { id: "turn-actions", type: "text", spellcheck: "false", autocomplete: "off" });
    field.value = turn.actions.map(notation).join(", ");
    const says = element("p", { class: "soft" }, t("live.turn-actions-says"));
    const problem = element("p", { class: "warning", role: "alert" });
    problem.hidden = true;
    const send = async (body) => {
      try {
        await this.#on.turn(turn.id, body);
        this.#dialog.close();
      } catch (error) {
        problem.hidden = false;
        problem.textContent = error.message;
      }
    };
    const words = () => field.value.split(",").map((each) => each.trim()).filter(Boolean);
    const replaced = () => words().map((action) => ({ action, by: turn.by }));
    return [
      element("div", { class: "field" }, label, field),
      says,
      problem,
      element(
        "div",
        { class: "row" },
        button(t("live.turn-replace"), () => send({ do: "replace", actions: replaced() }), "button"),
        button(t("live.turn-add"), () => send({ do: "add-after", actions: words() }), "plain"),
        button(t("live.turn-remove"), () => send({ do: "remove" }), "plain"),
      ),
    ];
  }
}

// What seems to have been done and is not final yet, newest first, a line a turn.
function pending(game, actions) {
  const lines = [];
  let edge = "";
  for (const each of actions) {
    if (each.by !== lines[0]?.by || each.action === "boundary") lines.unshift({ by: each.by, clauses: [] });
    const { clauses } = lines[0];
    const to = each.faces?.join("");
    if (each.action === "boundary") edge = each.edge;
    else if (each.action === "place") clauses.push(t(`live.past-${each.side}`, { face: each.face }));
    else if (each.action === "claim") clauses.push(t(`bonus.${each.category}`));
    else if (each.faces.length === 8 && clauses.length === 0 && !edge) clauses.push(t("live.past-big-roll", { faces: to }));
    else clauses.push(edge && clauses.length === 0 ? t(`live.past-${edge}`, { from: "…", to }) : `→ ${to}`);
  }
  return lines.map(({ by, clauses }) => {
    const says = element("span", { class: "past-text" }, clauses.join(", ") || "…");
    const line = element("span", { class: "past-says" }, sample(by, seatOf(game, by)), says, element("span", { class: "source" }, t("live.by-seems")));
    return element("li", { class: "past seeming" }, line);
  });
}

export function turnWords(game, turn) {
  if (!turn.by || turn.source === "ruling") return turn.text;
  return turn.text.replace(`${turn.by} `, "").split(", ").map((clause) => clauseWords(game, clause)).join(", ");
}

function clauseWords(game, clause) {
  for (const [form, say] of CLAUSES) {
    const found = form.exec(clause);
    if (found) return say(game, ...found.slice(1));
  }
  return clause;
}

function notation(each) {
  if (each.action === "boundary") return `boundary ${each.edge}`;
  if (each.action === "place") return `place ${each.face} ${each.side}`;
  if (each.action === "claim") return `claim ${each.category}`;
  return `rolled ${each.faces.join(" ")}`;
}
