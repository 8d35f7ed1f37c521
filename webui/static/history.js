// The turns so far, newest first, each with its picture, and setting a past turn right.

import { button, element, sample } from "./dice.js";
import { ROWS, SIDES, seatOf } from "./model.js";
import { Sheet, choice } from "./sheet.js";
import { t } from "./texts.js";

const BONUSES = ["five of a kind", "six of a kind", "seven of a kind", "eight of a kind", "six-dice straight", "fully matched"];

export class History {
  #list;
  #sheet;
  #on;
  #drawn = "";

  // on: {turn(id, body)}
  constructor(list, dialog, on) {
    this.#list = list;
    this.#sheet = new Sheet(dialog);
    this.#on = on;
  }

  draw(game, canAct) {
    const drawn = JSON.stringify([game.turns, game.seems, canAct]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const turns = game.turns.map((turn) => this.#item(game, turn, canAct));
    this.#list.replaceChildren(...game.seems.map((line) => seeming(game, line)), ...turns.reverse());
  }

  #item(game, turn, canAct) {
    const made = element("li", { class: turn.misfit ? "past misfit" : "past" });
    const dot = turn.by ? sample(turn.by, seatOf(game, turn.by)) : element("span", { class: "die" });
    const usual = turn.source === (game.watched ? "camera" : "person");
    const source = usual ? "" : t(`live.by-${turn.source}`);
    const says = button("", () => this.#open(turn, canAct), "past-says");
    says.setAttribute("aria-haspopup", "dialog");
    says.append(dot, element("span", { class: "number" }, turn.number ?? ""), words(turn), element("span", { class: "source" }, source));
    if (turn.misfit) says.append(element("span", { class: "misfit-says" }, turn.misfit));
    made.append(says);
    return made;
  }

  #open(turn, canAct) {
    const parts = [element("h2", { id: "turn-title" }, turn.number ? t("live.turn-title", turn) : turn.words[0]), element("p", {}, words(turn))];
    if (turn.misfit) parts.push(element("p", { class: "warning" }, turn.misfit));
    if (turn.picture_url) parts.push(element("img", { class: "moment", src: turn.picture_url, alt: t("live.moment") }));
    else parts.push(element("p", { class: "soft" }, t("live.no-moment")));
    if (canAct && turn.source !== "ruling") parts.push(...this.#form(turn));
    this.#sheet.open(...parts);
  }

  #form(turn) {
    const form = element("div", { class: "turn-form" }, ...fields(told(turn)));
    const problem = element("p", { class: "warning", role: "alert" });
    problem.hidden = true;
    const send = async (body) => {
      try {
        await this.#on.turn(turn.id, body);
        this.#sheet.close();
      } catch (error) {
        problem.hidden = false;
        problem.textContent = error.message;
      }
    };
    const replaced = () => actions(form).map((action) => ({ action, by: turn.by }));
    const choices = [
      button(t("live.turn-replace"), () => send({ do: "replace", actions: replaced() }), "button"),
      button(t("live.turn-add"), () => send({ do: "add-after", actions: actions(form) }), "plain"),
      button(t("live.turn-remove"), () => send({ do: "remove" }), "plain"),
    ];
    return [form, problem, element("div", { class: "row" }, ...choices)];
  }
}

function words(turn) {
  return element("span", { class: "past-text" }, turn.words.join(", "));
}

// What seems to have been done and is not final yet.
function seeming(game, line) {
  const says = element("span", { class: "past-text" }, line.words.join(", ") || "…");
  const source = element("span", { class: "source" }, t("live.by-seems"));
  return element("li", { class: "past seeming" }, element("span", { class: "past-says" }, sample(line.by, seatOf(game, line.by)), says, source));
}

// What was done in a turn, by the fields of the form: faces as digits, "" for what was not done.
function told(turn) {
  const done = { edge: "", showed: "", bonus: "", again: [], placed: "", pushed: "" };
  for (const each of turn.actions) {
    const faces = each.faces?.join(" ");
    if (each.action === "boundary") done.edge = each.edge;
    else if (each.action === "claim") done.bonus = each.category;
    else if (each.action === "place") done.placed = `${each.face} ${each.side}`;
    else if (done.placed) done.pushed = faces;
    else if (done.showed) done.again.push(faces);
    else done.showed = faces;
  }
  return { ...done, again: done.again.join(", ") };
}

function fields(done) {
  const edges = ["low", "high"].map((edge) => [edge, t(`live.edge-${edge}`)]);
  const places = ROWS.flatMap((row) => SIDES.map((side) => [`${row} ${side}`, t(`live.at-${side}`, { row })]));
  return [
    chosen("edge", edges, done.edge),
    typed("showed", done.showed),
    typed("again", done.again),
    chosen("bonus", BONUSES.map((each) => [each, t(`bonus.${each}`)]), done.bonus),
    chosen("placed", places, done.placed),
    chosen("pushed", ROWS.map((face) => [`${face}`, `${face}`]), done.pushed),
  ];
}

function labelled(name, field) {
  return element("label", {}, element("span", {}, t(`live.turn-${name}`)), field);
}

function typed(name, value) {
  return labelled(name, element("input", { name, type: "text", inputmode: "numeric", autocomplete: "off", value }));
}

function chosen(name, choices, value) {
  return labelled(name, choice({ name }, [["", "–"], ...choices], value));
}

// The actions that the form's fields tell, in their order.
function actions(form) {
  const value = (name) => form.querySelector(`[name="${name}"]`).value.trim();
  const rolls = (text) => text.split(",").map((each) => each.match(/\S/g)?.join(" ")).filter(Boolean).map((faces) => `rolled ${faces}`);
  const named = (verb, text) => (text ? [`${verb} ${text}`] : []);
  return [
    ...named("boundary", value("edge")),
    ...rolls(value("showed")),
    ...named("claim", value("bonus")),
    ...rolls(value("again")),
    ...named("place", value("placed")),
    ...rolls(value("pushed")),
  ];
}
