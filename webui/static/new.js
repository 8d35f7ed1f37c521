// New Match: who plays in which colours, how the table is seen, by which rulings; then it begins.

import { get, post } from "./api.js";
import { capital, sample, token } from "./dice.js";
import { colourWord, listed, pointsOf } from "./model.js";
import { SILENT, all, at, button, hear, named, noticing, onClick, tag, tell } from "./nodes.js";
import { makePicture } from "./picture.js";
import { follow } from "./stream.js";
import { moment, t } from "./texts.js";

const DICE = 8;
const PREVIEW_MS = 1500;
const LEVELS = { good: "✓", improve: "!", bad: "✕" };
const NONE = "none";
const WAIT_MS = 4000; // so long a first reading is waited for before the table is looked over without

const form = at("form");
const picture = makePicture(at("frame"), () => {});
const offersAreNew = noticing();
const coloursAreNew = noticing();
let state = null;
let cameras = null;
let checking = false;
let checked = ""; // the camera that was looked over last
let sawAt = 0; // when its first picture came
let touched = false; // whether somebody has chosen colours

drawSwatches();
coloursChanged();
listCameras();
setInterval(refreshPreviews, PREVIEW_MS);

follow("/api/v1/events", {
  onState(next) {
    state = next;
    draw();
  },
  onLink({ connected }) {
    at("lost").hidden = connected;
  },
});

function draw() {
  const may = Boolean(state.you?.controls);
  at("going").hidden = state.match === null;
  at("watching").hidden = may;
  tell(at("begin-says"), !may ? t("live.only-watching") : state.match !== null ? t("new.going") : "");
  at("begin").disabled = !at("begin-says").hidden;
  drawOffers(may);
  const spec = state.camera?.spec ?? NONE;
  const offered = () => all("input", at("cameras")).find((each) => each.value === spec);
  if (cameras && !offered()) at("cameras").prepend(camera(spec, state.camera.name, t("new.camera-now"), false));
  if (offered()) offered().checked = true;
  for (const none of all(".note", at("cameras"))) none.hidden = spec !== NONE;
  const sees = spec !== NONE && state.table.source.state !== "off";
  at("check").hidden = !sees;
  const { source } = state.table;
  tell(at("camera-says"), spec !== NONE && source.state !== "live" && source.state !== "playing" && source.says);
  drawPhone(state.camera?.phone);
  if (sees && state.table.picture) {
    picture.show(state.table, null);
    sawAt ||= Date.now();
    if (checked !== spec && (state.table.reading || Date.now() - sawAt > WAIT_MS)) look();
    drawColours(coloursOf(state.table.reading));
  }
}

// --- an unfinished match ------------------------------------------------------------------

function drawOffers(may) {
  const offers = state.offer ?? [];
  if (!offersAreNew(offers, may)) return;
  at("offers").hidden = offers.length === 0;
  at("offer-list").replaceChildren(...offers.map((each) => offer(each, may)));
}

function offer(each, may) {
  const when = moment(each.last_s);
  const resume = button(t("new.resume"), () => go(`/matches/${each.id}/resume`), "button");
  resume.disabled = !may || each.elsewhere;
  const dots = tag("span.dots", SILENT, ...each.players.map((player, seat) => sample(player.colour, seat)));
  const elsewhere = each.elsewhere ? [tag("br"), t("live.elsewhere")] : [];
  return tag("li", dots, tag("span", tag("strong", pointsOf(each)), tag("br"), t("new.offer-says", { when, count: each.turns }), ...elsewhere), resume);
}

async function go(path, body = {}) {
  try {
    await post(path, body);
    location.assign("/live");
  } catch (error) {
    say([error.message]);
  }
}

onClick("leave", () => confirm(t("live.leave-sure")) && post("/match/leave").catch((error) => say([error.message])));

// --- players ------------------------------------------------------------------------------

function count() {
  return Number(form.elements.count.value);
}

function seats() {
  return [...Array(count()).keys()];
}

function colourOf(seat) {
  return form.elements[`colour-${seat}`].value;
}

function drawSwatches() {
  for (const swatch of all(".swatch-die", form)) {
    swatch.append(token(5, swatch.dataset.colour));
  }
}

hear(form, "change", ({ target }) => {
  if (target.name?.startsWith("colour-")) {
    touched = true;
    swap(Number(target.name.at(-1)), target.value);
  }
  if (target.name?.startsWith("colour-") || target.name === "count") coloursChanged();
  if (target.name?.startsWith("option-")) optionsChanged();
});

// Two players never have one colour: who had it takes what the other leaves.
function swap(seat, colour) {
  const used = [0, 1, 2].map(colourOf);
  const other = used.findIndex((each, index) => index !== seat && each === colour);
  if (other < 0) return;
  const free = all(`[name="colour-${other}"]`, form).map((each) => each.value).find((each) => !used.includes(each));
  const left = form.dataset[`was${seat}`];
  form.elements[`colour-${other}`].value = left && left !== colour ? left : free;
}

function coloursChanged() {
  const players = count();
  for (const seat of all(".seat", form)) {
    const number = Number(seat.dataset.seat);
    seat.hidden = number >= players;
    const colour = colourOf(number);
    form.dataset[`was${number}`] = colour;
    seat.querySelector(".seat-die").replaceChildren(token(5, colour, number));
    at(`name-${number}`).placeholder = capital(colourWord(colour));
  }
  const words = listed(seats().map((seat) => t("new.eight", { colour: colourWord(colourOf(seat)) })));
  at("equipment").textContent = t(`new.equipment-${players}`, { words });
}

// --- the camera ---------------------------------------------------------------------------

async function listCameras() {
  try {
    cameras = await get("/cameras");
  } catch (error) {
    cameras = { cameras: [], others: [NONE] };
    say([error.message]);
  }
  const found = cameras.cameras.map((each) => camera(each.spec, each.name, each.says, each.says === ""));
  const others = cameras.others.map((each) => camera(each, t(`new.camera-${each}`), t(`new.camera-${each}-says`), false));
  if (found.length === 0) others.unshift(tag("p.note", t("new.no-cameras")));
  at("cameras").replaceChildren(...found, ...others);
  if (state) draw();
}

function camera(spec, name, says, preview) {
  const input = tag("input", { type: "radio", name: "camera", value: spec });
  hear(input, "change", () => choose(spec));
  const image = preview && tag("img.preview-picture", { alt: t("new.preview", { name }), width: 160, height: 90, "data-spec": spec });
  if (preview) hear(image, "error load", (event) => (image.hidden = event.type === "error"));
  return tag("label.camera", input, image, tag("span.camera-words", tag("strong", name), tag("span.soft", says)));
}

function refreshPreviews() {
  if (document.hidden) return;
  for (const image of all(".preview-picture")) {
    const used = image.dataset.spec === state?.camera?.spec && state.table.picture;
    image.src = used ? state.table.picture.url : `/api/v1/cameras/${encodeURIComponent(image.dataset.spec)}/preview.jpg?at=${Date.now()}`;
  }
}

async function choose(spec) {
  checked = "";
  sawAt = 0;
  say([]);
  at("checks").replaceChildren();
  try {
    await post("/camera", { spec });
  } catch (error) {
    say([error.message]);
    draw();
  }
}

function drawPhone(phone) {
  at("phone").hidden = !phone;
  if (!phone || at("phone").dataset.url === phone.url) return;
  at("phone").dataset.url = phone.url;
  const code = tag("img", { src: phone.qr, alt: t("new.phone-code"), width: 180, height: 180 });
  const words = tag("div", tag("p", t("new.phone-says")), tag("p.address", phone.url));
  at("phone").replaceChildren(code, words);
}

// --- mat, light, sharpness, colours ---------------------------------------------------------

onClick("again", look);

async function look() {
  if (checking) return;
  checking = true;
  checked = state.camera.spec;
  at("again").disabled = true;
  at("checks").replaceChildren(tag("li.soft", t("new.checking")));
  try {
    const report = await get("/check");
    at("checks").replaceChildren(...report.checks.map(check));
  } catch (error) {
    at("checks").replaceChildren(tag("li.check.bad", error.message));
  }
  at("again").disabled = false;
  checking = false;
}

function check(each) {
  const mark = tag("span.level", named("img", t(`new.level-${each.level}`)), LEVELS[each.level]);
  return tag(`li.check.${each.level}`, mark, tag("span", tag("strong", t(`new.check-${each.check}`)), ` ${each.says}`));
}

// [{colour, count}] of the dice that are read now, most first.
function coloursOf(reading) {
  const counts = new Map();
  for (const { colour } of reading?.dice ?? []) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts].map(([colour, count]) => ({ colour, count })).sort((a, b) => b.count - a.count);
}

function drawColours(colours) {
  if (!coloursAreNew(colours)) return;
  at("colours-seen").hidden = colours.length === 0;
  at("colour-list").replaceChildren(...colours.map((each) => {
    const words = t("new.seen", { count: each.count, colour: colourWord(each.colour) });
    return tag("li", tag("img", { src: `/api/v1/check/colours/${each.colour}.jpg?v=${state.table.version}`, alt: "", width: 56, height: 56 }), words);
  }));
  for (const swatch of all(".swatch-choice", form)) {
    const seen = colours.find((each) => each.colour === swatch.querySelector("input").value);
    swatch.classList.toggle("noticed", seen !== undefined);
  }
  const sets = colours.filter((each) => each.colour !== "white" && each.count >= DICE).map((each) => each.colour);
  const now = seats().map(colourOf);
  if (touched || sets.length < 2 || (sets.length === now.length && now.every((each) => sets.includes(each)))) return;
  sets.slice(0, 3).forEach((colour, seat) => {
    form.elements[`colour-${seat}`].value = colour;
    swap(seat, colour);
    form.dataset[`was${seat}`] = colour;
  });
  if (sets.length === 3) form.elements.count.value = "3";
  coloursChanged();
}

// --- rulings, and off we go -----------------------------------------------------------------

for (const each of all(".points")) {
  hear(each, "click", () => (at("threshold").value = each.dataset.points));
}

function options() {
  const chosen = {};
  for (const ruling of all(".ruling", form)) {
    const { option } = ruling.dataset;
    const { value } = form.elements[`option-${option}`];
    if (value !== ruling.dataset.default) chosen[option] = value;
  }
  return chosen;
}

function optionsChanged() {
  const changed = Object.keys(options()).length;
  at("options-say").textContent = changed ? t("new.options-changed", { count: changed }) : t("new.options-default");
}

hear(form, "submit", (event) => {
  event.preventDefault();
  const players = seats().map((seat) => ({ name: at(`name-${seat}`).value.trim(), colour: colourOf(seat) }));
  const problems = [];
  const names = players.map((each) => each.name.toLocaleLowerCase()).filter(Boolean);
  if (new Set(names).size < names.length) problems.push(t("new.same-names"));
  const threshold = Number(at("threshold").value);
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > Number(at("threshold").max)) {
    problems.push(t("new.bad-threshold", { most: at("threshold").max }));
    at("threshold").setAttribute("aria-invalid", "true");
  } else {
    at("threshold").removeAttribute("aria-invalid");
  }
  say(problems);
  if (problems.length === 0) go("/matches", { players, threshold, options: options() });
});

function say(problems) {
  at("problems").hidden = problems.length === 0;
  at("problems").replaceChildren(...problems.map((each) => tag("li", each)));
}
