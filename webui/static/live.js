// Wires the stream of states to the live table.

import { get, post } from "./api.js";
import { makeBigRolls } from "./bigroll.js";
import { makeBoard } from "./board.js";
import { painted, sample } from "./dice.js";
import { makeTurns } from "./history.js";
import { OPENING, certainty, gameOf, pointsOf, saidBy, seatOf, spotsOf, who } from "./model.js";
import { makeMoves } from "./moves.js";
import { at, button, onClick, press, setText, tag, tell } from "./nodes.js";
import { makePad } from "./pad.js";
import { makeSeen } from "./seen.js";
import { follow } from "./stream.js";
import { roundSheet, tally } from "./tally.js";
import { t } from "./texts.js";
import { isOn, play, say, turnOn } from "./voice.js";

const SPEAK_MS = 1000;
const NAME = "Get Off My Lawn";
const STEP = { "boundary-choice": "roll", "boundary-roll": "roll", "grind-roll": "roll", placement: "place", "re-entry": "push" };

let link = { connected: false, ever: false };
let state = null;
let game = null;
let advice = null; // {version, list}
let speaking = 0;
let toSay = "";
let fix = null;
let referee = null;
let byKeys = false; // whether the last step was taken with the keyboard: then it goes on with the next step's keys

const board = makeBoard(at("board"), { act, fix: openFix });
const moves = makeMoves(at("moves"), { act, previews: (actions) => board.previews(actions) });
const pad = makePad(at("pad"), (faces) => act({ action: `rolled ${faces.join(" ")}` }));
const rolls = makeBigRolls(at("rolls"), { elect: (by, category) => send("/match/elect", { by, category }), fix: openFix });
const history = makeTurns(at("pasts"), at("past"), { turn: (id, body) => post(`/match/turns/${id}`, body) });
const seen = makeSeen((key) => game && mayAct() && openFix({ key }));

follow("/api/v1/events", {
  onState(next, changed) {
    state = next;
    if (!changed || changed.has("match") || changed.has("you")) matchChanged();
    draw();
  },
  onLink(now) {
    link = now;
    draw();
  },
});

function mayAct() {
  return link.connected && Boolean(state?.you?.controls);
}

function act({ action }) {
  byKeys = document.activeElement?.matches("button:focus-visible, [role=button]:focus-visible") ?? false;
  return send("/match/actions", { action });
}

// Corrections are rare: what they need is loaded with the first one.
async function openFix(what) {
  const { makeFixes } = await import("./fix.js");
  fix ??= makeFixes(at("fix"), {
    die: (key, about) => send(`/match/dice/${key}`, about),
    add: (about) => send("/match/dice", about),
  });
  fix.open(game, what);
}

// So are questions of the referee.
async function drawReferee() {
  if (game.question !== null && referee === null) {
    const { makeReferee } = await import("./referee.js");
    referee ??= makeReferee(at("referee"), {
      answer: (guess, number) => send("/match/answer", { guess, number }),
      accept: () => send("/match/accept"),
      fix: openFix,
      say: (key, face) => send(`/match/dice/${key}`, { face }),
    });
  }
  if (game !== null) referee?.draw(game, mayAct());
}

// Every change goes this way: what is refused is said, and gone with the next thing that works.
async function send(path, body = {}) {
  try {
    await post(path, body);
    at("oops").hidden = true;
  } catch (error) {
    tell(at("oops"), error.message);
    at("oops").scrollIntoView({ block: "nearest" });
  }
}

function matchChanged() {
  const before = game;
  game = state.match ? gameOf(state.match) : null;
  if (before && game && before.id === game.id) announce(before, game);
  if (before?.version !== game?.version) at("oops").hidden = true;
}

function draw() {
  const alarm = seen.draw(state?.table ?? null, link, game);
  const mode = state === null ? "starting" : modeOf();
  at("table").dataset.mode = mode;
  at("table").dataset.match = game?.version ?? "";
  at("table").dataset.players = game?.players.length ?? 0;
  at("table").classList.toggle("manual", game !== null && !game.watched);
  for (const id of ["turn", "stage", "hand", "standing", "history", "side"]) at(id).hidden = game === null;
  at("start").hidden = mode !== "watch";
  at("watch").hidden = mode !== "watch" || state.table.source.state === "off";
  // Without a camera's picture the turns have room below the moves.
  const beside = at(game && !game.watched ? "middle" : "side");
  if (at("history").parentNode !== beside) beside.append(at("history"));
  if (game !== null) drawGame(mode);
  else if (state !== null) drawNoGame();
  document.title = alarm ? `${alarm.title} ${NAME}` : game ? `${game.prompt.text} – ${NAME}` : NAME;
  speak(alarm ? `${alarm.title} ${alarm.says}` : game ? saidBy(game) || game.prompt.text : (state?.table.order ?? []).join(" "));
}

function modeOf() {
  if (game === null) return "watch";
  if (game.match.over) return "over";
  return OPENING.includes(game.position.phase) ? "opening" : "play";
}

function drawGame(mode) {
  const may = mayAct();
  drawTurn();
  drawReferee().catch(() => {}); // not loaded because the connection is gone: the next state tries again
  at("sheet").replaceChildren(...(game.last_round ? [roundSheet(game)] : []));
  at("ended").hidden = mode !== "over";
  at("its-page").href = `/match/${game.id}`;
  at("rolls").hidden = mode !== "opening";
  at("board").hidden = mode === "opening";
  if (mode === "opening") {
    rolls.draw(game, may && !game.paused);
    board.clear();
  } else {
    // Where a camera watches, a tap on a die corrects it; moves are then entered from the list.
    board.draw(game, { act: may && !game.paused && !game.watched, fix: may });
    board.light(spotsOf(game));
  }
  drawHand(may);
  at("tally").replaceChildren(tally(game));
  history.draw(game, may);
  drawTools(may);
}

function drawNoGame() {
  board.clear();
  referee = null;
  at("referee").hidden = true;
  const offers = state.offer ?? [];
  at("offers").replaceChildren(
    ...offers.map((each) => {
      const made = button(t("live.go-on-with", { names: pointsOf(each) }), () => send(`/matches/${each.id}/resume`));
      made.disabled = !mayAct() || each.elsewhere;
      return tag("li", made, each.elsewhere ? ` ${t("live.elsewhere")}` : "");
    }),
  );
}

function drawTurn() {
  const { position } = game;
  const by = game.match.over ? game.match.winners[0] : position.turn;
  painted(at("turn"), by);
  at("turn-die").replaceChildren(sample(by, seatOf(game, by)));
  const ended = state.table.source.state === "ended" && !game.match.over && !game.question;
  setText(at("prompt"), ended ? t("live.recording-over") : game.prompt.text);
  at("recording").hidden = !ended;
  setText(at("heard"), heard(game));
  tell(at("seems"), game.ahead && t("live.seems", { p: certainty(game.provisional.probability) }));
  setText(at("round"), t("live.round", { number: game.match.round }));
  at("steps").hidden = ended || !(position.phase in STEP) || game.match.over;
  for (const step of at("steps").children) {
    if (step.dataset.step === STEP[position.phase]) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  }
}

// The last thing that the referee saw, with its certainty, or how it is mended; a turn is said in the page's own words.
function heard({ note, turns, question }) {
  if (question) return question.verdict.mend ?? ""; // what is asked stands by itself
  if (!note) return "";
  if (note.kind !== "happened") return note.text;
  const turn = turns[turns.length - 1];
  const words = turn?.by ? `${who(game, turn.by)}: ${turn.words.join(", ")}.` : note.text;
  return `${words} ${t("live.sure", { p: certainty(note.probability) })}`;
}

function drawHand(may) {
  const roll = game.legal.find((each) => each.kind === "roll");
  const active = may && !game.paused;
  at("typed").hidden = !roll || !active;
  if (!game.watched) at("typed").open = true;
  const list = advice?.version === game.version && isOn("hints") ? advice.list : null;
  moves.draw(game, active, list);
  if (roll && active) {
    const what = [game.id, roll.what, roll.owner, roll.by, game.match.round, game.turns_total, roll.needs.dice].join();
    pad.show(what, roll.needs.dice, { colour: roll.owner, seat: seatOf(game, roll.owner) });
  } else {
    pad.show(null);
  }
  at("watching").hidden = may || !link.connected;
  const nothing = game.match.over || (may && !game.legal.some((each) => each.kind !== "claim"));
  at("hand").hidden = nothing;
  askHint();
  if (byKeys && document.activeElement === document.body) {
    at("hand").querySelector(".face:not(:disabled), .move")?.focus();
  }
}

function drawTools(may) {
  at("tools").hidden = !may;
  for (const name of ["undo", "redo"]) {
    at(name).disabled = !game[name];
    at(name).title = game[name];
  }
  at("pause").hidden = game.match.over;
  setText(at("pause"), t(game.paused ? "live.go-on" : "live.pause"));
}

async function askHint() {
  const choices = game.legal.some((each) => each.action !== null);
  if (!isOn("hints") || !choices || advice?.version === game.version) return;
  const { version } = game;
  advice = { version, list: null };
  try {
    const answer = await get("/match/hint");
    if (game?.version !== version) return;
    advice = { version, list: answer.advice };
    drawHand(mayAct());
  } catch {
    // A hint that does not come is not missed: the next position asks again.
  }
}

// What is new is heard, if somebody wants to hear it.
function announce(before, now) {
  if (now.question?.number !== before.question?.number && now.question) {
    play(now.question.verdict.verdict === "unsure" ? "ask" : "warning");
    say(saidBy(now));
    return;
  }
  const locks = (each) => each.board.lawn.filter((row) => row.locked).length;
  const captures = (each) => Object.values(each.position.captured).flat().length;
  if (locks(now) > locks(before)) play("lock");
  else if (captures(now) > captures(before)) play("capture");
  else if (now.position.turn !== before.position.turn) play("turn");
  const next = now.prompt.text;
  if (next !== before.prompt.text) say([now.note?.at_s !== before.note?.at_s ? heard(now) : "", next].filter(Boolean).join(" "));
}

function speak(text) {
  if (text === toSay) return; // pictures come more often than anything is said
  toSay = text;
  clearTimeout(speaking);
  speaking = setTimeout(() => setText(at("spoken"), text), SPEAK_MS);
}

onClick("undo", () => send("/match/undo"));
onClick("redo", () => send("/match/redo"));
onClick("pause", () => send(game.paused ? "/match/go-on" : "/match/pause"));
onClick("leave", () => confirm(t("live.leave-sure")) && send("/match/leave"));
for (const name of ["hints", "speech", "sounds"]) {
  press(at(name), isOn(name));
  onClick(name, () => {
    turnOn(name, !isOn(name));
    press(at(name), isOn(name));
    if (name === "speech" && game) say(game.prompt.text);
    if (name === "sounds") play("turn");
    if (game) drawHand(mayAct());
  });
}

