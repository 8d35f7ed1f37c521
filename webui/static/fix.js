// Correcting what was read: a tap on any die opens this; what a person says outweighs the camera.

import { button, capital, element, token } from "./dice.js";
import { NEUTRAL, ROWS, SIDES, believed, colourWord, percent, placeWords, seatOf, who } from "./model.js";
import { Sheet, choice } from "./sheet.js";
import { t } from "./texts.js";

const NEUTRAL_OWNER = 3;

export class FixSheet {
  #sheet;
  #on;

  // on: {die(key, what), add(what)}
  constructor(dialog, on) {
    this.#sheet = new Sheet(dialog);
    this.#on = on;
  }

  // what: {key} of a die that is seen, or {place, face, owner} where the camera sees none.
  open(game, { key, place, face, owner }) {
    const seen = game.table?.dice.find((each) => each.key === key);
    const now = seen ? believed(game, seen) : { face, colour: owner, place };
    this.#sheet.open(...(seen ? this.#ofDie(game, seen, now) : this.#ofNone(game, now)));
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
      const says = { "data-value": face, "aria-label": `${face}`, "aria-pressed": face === now.face };
      const made = button("", () => act(face, group), "face", says);
      made.append(token(face, now.colour, seat));
      group.append(made);
    }
    return [element("h3", {}, t("live.it-shows")), group];
  }

  #owners(game, now, act) {
    const colours = [...game.position.players, ...(game.players.length === 2 ? [NEUTRAL] : [])];
    const group = element("div", { class: "row owners", role: "group", "aria-label": t("live.it-belongs") });
    for (const colour of colours) {
      const words = colour === NEUTRAL ? t("live.neutral") : `${who(game, colour)} (${colourWord(colour)})`;
      const says = { "data-value": ownerOf(game, colour), "aria-pressed": colour === now.colour };
      group.append(button(words, () => act(ownerOf(game, colour), group), "plain", says));
    }
    return [element("h3", {}, t("live.it-belongs")), group];
  }

  #places(game, now, act) {
    const places = [
      ...ROWS.flatMap((row) => SIDES.map((side) => ({ row, side }))),
      ...game.players.map(({ seat }) => ({ area: "row", seat })),
      ...(game.players.length === 2 ? game.players.map(({ seat }) => ({ area: "captured", seat })) : []),
      { area: "elsewhere", seat: null },
    ];
    const at = places.findIndex((place) => JSON.stringify(place) === JSON.stringify(now));
    const list = choice({ "aria-label": t("live.it-lies") }, places.map((place, index) => [index, placeWords(game, place)]), at);
    list.addEventListener("change", () => act(places[list.value]));
    return [element("h3", {}, t("live.it-lies")), list];
  }

  #say(send) {
    this.#sheet.close();
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
