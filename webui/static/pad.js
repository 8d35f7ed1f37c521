// Typing what dice show: six faces to tap or to type, one after the other, as many as are in the air.

import { token } from "./dice.js";
import { ROWS as FACES } from "./model.js";
import { SILENT, button, focusIn, hear, named, tag } from "./nodes.js";
import { t } from "./texts.js";

const KEPT = "lawn-typed"; // what was typed and not entered yet outlives a reload

// enter(faces): called with the faces once they are all there and confirmed.
export function makePad(root, enter) {
  let what = "";
  let count = 0;
  let faces = [];
  let die = null;
  hear(document, "keydown", typed);

  // due: which throw this is; faces typed so far are kept as long as it stays the same. null: none can be entered now.
  function show(due, dice = 0, { colour, seat } = {}) {
    root.hidden = due === null;
    if (due === what) return;
    what = due;
    if (due === null) return;
    count = dice;
    die = (face) => token(face, colour, seat);
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    faces = kept?.what === what ? kept.faces : [];
    draw();
  }

  function typed(event) {
    const { key } = event;
    const away = document.activeElement === document.body;
    const free = away || focusIn(root);
    if (root.hidden || !root.checkVisibility() || !free || event.ctrlKey || event.metaKey || event.altKey) return;
    if (FACES.includes(Number(key))) add(Number(key));
    else if (key === "Backspace") drop(faces.length - 1);
    else if (key === "Enter" && away && faces.length === count) done();
    else return;
    event.preventDefault();
  }

  function add(face) {
    if (faces.length >= count) return;
    faces.push(face);
    if (count === 1) done();
    else draw();
  }

  function drop(index, many = 1) {
    faces.splice(index, many);
    draw();
  }

  function done() {
    enter(faces);
    faces = [];
    draw();
  }

  function draw() {
    sessionStorage.setItem(KEPT, JSON.stringify({ what, faces }));
    const held = focusIn(root);
    const full = faces.length === count;
    const keys = FACES.map((each) => {
      const kbd = tag("kbd", SILENT, each);
      return button([die(each), kbd], () => add(each), "face", { "data-face": each, "aria-label": each, disabled: full ? "" : null });
    });
    const choices = tag("div.faces", named("group", t("live.pad-faces")), ...keys);
    root.replaceChildren(...(count > 1 ? [slots(), choices, buttons(full)] : [choices]));
    if (!held) return;
    root.querySelector(full ? ".enter" : `[data-face="${held.dataset.face}"]:not(:disabled), .face:not(:disabled)`)?.focus();
  }

  function slots() {
    const slot = (_, index) => {
      const face = faces[index];
      if (face === undefined) return tag("span.slot", SILENT);
      return button(die(face), () => drop(index), "slot", { "aria-label": t("live.pad-drop", { face }) });
    };
    const label = t("live.pad-so-far", { count: count - faces.length });
    return tag("div.slots", named("group", label), ...Array.from({ length: count }, slot));
  }

  function buttons(full) {
    const enters = button(t("live.pad-enter"), done, "button enter", { disabled: full ? null : "" });
    const clears = button(t("live.pad-clear"), () => drop(0, count), "", { disabled: faces.length ? null : "" });
    return tag("div.row", enters, clears);
  }

  return { show };
}
