// Searching the archive: the list is all there, and what does not fit is hidden. The search is kept in the address.

import { at, hear } from "./nodes.js";
import { t } from "./texts.js";

const FIELDS = ["words", "result", "from", "to"];

if (at("filters")) {
  at("filters").hidden = false;
  const asked = new URLSearchParams(location.search);
  for (const id of FIELDS) {
    at(id).value = asked.get(id) ?? "";
    hear(at(id), "input", look);
  }
  look();
}

function look() {
  const [words, result, from, to] = FIELDS.map((id) => at(id).value);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const item of at("matches").children) {
    const { words: own, day, result: is } = item.dataset;
    const fits =
      wanted.every((word) => own.includes(word)) && (!result || is === result) && (!from || day >= from) && (!to || day <= to);
    item.hidden = !fits;
    found += fits;
  }
  at("found").textContent = t("archive.found", { count: found });
  const kept = new URLSearchParams(FIELDS.map((id) => [id, at(id).value]).filter(([, value]) => value));
  history.replaceState(null, "", kept.size ? `?${kept}` : location.pathname);
}
