// The scoreboard: what the event stream tells, large.

import { element, sample, svg } from "./dice.js";
import { dieAt, fence, field, ground } from "./field.js";
import { SIDES, gameOf } from "./model.js";
import { follow } from "./stream.js";
import { number, t } from "./texts.js";

const at = (id) => document.getElementById(id);
let lost = false;
let state = null;
let drawn = "";

follow("/api/v1/events", {
  onState(next) {
    state = next;
    draw();
  },
  onLink({ connected }) {
    lost = !connected;
    draw();
  },
});

at("full")?.addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});

function draw() {
  const match = state?.match ?? null;
  at("board").dataset.state = lost ? "lost" : match ? "playing" : state ? "idle" : "starting";
  const now = JSON.stringify([lost, state !== null, match?.version, match?.id]);
  if (now === drawn) return;
  drawn = now;
  if (lost) return say(t("scoreboard.lost"));
  if (!match) {
    at("players").replaceChildren();
    at("head").textContent = "";
    at("lawn").hidden = true;
    return say(state ? t("scoreboard.none") : t("scoreboard.starting"));
  }
  const game = gameOf(match);
  at("head").textContent = t("scoreboard.head", { round: match.match.round, points: match.threshold });
  at("players").replaceChildren(...match.scores.map((score) => player(game, score)));
  lawn(game);
  const asked = match.question?.verdict.sentence;
  at("board").dataset.asks = String(Boolean(asked));
  say(asked ?? match.prompt.text);
}

function say(text) {
  if (at("prompt").textContent !== text) at("prompt").textContent = text;
}

function player(game, score) {
  const { match } = game;
  const total = match.over ? score.total : score.running;
  const ahead = match.over ? match.winners.includes(score.colour) : game.position.turn === score.colour;
  const item = element("li", { class: ahead ? "player now" : "player", "data-colour": score.colour });
  const bar = element("div", { class: "bar", role: "img", "aria-label": t("scoreboard.to-go", { count: score.to_threshold }) });
  bar.append(silentBar(total / game.threshold));
  const parts = Object.entries({ lead: "lead_in", captured: "captured", lawn: "lawn" })
    .filter(([key]) => key !== "captured" || game.players.length === 2)
    .map(([key, part]) => element("span", { class: "part" }, `${t(`scoreboard.${key}`)} `, element("b", {}, number(score.parts[part].points))));
  const word = match.over ? "scoreboard.winner" : "scoreboard.turn";
  item.append(
    sample(score.colour, score.seat),
    element("span", { class: "name" }, score.name, ...(ahead ? [element("span", { class: "turn" }, t(word))] : [])),
    element("span", { class: "parts" }, ...parts),
    element("strong", { class: "total" }, number(total)),
    bar,
  );
  return item;
}

function silentBar(share) {
  const width = Math.round(1000 * Math.min(1, Math.max(0, share)));
  const drawing = svg("svg", { viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  drawing.append(svg("rect", { width, height: 10 }));
  return drawing;
}

function lawn(game) {
  const shown = game.board.lawn;
  const seats = game.position.players;
  const drawing = field(t("scoreboard.lawn"));
  drawing.setAttribute("role", "img");
  for (const { row, places, locked } of shown) {
    const earth = ground(row);
    if (locked) for (const told of earth.querySelectorAll(".number")) told.remove(); // a padlock stands there
    drawing.append(earth);
    places.forEach((owner, index) => {
      if (owner) drawing.append(dieAt(row, SIDES[index], owner, seats.indexOf(owner)));
    });
    if (locked) drawing.append(fence(row, locked));
  }
  at("lawn").replaceChildren(drawing);
  at("lawn").hidden = false;
}
