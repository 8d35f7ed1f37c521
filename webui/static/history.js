// The turns so far, newest first, each with its picture, and setting a past turn right.

import { sample } from "./dice.js";
import { ROWS, SIDES, seatOf } from "./model.js";
import { button, noticing, tag, tell } from "./nodes.js";
import { choice, makeSheet } from "./sheet.js";
import { t } from "./texts.js";

const BONUSES = ["five of a kind", "six of a kind", "seven of a kind", "eight of a kind", "six-dice straight", "fully matched"];

// on: {turn(id, body)}
export function makeTurns(list, dialog, on) {
  const sheet = makeSheet(dialog);
  const isNew = noticing();

  function draw(game, canAct) {
    if (!isNew(game.turns, game.seems, canAct)) return;
    const turns = game.turns.map((turn) => item(game, turn, canAct));
    list.replaceChildren(...game.seems.map((line) => seeming(game, line)), ...turns.reverse());
  }

  function item(game, turn, canAct) {
    const dot = turn.by ? sample(turn.by, seatOf(game, turn.by)) : tag("span.die");
    const usual = turn.source === (game.watched ? "camera" : "person");
    const source = usual ? "" : t(`live.by-${turn.source}`);
    const held = [dot, tag("span.number", turn.number), words(turn), tag("span.source", source), turn.misfit && tag("span.misfit-says", turn.misfit)];
    const says = button(held, () => open(turn, canAct), "past-says", { "aria-haspopup": "dialog" });
    return tag(turn.misfit ? "li.past.misfit" : "li.past", says);
  }

  function open(turn, canAct) {
    sheet.open(
      tag("h2", { id: "turn-title" }, turn.number ? t("live.turn-title", turn) : turn.words[0]),
      tag("p", words(turn)),
      turn.misfit && tag("p.warning", turn.misfit),
      turn.picture_url ? tag("img.moment", { src: turn.picture_url, alt: t("live.moment") }) : tag("p.soft", t("live.no-moment")),
      ...(canAct && turn.source !== "ruling" ? formOf(turn) : []),
    );
  }

  function formOf(turn) {
    const form = tag("div.turn-form", ...fields(told(turn)));
    const problem = tag("p.warning", { role: "alert", hidden: "" });
    const send = async (body) => {
      try {
        await on.turn(turn.id, body);
        sheet.close();
      } catch (error) {
        tell(problem, error.message);
      }
    };
    const replaced = () => actions(form).map((action) => ({ action, by: turn.by }));
    const choices = [
      button(t("live.turn-replace"), () => send({ do: "replace", actions: replaced() }), "button"),
      button(t("live.turn-add"), () => send({ do: "add-after", actions: actions(form) }), "plain"),
      button(t("live.turn-remove"), () => send({ do: "remove" }), "plain"),
    ];
    return [form, problem, tag("div.row", ...choices)];
  }

  return { draw };
}

function words(turn) {
  return tag("span.past-text", turn.words.join(", "));
}

// What seems to have been done and is not final yet.
function seeming(game, line) {
  const says = [sample(line.by, seatOf(game, line.by)), tag("span.past-text", line.words.join(", ") || "…"), tag("span.source", t("live.by-seems"))];
  return tag("li.past.seeming", tag("span.past-says", ...says));
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
  return tag("label", tag("span", t(`live.turn-${name}`)), field);
}

function typed(name, value) {
  return labelled(name, tag("input", { name, type: "text", inputmode: "numeric", autocomplete: "off", value }));
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
