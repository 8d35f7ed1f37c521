// Typing what dice show: six faces to tap or to type, one after the other, as many as are in the air.

import { button, element, token } from "./dice.js";
import { t } from "./texts.js";

const FACES = [1, 2, 3, 4, 5, 6];

export class Pad {
  #root;
  #enter;
  #what = "";
  #count = 0;
  #faces = [];
  #look = {};

  // enter(faces): called with the faces once they are all there and confirmed.
  constructor(root, enter) {
    this.#root = root;
    this.#enter = enter;
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  // what: which throw this is; faces typed so far are kept as long as it stays the same. null: no throw is due.
  show(what, count = 0, { colour, seat } = {}) {
    this.#root.hidden = what === null;
    if (what === this.#what) return;
    this.#what = what;
    this.#count = count;
    this.#look = { colour, seat };
    this.#faces = [];
    if (what !== null) this.#draw();
  }

  #key(event) {
    const away = document.activeElement === document.body;
    const free = away || this.#root.contains(document.activeElement);
    if (this.#root.hidden || !this.#root.checkVisibility() || !free || event.ctrlKey || event.metaKey || event.altKey) return;
    if (FACES.includes(Number(event.key))) this.#add(Number(event.key));
    else if (event.key === "Backspace") this.#drop(this.#faces.length - 1);
    else if (event.key === "Enter" && away && this.#faces.length === this.#count) this.#done();
    else return;
    event.preventDefault();
  }

  #add(face) {
    if (this.#faces.length >= this.#count) return;
    this.#faces.push(face);
    if (this.#count === 1) this.#done();
    else this.#draw();
  }

  #drop(index, count = 1) {
    this.#faces.splice(index, count);
    this.#draw();
  }

  #done() {
    this.#enter([...this.#faces]);
    this.#faces = [];
    this.#draw();
  }

  #draw() {
    const held = this.#root.contains(document.activeElement);
    const face = document.activeElement?.dataset?.face;
    const full = this.#faces.length === this.#count;
    const faces = element("div", { class: "faces", role: "group", "aria-label": t("live.pad-faces") });
    for (const each of FACES) {
      const key = button("", () => this.#add(each), "face", { "data-face": each, "aria-label": `${each}` });
      key.append(this.#die(each), element("kbd", { "aria-hidden": "true" }, `${each}`));
      key.disabled = full;
      faces.append(key);
    }
    const parts = [faces];
    if (this.#count > 1) parts.unshift(this.#slots());
    if (this.#count > 1) parts.push(this.#buttons(full));
    this.#root.replaceChildren(...parts);
    if (!held) return;
    if (full) this.#root.querySelector(".enter").focus();
    else this.#root.querySelector(`[data-face="${face}"]:not(:disabled), .face:not(:disabled)`)?.focus();
  }

  #slots() {
    const left = this.#count - this.#faces.length;
    const slots = element("div", { class: "slots", role: "group", "aria-label": t("live.pad-so-far", { count: left }) });
    for (let index = 0; index < this.#count; index++) {
      const face = this.#faces[index];
      if (face === undefined) {
        slots.append(element("span", { class: "slot", "aria-hidden": "true" }));
        continue;
      }
      const slot = button("", () => this.#drop(index), "slot", { "aria-label": t("live.pad-drop", { face }) });
      slot.append(this.#die(face));
      slots.append(slot);
    }
    return slots;
  }

  #buttons(full) {
    const enter = button(t("live.pad-enter"), () => this.#done(), "button enter");
    enter.disabled = !full;
    const clear = button(t("live.pad-clear"), () => this.#drop(0, this.#count));
    clear.disabled = this.#faces.length === 0;
    return element("div", { class: "row" }, enter, clear);
  }

  #die(face) {
    return token(face, this.#look.colour, this.#look.seat);
  }
}
