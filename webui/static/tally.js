// The scores: each player's round in its three parts, the match so far, and how far it is to the threshold.

import { painted, sample } from "./dice.js";
import { seatOf, who } from "./model.js";
import { SILENT, all, table, tag } from "./nodes.js";
import { t } from "./texts.js";

export function tally(game) {
  const order = game.turn_order;
  const rank = (each) => (order.includes(each.colour) ? order.indexOf(each.colour) : order.length + each.seat);
  const players = [...game.scores].sort((a, b) => rank(a) - rank(b)).map((each) => player(game, each, order.indexOf(each.colour) + 1));
  return tag("ol.tally", ...players);
}

function player(game, score, place) {
  const turn = game.position.turn === score.colour && !game.match.over;
  const { colour } = score;
  const head = tag(
    "div.player-head",
    sample(colour, score.seat),
    tag("span.name", who(game, colour)),
    place > 0 && tag("span.place", t(`live.plays-${place}`)),
    tag("span.quiet", t("live.running")),
    tag("span.running", score.running),
  );
  return painted(tag(turn ? "li.player.turn" : "li.player", { "data-colour": colour }, head, parts(game, score), bar(game, score)), colour);
}

function parts(game, { parts: { lead_in: lead, captured, lawn }, round, total }) {
  const list = tag("dl.score-parts");
  const put = (name, points) => {
    list.append(tag("div", tag("dt", name), tag("dd", points)));
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
  const [done, now] = [tag("span.done"), tag("span.now")];
  const share = (points) => `${Math.min(100, (100 * points) / game.threshold)}%`;
  done.style.width = share(score.total);
  now.style.width = share(score.running - score.total);
  const { threshold } = game;
  const left = score.to_threshold;
  const says = left > 0 ? t("live.to-go", { count: left, threshold }) : t("live.reached", { threshold });
  return tag("div.to-go", tag("div.meter", SILENT, done, now), tag("span.left", says));
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
  all("tbody tr", drawn).forEach((line, at) => line.classList.toggle("best", last.scores[players[at].colour].total === best));
  const title = tag("h2", { id: "sheet-title" }, t("live.round-over", { round: last.round }));
  return tag("section.panel.sheet", { "aria-labelledby": "sheet-title" }, title, drawn);
}
