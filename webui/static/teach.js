// Show it your dice: a picture for every face, then the reader learns and keeps it under a name.

import { get, post } from "./api.js";
import { all, at, button, hear, onClick, tag, tell } from "./nodes.js";
import { t } from "./texts.js";

const POLL_MS = 1000;

const lessons = all(".lesson");
let busy = false;

for (const lesson of lessons) {
  const face = Number(lesson.dataset.face);
  hear(lesson.querySelector(".camera"), "click", () => show(lesson, () => post(`/teach/lessons/${face}`)));
  hear(lesson.querySelector(".photo"), "change", (event) => {
    const photo = event.target.files[0];
    event.target.value = "";
    if (photo) show(lesson, () => post(`/teach/lessons/${face}`, photo));
  });
}

hear(at("form"), "submit", (event) => {
  event.preventDefault();
  const players = all(".seat").map((seat) => seat.value).filter(Boolean);
  ask(() => post("/teach/learn", { name: at("name").value.trim(), players, tune: at("tune").checked }));
});
onClick("anew", () => ask(() => post("/teach/do", { what: "begin-anew" })));
onClick("as-shipped", () => ask(() => post("/teach/do", { what: "as-shipped" })));

ask(() => get("/teach"));

async function show(lesson, send) {
  lesson.querySelector(".mark").textContent = t("teach.looking");
  if (!(await ask(send))) lesson.querySelector(".mark").textContent = "";
}

async function ask(send) {
  if (busy) return false;
  busy = true;
  try {
    const state = await send();
    problem(state.problem);
    draw(state);
    if (state.doing === "learning") setTimeout(() => ask(() => get("/teach")), POLL_MS);
    return true;
  } catch (error) {
    problem(error.message);
    return false;
  } finally {
    busy = false;
  }
}

function problem(says) {
  tell(at("problem"), says);
}

function draw(state) {
  const learning = state.doing === "learning";
  at("no-camera").hidden = state.camera;
  at("doing").textContent = learning ? t("teach.learning") : "";
  at("learn").disabled = learning || state.lessons.length === 0;
  for (const lesson of lessons) drawLesson(lesson, state);
  drawLearned(state.learned);
  at("kept").replaceChildren(...state.tables.map((name) => keptRow(name, state.used)));
  at("kept-none").hidden = state.tables.length > 0;
  at("as-shipped").hidden = state.used === null;
}

function drawLesson(lesson, state) {
  const face = Number(lesson.dataset.face);
  const mark = state.lessons.find((each) => each.face === face);
  const [camera, shown, told] = [".camera", ".shown", ".mark"].map((css) => lesson.querySelector(css));
  camera.disabled = !state.camera || state.doing === "learning";
  camera.textContent = t(mark ? "teach.again" : "teach.camera");
  const says = mark ? t(mark.unsure ? "teach.mark-unsure" : "teach.mark", mark) : "";
  if (told.textContent !== says) {
    told.textContent = says;
    if (mark) shown.src = `/api/v1/teach/lessons/${face}.jpg?${Date.now()}`;
  }
  shown.hidden = !mark;
}

function drawLearned(learned) {
  at("result").hidden = !learned;
  if (!learned) return;
  const { dice, right } = learned;
  const tuned = learned.tuned_right;
  const how = tuned === null ? "plain" : learned.tuned ? "tuned" : "same";
  at("learned").textContent = t(`teach.learned-${how}`, { dice, right, tuned });
  const colours = { true: "teach.learned-colours", false: "teach.learned-no-colours" }[learned.colours];
  at("learned-colours").textContent = colours ? t(colours) : "";
}

function keptRow(name, used) {
  const label = tag("span.name", name === used ? `${name} (${t("teach.used")})` : name);
  const use = button(t("teach.use"), () => ask(() => post("/teach/use", { name })));
  use.disabled = name === used;
  return tag("li", label, use, button(t("teach.forget"), () => ask(() => post("/teach/forget", { name }))));
}
