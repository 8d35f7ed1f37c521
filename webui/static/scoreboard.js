// The scoreboard: what the event stream tells, large.

import { sample } from "./dice.js";
import { dieAt, fence, field, ground } from "./field.js";
import { SIDES, gameOf, seatOf } from "./model.js";
import { all, at, named, noticing, onClick, setText, svg, tag } from "./nodes.js";
import { follow } from "./stream.js";
import { number, t } from "./texts.js";

let lost = false;
let state = null;
const isNew = noticing();

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

onClick("full", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});

function draw() {
  const match = state?.match ?? null;
  at("board").dataset.state = lost ? "lost" : match ? "playing" : state ? "idle" : "starting";
  if (!isNew(lost, state !== null, match?.version, match?.id)) return;
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
  setText(at("prompt"), text);
}

function player(game, score) {
  const { match } = game;
  const total = match.over ? score.total : score.running;
  const ahead = match.over ? match.winners.includes(score.colour) : game.position.turn === score.colour;
  const toGo = named("img", t("scoreboard.to-go", { count: score.to_threshold }));
  const parts = Object.entries({ lead: "lead_in", captured: "captured", control: "lawn" })
    .filter(([key]) => key !== "captured" || game.players.length === 2)
    .map(([key, part]) => tag("span.part", `${t(`scoreboard.${key}`)} `, tag("b", number(score.parts[part].points))));
  const word = match.over ? "scoreboard.winner" : "scoreboard.turn";
  return tag(
    ahead ? "li.player.now" : "li.player",
    { "data-colour": score.colour },
    sample(score.colour, score.seat),
    tag("span.name", score.name, ahead && tag("span.turn", t(word))),
    tag("span.parts", ...parts),
    tag("strong.total", number(total)),
    tag("div.bar", toGo, silentBar(total / game.threshold)),
  );
}

function silentBar(share) {
  const width = Math.round(1000 * Math.min(1, Math.max(0, share)));
  return svg("svg", { viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { width, height: 10 }));
}

function lawn(game) {
  const drawing = field(t("scoreboard.lawn"));
  drawing.setAttribute("role", "img");
  for (const { row, places, locked } of game.board.lawn) {
    const earth = ground(row);
    if (locked) for (const told of all(".number", earth)) told.remove(); // a padlock stands there
    drawing.append(earth);
    places.forEach((owner, index) => {
      if (owner) drawing.append(dieAt(row, SIDES[index], owner, seatOf(game, owner)));
    });
    if (locked) drawing.append(fence(row, locked));
  }
  at("lawn").replaceChildren(drawing);
  at("lawn").hidden = false;
}
