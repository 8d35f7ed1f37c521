// The four corners of the lawn, dragged over a frozen picture by mouse, finger and keyboard.

import { get, post } from "./api.js";
import { lines } from "./lawn.js";
import { at, button, hear, onClick, svg } from "./nodes.js";
import { t } from "./texts.js";

const NAMES = [0, 1, 2, 3].map((mark) => t(`corners.mark-${mark}`));
const SHORT = ["1 L", "1 R", "6 R", "6 L"];
const LOUPE_TIMES = 3;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MIRRORED = t("corners.mirrored");

const stage = at("stage");
let picture = null; // {url, width, height}, frozen
let image = null;
let corners = []; // [[x, y] * 4], px of the picture
let handles = [];
let drawing = null;
let touched = false;

start();
onClick("again", start);
onClick("keep", keep);
onClick("turn", () => reorder([2, 3, 0, 1]));
onClick("swap", () => reorder([1, 0, 3, 2]));
hear(window, "resize", draw);

async function start() {
  const known = await asked(get("/corners"));
  if (known === null) return;
  if (known.picture === null) {
    say(known.says);
    setTimeout(start, 700);
    return;
  }
  picture = known.picture;
  image = new Image();
  image.src = picture.url;
  image.alt = t("corners.frozen");
  image.draggable = false;
  try {
    await image.decode();
  } catch {
    setTimeout(start, 300); // not kept any more: a newer one is there
    return;
  }
  const { width: w, height: h } = picture;
  corners = known.corners ?? [[0.3 * w, 0.2 * h], [0.7 * w, 0.2 * h], [0.7 * w, 0.8 * h], [0.3 * w, 0.8 * h]];
  touched = false;
  build();
  for (const id of ["keep", "turn", "swap"]) at(id).disabled = false;
  if (known.corners === null) propose();
  else say(t(known.found ? "corners.found" : "corners.kept-already"));
}

async function propose() {
  say(t("corners.looking"));
  const frozen = picture;
  const found = await asked(get("/corners/proposal"));
  if (found === null || touched || picture !== frozen) return;
  if (found.corners === null) {
    say(t("corners.no-grid"));
    return;
  }
  corners = found.corners;
  draw();
  say(t("corners.grid"));
}

function build() {
  drawing = svg("svg", { viewBox: `0 0 ${picture.width} ${picture.height}`, "aria-hidden": "true" });
  handles = NAMES.map((name, index) => {
    const handle = button(SHORT[index], () => {}, "handle");
    hear(handle, "pointerdown", (event) => grab(event, index));
    hear(handle, "keydown", (event) => press(event, index));
    hear(handle, "focus", () => loupe(index));
    hear(handle, "blur", () => (at("loupe").hidden = true));
    return handle;
  });
  stage.replaceChildren(image, drawing, ...handles);
  draw();
}

function grab(event, index) {
  event.preventDefault();
  const handle = handles[index];
  handle.focus();
  handle.setPointerCapture(event.pointerId);
  handle.classList.add("held");
  const [x, y] = toPicture(event);
  const off = [corners[index][0] - x, corners[index][1] - y]; // the mark does not jump under the finger
  handle.onpointermove = (moved) => {
    const [u, v] = toPicture(moved);
    move(index, u + off[0], v + off[1]);
  };
  handle.onpointerup = handle.onpointercancel = () => {
    handle.classList.remove("held");
    handle.onpointermove = null;
  };
}

function press(event, index) {
  const step = STEPS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const by = event.shiftKey ? 10 : 1;
  move(index, corners[index][0] + by * step[0], corners[index][1] + by * step[1]);
}

function move(index, x, y) {
  touched = true;
  corners[index] = [Math.min(Math.max(x, 0), picture.width), Math.min(Math.max(y, 0), picture.height)];
  draw();
  loupe(index);
  sayWhetherMirrored();
}

function reorder(order) {
  touched = true;
  corners = order.map((index) => corners[index]);
  draw();
  sayWhetherMirrored();
}

function toPicture(event) {
  const box = image.getBoundingClientRect();
  return [((event.clientX - box.x) / box.width) * picture.width, ((event.clientY - box.y) / box.height) * picture.height];
}

function sayWhetherMirrored() {
  let area = 0;
  corners.forEach(([x, y], index) => {
    const [u, v] = corners[(index + 1) % 4];
    area += x * v - u * y;
  });
  say(area < 0 ? MIRRORED : "");
}

function draw() {
  if (image === null || drawing === null) return;
  handles.forEach((handle, index) => {
    const [x, y] = corners[index];
    handle.style.left = `${(x / picture.width) * image.clientWidth}px`;
    handle.style.top = `${(y / picture.height) * image.clientHeight}px`;
    handle.setAttribute("aria-label", `${NAMES[index]}: ${Math.round(x)}, ${Math.round(y)}`);
  });
  const d = lines(corners);
  const line = (kind, path) => svg(`path.${kind}`, { d: path, "vector-effect": "non-scaling-stroke" });
  drawing.replaceChildren(line("under", d.join("")), line("line", d.join("")), line("line.first", d[0]));
}

function loupe(index) {
  const glass = at("loupe");
  const pen = glass.getContext("2d");
  const [x, y] = corners[index];
  const shown = image.naturalWidth / picture.width; // a wide picture is sent smaller
  const perPx = (image.naturalWidth / Math.max(image.clientWidth, 1)) / LOUPE_TIMES;
  const side = glass.width * perPx;
  pen.fillStyle = "#000000";
  pen.fillRect(0, 0, glass.width, glass.height);
  pen.drawImage(image, x * shown - side / 2, y * shown - side / 2, side, side, 0, 0, glass.width, glass.height);
  for (const [colour, width] of [["#000000", 3], ["#ffd23f", 1]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(glass.width / 2, 0);
    pen.lineTo(glass.width / 2, glass.height);
    pen.moveTo(0, glass.height / 2);
    pen.lineTo(glass.width, glass.height / 2);
    pen.stroke();
  }
  // The finger never covers it: it stands on the other side of the window.
  const box = image.getBoundingClientRect();
  glass.classList.toggle("left", box.x + (x / picture.width) * box.width > innerWidth / 2);
  glass.hidden = false;
}

async function keep() {
  const answer = await asked(post("/corners", { width: picture.width, height: picture.height, corners }));
  if (answer !== null) say(answer.mirrored ? `${t("corners.kept")} ${MIRRORED}` : t("corners.kept"));
}

async function asked(answer) {
  try {
    return await answer;
  } catch (error) {
    say(error.message, true);
    return null;
  }
}

function say(text, wrong = false) {
  at("says").textContent = text;
  at("says").classList.toggle("wrong", wrong);
}
