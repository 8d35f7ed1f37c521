// The camera's side of the page: its picture, whether that is of now, and what stands in the way of reading it.

import { at, noticing, onClick, press, setText, tag } from "./nodes.js";
import { makePicture } from "./picture.js";
import { clock, t } from "./texts.js";

// fix(key): somebody taps that die in the picture.
export function makeSeen(fix) {
  const picture = makePicture(at("frame"), fix);
  let near = null; // whether only the part of the picture with the mat and the dice is shown; null: not said yet
  let table = null;
  const isNew = noticing();
  onClick("near", () => setNear(!near));
  for (const [id, kind] of [["boxes", "bare"], ["lawn", "plain"], ["over", "over"]]) {
    onClick(id, () => press(at(id), at("frame").classList.toggle(kind) === (kind === "over")));
  }

  function setNear(on) {
    near = on;
    press(at("near"), on);
    at("frame").classList.toggle("near", on);
    picture.come(on);
  }

  // What stands in the way of a current reading: {title, says}, or null.
  function draw(now, link, game) {
    table = now;
    const alarm = alarmOf(link);
    // Old: the picture is not of now. Touched: it is, but the reading is of before something moved.
    const off = table?.source.state === "off";
    const old = table !== null && !off && (!link.connected || !(table.table || table.problem));
    const touched = table !== null && !old && !table.current && table.reading !== null;
    at("table").classList.toggle("old", old);
    at("table").classList.toggle("touched", touched);
    at("alarm").hidden = alarm === null;
    setText(at("alarm-title"), alarm?.title ?? "");
    setText(at("alarm-says"), alarm?.says ?? "");
    drawStatus(link);
    if (table !== null) show(game, old, touched);
    return alarm;
  }

  function show(game, old, touched) {
    if (near === null && game !== null && table.mat.found) setNear(true);
    picture.show(table, game);
    at("seen").hidden = table.source.state === "off";
    if (game === null) drawScores().catch(() => {}); // not loaded: the next state tries again
    setText(at("caption"), old ? "" : table.source.says);
    setText(at("stale"), stale(old, touched));
    // Of a photo nobody expects it to move.
    setText(at("lying"), old || table.source.state === "still" ? "" : (table.table?.says ?? ""));
    at("lying").dataset.state = table.table?.state ?? "";
    setText(at("moved"), old ? "" : table.camera.says);
    at("lawn").hidden = !table.mat.found && table.hidden.outlines.length === 0;
    at("over").hidden = !table.mat.found || game === null;
    setItems(at("notices"), table.notices);
  }

  function alarmOf({ connected, ever }) {
    const old = table?.picture ? ` ${t("live.seen-at", { time: clock(table.picture.seen_at) })}` : "";
    if (!connected && ever) return { title: t("live.lost-connection"), says: t("live.lost-connection-says") + old };
    if (table?.source.state === "lost") return { title: t("live.lost-camera"), says: `${table.source.says}${old}` };
    if (table?.problem) return { title: t("live.not-read"), says: table.problem };
    return null;
  }

  function stale(old, touched) {
    if (old && table.picture) return t("live.not-current", { time: clock(table.picture.seen_at) });
    return touched ? t("live.as-it-lay", { time: clock(table.reading_of.seen_at) }) : "";
  }

  function drawStatus({ connected, ever }) {
    const shown = !ever ? "starting" : !connected ? "offline" : (table?.source.state ?? "starting");
    at("status").dataset.state = shown;
    setText(at("status-says"), t(`live.status-${shown}`));
  }

  // What is read while nobody plays; what draws it is loaded only then.
  async function drawScores() {
    const { cards, order } = await import("./scores.js");
    const { score, order: said, reading } = table;
    if (!isNew(score, said, reading?.dice)) return;
    at("order").replaceChildren(...order(said));
    at("cards").replaceChildren(...(score ? cards(score, reading) : []));
  }

  return { draw };
}

function setItems(list, texts) {
  list.hidden = texts.length === 0;
  if (texts.join("\n") === [...list.children].map((item) => item.textContent).join("\n")) return;
  list.replaceChildren(...texts.map((text) => tag("li", text)));
}
