// The camera's side of the page: its picture, whether that is of now, and what stands in the way of reading it.

import { element } from "./dice.js";
import { Picture } from "./picture.js";
import { language, t } from "./texts.js";

const at = (id) => document.getElementById(id);

export class SeenPart {
  #picture;
  #table = null;
  #drawnScores = "";

  // fix(x, y): somebody taps the picture there, px of the picture.
  constructor(fix) {
    this.#picture = new Picture(at("frame"), fix);
    at("near").addEventListener("click", () => this.#near(!this.#picture.near));
    for (const [id, kind] of [["boxes", "bare"], ["lawn", "plain"], ["over", "over"]]) {
      at(id).addEventListener("click", () => {
        const on = at("frame").classList.toggle(kind) === (kind === "over");
        at(id).setAttribute("aria-pressed", String(on));
      });
    }
  }

  #near(near) {
    this.#picture.near = near;
    at("near").setAttribute("aria-pressed", String(near));
    at("frame").classList.toggle("near", near);
    this.#picture.redraw();
  }

  // What stands in the way of a current reading: {title, says}, or null.
  draw(table, link, game) {
    this.#table = table;
    const alarm = this.#alarmOf(link);
    // Old: the picture is not of now. Touched: it is, but the reading is of before something moved.
    const off = table?.source.state === "off";
    const old = table !== null && !off && (!link.connected || !(table.table || table.problem));
    const touched = table !== null && !old && !table.current && table.reading !== null;
    at("table").classList.toggle("old", old);
    at("table").classList.toggle("touched", touched);
    at("alarm").hidden = alarm === null;
    setText(at("alarm-title"), alarm?.title ?? "");
    setText(at("alarm-says"), alarm?.says ?? "");
    this.#status(link);
    if (table !== null) this.#show(table, game, old, touched);
    return alarm;
  }

  #show(table, game, old, touched) {
    if (this.#picture.near === null && game !== null && table.mat.found) this.#near(true);
    this.#picture.show(table, game);
    at("seen").hidden = table.source.state === "off";
    if (game === null) this.#scores(table).catch(() => {}); // not loaded: the next state tries again
    setText(at("caption"), old ? "" : table.source.says);
    setText(at("stale"), this.#stale(old, touched));
    // Of a photo nobody expects it to move.
    setText(at("lying"), old || table.source.state === "still" ? "" : (table.table?.says ?? ""));
    at("lying").dataset.state = table.table?.state ?? "";
    setText(at("moved"), old ? "" : table.camera.says);
    at("lawn").hidden = !table.mat.found && table.hidden.outlines.length === 0;
    at("over").hidden = !table.mat.found || game === null;
    setItems(at("notices"), table.notices);
  }

  #alarmOf({ connected, ever }) {
    const table = this.#table;
    const old = table?.picture ? ` ${t("live.seen-at", { time: clock(table.picture.seen_at) })}` : "";
    if (!connected && ever) return { title: t("live.lost-connection"), says: t("live.lost-connection-says") + old };
    if (table?.source.state === "lost") return { title: t("live.lost-camera"), says: `${table.source.says}${old}` };
    if (table?.problem) return { title: t("live.not-read"), says: table.problem };
    return null;
  }

  #stale(old, touched) {
    const table = this.#table;
    if (old && table.picture) return t("live.not-current", { time: clock(table.picture.seen_at) });
    return touched ? t("live.as-it-lay", { time: clock(table.reading_of.seen_at) }) : "";
  }

  #status({ connected, ever }) {
    const shown = !ever ? "starting" : !connected ? "offline" : (this.#table?.source.state ?? "starting");
    at("status").dataset.state = shown;
    setText(at("status-says"), t(`live.status-${shown}`));
  }

  // What is read while nobody plays; what draws it is loaded only then.
  async #scores(table) {
    const scores = JSON.stringify([table.score, table.order, table.reading?.dice]);
    if (scores === this.#drawnScores) return;
    const { cards, order } = await import("./scores.js");
    if (table !== this.#table) return;
    this.#drawnScores = scores;
    at("order").replaceChildren(...order(table.order));
    at("cards").replaceChildren(...(table.score ? cards(table.score, table.reading) : []));
  }
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function setItems(list, texts) {
  list.hidden = texts.length === 0;
  if (texts.join("\n") === [...list.children].map((item) => item.textContent).join("\n")) return;
  list.replaceChildren(...texts.map((text) => element("li", {}, text)));
}

function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString(language);
}
