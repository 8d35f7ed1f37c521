// The scores: each player's round in its three parts, the match so far, and how far it is to the threshold.

import { element, look, sample, table } from "./dice.js";
import { seatOf, who } from "./model.js";
import { t } from "./texts.js";

export function tally(game) {
  const order = game.turn_order;
  const rank = (each) => (order.includes(each.colour) ? order.indexOf(each.colour) : order.length + each.seat);
  const made = element("ol", { class: "tally" });
  made.append(...[...game.scores].sort((a, b) => rank(a) - rank(b)).map((each) => player(game, each, order.indexOf(each.colour) + 1)));
  return made;
}

function player(game, score, place) {
  const turn = game.position.turn === score.colour && !game.match.over;
  const made = element("li", { class: turn ? "player turn" : "player", "data-colour": score.colour });
  made.style.setProperty("--paint", look(score.colour).paint);
  const head = element("div", { class: "player-head" }, sample(score.colour, score.seat), element("span", { class: "name" }, who(game, score.colour)));
  if (place > 0) head.append(element("span", { class: "place" }, t(`live.plays-${place}`)));
  const total = element("span", { class: "running" }, `${score.running}`);
  head.append(element("span", { class: "quiet" }, t("live.running")), total);
  made.append(head, parts(game, score), bar(game, score));
  return made;
}

function parts(game, { parts: { lead_in: lead, captured, lawn }, round, total }) {
  const list = element("dl", { class: "score-parts" });
  const put = (name, points) => {
    list.append(element("div", {}, element("dt", {}, name), element("dd", {}, `${points}`)));
  };
  const bonus = lead.category ? t("live.with-bonus", { bonus: t(`bonus.${lead.category}`) }) : t("live.lead");
  put(bonus, lead.points);
  if (game.players.length === 2) put(t("live.captured"), captured.points);
  put(t("live.control"), lawn.points);
  put(t("live.this-round"), round);
  if (game.match.rounds.length > 0 && !game.match.over) put(t("live.before"), total);
  return list;
}

function bar(game, score) {
  const made = element("div", { class: "to-go" });
  const meter = element("div", { class: "meter", "aria-hidden": "true" });
  const [done, now] = [element("span", { class: "done" }), element("span", { class: "now" })];
  const share = (points) => `${Math.min(100, (100 * points) / game.threshold)}%`;
  done.style.width = share(score.total);
  now.style.width = share(score.running - score.total);
  meter.append(done, now);
  const left = score.to_threshold;
  made.append(meter, element("span", { class: "left" }, left > 0 ? t("live.to-go", { count: left, threshold: game.threshold }) : t("live.reached", { threshold: game.threshold })));
  return made;
}

// The score sheet of the round that has just ended.
export function roundSheet(game) {
  const { last_round: last, players } = game;
  const two = players.length === 2; // only two players capture
  const heads = ["player", "lead", ...(two ? ["captured"] : []), "control", "this-round", "sum"].map((key) => t(`live.${key}`));
  const rows = players.map(({ colour }) => {
    const score = last.scores[colour];
    const points = [score.base + score.bonus, ...(two ? [score.captured] : []), score.lawn, score.total, last.totals[colour]];
    return [[sample(colour, seatOf(game, colour)), who(game, colour)], ...points.map(String)];
  });
  const drawn = table(heads, rows, "points");
  const best = Math.max(...players.map(({ colour }) => last.scores[colour].total));
  drawn.querySelectorAll("tbody tr").forEach((line, at) => line.classList.toggle("best", last.scores[players[at].colour].total === best));
  const title = element("h2", { id: "sheet-title" }, t("live.round-over", { round: last.round }));
  return element("section", { class: "panel sheet", "aria-labelledby": "sheet-title" }, title, drawn);
}
