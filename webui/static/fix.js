// Correcting what was read: a tap on any die opens this; what a person says outweighs the camera.

import { capital, token } from "./dice.js";
import { NEUTRAL, ROWS, SIDES, believed, colourWord, percent, placeWords, seatOf, who } from "./model.js";
import { button, hear, named, press, tag } from "./nodes.js";
import { choice, makeSheet } from "./sheet.js";
import { t } from "./texts.js";

const NEUTRAL_OWNER = 3;

// on: {die(key, what), add(what)}
export function makeFixes(dialog, on) {
  const sheet = makeSheet(dialog);

  // what: {key} of a die that is seen, or {place, face, owner} where the camera sees none.
  function open(game, { key, place, face, owner }) {
    const seen = game.table?.dice.find((each) => each.key === key);
    const now = seen ? believed(game, seen) : { face, colour: owner, place };
    sheet.open(...(seen ? ofDie(game, seen, now) : ofNone(game, now)));
  }

  function ofDie(game, seen, now) {
    const said = game.corrected.includes(seen.key);
    const words = { die: `${capital(colourWord(now.colour))} ${now.face}`, place: placeWords(game, now.place) };
    const send = (what) => say(() => on.die(seen.key, what));
    return [
      tag("h2", { id: "fix-title" }, t("live.fix-title", words)),
      tag("img.fix-crop", { src: `/api/v1/match/dice/${seen.key}.jpg?v=${game.version}`, alt: t("live.crop", words), width: 128, height: 128 }),
      tag("p", said ? t("live.fix-said") : t("live.fix-read", { face: percent(now.face_p), colour: percent(now.colour_p) })),
      ...faces(now, seatOf(game, now.colour), (face) => send({ face })),
      ...owners(game, now, (value) => send({ owner: value })),
      ...places(game, now.place, (place) => send({ place })),
      button(t("live.fix-absent"), () => send({ absent: true }), "plain absent"),
    ];
  }

  function ofNone(game, now) {
    const what = { face: now.face ?? 1, owner: ownerOf(game, now.colour ?? game.position.players[0]), place: now.place };
    const send = () => say(() => on.add(what));
    const title = tag("h2", { id: "fix-title" }, t("live.fix-none", { place: placeWords(game, now.place) }));
    const enter = button(t("live.fix-add"), send, "button");
    const face = faces({ face: what.face, colour: now.colour ?? NEUTRAL }, null, (face, all) => choose(all, face, () => (what.face = face)));
    const owner = owners(game, { colour: now.colour }, (owner, all) => choose(all, owner, () => (what.owner = owner)));
    return [title, tag("p", t("live.fix-none-says")), ...face, ...owner, enter];
  }

  function faces(now, seat, act) {
    const group = tag("div.faces", named("group", t("live.it-shows")));
    for (const face of ROWS) {
      const says = { "data-value": face, "aria-label": face, "aria-pressed": face === now.face };
      group.append(button(token(face, now.colour, seat), () => act(face, group), "face", says));
    }
    return [tag("h3", t("live.it-shows")), group];
  }

  function owners(game, now, act) {
    const colours = [...game.position.players, ...(game.players.length === 2 ? [NEUTRAL] : [])];
    const group = tag("div.row.owners", named("group", t("live.it-belongs")));
    for (const colour of colours) {
      const words = colour === NEUTRAL ? t("live.neutral") : `${who(game, colour)} (${colourWord(colour)})`;
      const says = { "data-value": ownerOf(game, colour), "aria-pressed": colour === now.colour };
      group.append(button(words, () => act(ownerOf(game, colour), group), "plain", says));
    }
    return [tag("h3", t("live.it-belongs")), group];
  }

  function places(game, now, act) {
    const places = [
      ...ROWS.flatMap((row) => SIDES.map((side) => ({ row, side }))),
      ...game.players.map(({ seat }) => ({ area: "row", seat })),
      ...(game.players.length === 2 ? game.players.map(({ seat }) => ({ area: "captured", seat })) : []),
      { area: "elsewhere", seat: null },
    ];
    const at = places.findIndex((place) => JSON.stringify(place) === JSON.stringify(now));
    const list = choice({ "aria-label": t("live.it-lies") }, places.map((place, index) => [index, placeWords(game, place)]), at);
    return [tag("h3", t("live.it-lies")), hear(list, "change", () => act(places[list.value]))];
  }

  function say(send) {
    sheet.close();
    send();
  }

  return { open };
}

function choose(group, value, take) {
  take();
  for (const each of group.children) press(each, each.dataset.value === String(value));
}

function ownerOf(game, colour) {
  return colour === NEUTRAL ? NEUTRAL_OWNER : seatOf(game, colour);
}
