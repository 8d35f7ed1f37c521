// Correcting what was read: a tap on any die opens this; what a person says outweighs the camera.

import { button, capital, die, element, pattern, silent } from "./dice.js";
import { NEUTRAL, ROWS, SIDES, believed, colourWord, percent, placeWords, seatOf, who } from "./model.js";
import { t } from "./texts.js";

const NEUTRAL_OWNER = 3;

export class FixSheet {
  #dialog;
  #on;

  // on: {die(key, what), add(what)}
  constructor(dialog, on) {
    this.#dialog = dialog;
    this.#on = on;
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }

  // what: {key} of a die that is seen, or {place, face, owner} where the camera sees none.
  open(game, { key, place, face, owner }) {
    const seen = game.table?.dice.find((each) => each.key === key);
    const now = seen ? believed(game, seen) : { face, colour: owner, place };
    const parts = seen ? this.#ofDie(game, seen, now) : this.#ofNone(game, now);
    const close = button("×", () => this.#dialog.close(), "close");
    close.setAttribute("aria-label", t("live.close"));
    this.#dialog.replaceChildren(close, ...parts);
    this.#dialog.showModal();
  }

  #ofDie(game, seen, now) {
    const said = game.corrected.includes(seen.key);
    const words = { die: `${capital(colourWord(now.colour))} ${now.face}`, place: placeWords(game, now.place) };
    const send = (what) => this.#say(() => this.#on.die(seen.key, what));
    return [
      element("h2", { id: "fix-title" }, t("live.fix-title", words)),
      element("img", { class: "fix-crop", src: `/api/v1/match/dice/${seen.key}.jpg?v=${game.version}`, alt: t("live.crop", words), width: 128, height: 128 }),
      element("p", {}, said ? t("live.fix-said") : t("live.fix-read", { face: percent(now.face_p), colour: percent(now.colour_p) })),
      ...this.#faces(now, seatOf(game, now.colour), (face) => send({ face })),
      ...this.#owners(game, now, (value) => send({ owner: value })),
      ...this.#places(game, now.place, (place) => send({ place })),
      button(t("live.fix-absent"), () => send({ absent: true }), "plain absent"),
    ];
  }

  #ofNone(game, now) {
    const what = { face: now.face ?? 1, owner: ownerOf(game, now.colour ?? game.position.players[0]), place: now.place };
    const send = () => this.#say(() => this.#on.add(what));
    const title = element("h2", { id: "fix-title" }, t("live.fix-none", { place: placeWords(game, now.place) }));
    const enter = button(t("live.fix-add"), send, "button");
    const faces = this.#faces({ face: what.face, colour: now.colour ?? NEUTRAL }, null, (face, all) => choose(all, face, () => (what.face = face)));
    const owners = this.#owners(game, { colour: now.colour }, (owner, all) => choose(all, owner, () => (what.owner = owner)));
    return [title, element("p", {}, t("live.fix-none-says")), ...faces, ...owners, enter];
  }

  #faces(now, seat, act) {
    const group = element("div", { class: "faces", role: "group", "aria-label": t("live.it-shows") });
    for (const face of ROWS) {
      const made = button("", () => act(face, group), "face");
      made.dataset.value = face;
      made.setAttribute("aria-label", `${face}`);
      made.setAttribute("aria-pressed", String(face === now.face));
      made.append(silent(die(face, now.colour, false, pattern(seat))));
      group.append(made);
    }
    return [element("h3", {}, t("live.it-shows")), group];
  }

  #owners(game, now, act) {
    const colours = [...game.position.players, ...(game.players.length === 2 ? [NEUTRAL] : [])];
    const group = element("div", { class: "row owners", role: "group", "aria-label": t("live.it-belongs") });
    for (const colour of colours) {
      const words = colour === NEUTRAL ? t("live.neutral") : `${who(game, colour)} (${colourWord(colour)})`;
      const made = button(words, () => act(ownerOf(game, colour), group), "plain");
      made.dataset.value = ownerOf(game, colour);
      made.setAttribute("aria-pressed", String(colour === now.colour));
      group.append(made);
    }
    return [element("h3", {}, t("live.it-belongs")), group];
  }

  #places(game, now, act) {
    const list = element("select", { "aria-label": t("live.it-lies") });
    const places = [
      ...ROWS.flatMap((row) => SIDES.map((side) => ({ row, side }))),
      ...game.players.map(({ seat }) => ({ area: "row", seat })),
      ...(game.players.length === 2 ? game.players.map(({ seat }) => ({ area: "captured", seat })) : []),
      { area: "elsewhere", seat: null },
    ];
    for (const [at, place] of places.entries()) {
      const option = element("option", { value: at }, placeWords(game, place));
      option.selected = JSON.stringify(place) === JSON.stringify(now);
      list.append(option);
    }
    list.addEventListener("change", () => act(places[list.value]));
    return [element("h3", {}, t("live.it-lies")), list];
  }

  #say(send) {
    this.#dialog.close();
    send();
  }
}

function choose(group, value, take) {
  take();
  for (const each of group.children) each.setAttribute("aria-pressed", String(each.dataset.value === String(value)));
}

function ownerOf(game, colour) {
  return colour === NEUTRAL ? NEUTRAL_OWNER : seatOf(game, colour);
}
