// Searching the rules: what does not hold all the words is hidden, and what does is marked.

import { all, at, hear, tag } from "./nodes.js";
import { t } from "./texts.js";

const rules = all("[data-rule]").map((rule) => ({
  rule,
  text: rule.textContent.toLowerCase(),
  words: all(".words", rule).map((node) => [node, [...node.childNodes].map((child) => child.cloneNode(true))]),
}));

at("searching").hidden = false;
hear(at("words"), "input", look);
hear(window, "hashchange", () => {
  if (!at("words").value) return;
  at("words").value = "";
  look();
  at(location.hash.slice(1))?.scrollIntoView();
});

function look() {
  const wanted = at("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { rule, text, words } of rules) {
    const fits = wanted.every((word) => text.includes(word));
    rule.hidden = !fits;
    found += fits;
    for (const [node, children] of words) node.replaceChildren(...children.map((child) => marked(child.cloneNode(true), wanted)));
  }
  for (const group of all(".book .part, .book > section")) {
    group.hidden = wanted.length > 0 && !group.querySelector("[data-rule]:not([hidden])");
  }
  for (const other of all(".book > section > :not([data-rule], .part, h2)")) other.hidden = wanted.length > 0;
  const says = found ? t("rules.found", { count: found }) : t("rules.nothing");
  at("found").textContent = wanted.length ? says : "";
}

function marked(node, wanted) {
  if (!wanted.length) return node;
  if (node.nodeType !== Node.TEXT_NODE) {
    node.replaceChildren(...[...node.childNodes].map((child) => marked(child, wanted)));
    return node;
  }
  const pieces = node.data.split(new RegExp(`(${wanted.map(plain).join("|")})`, "i"));
  const made = document.createDocumentFragment();
  pieces.forEach((piece, index) => {
    if (index % 2 === 0) return made.append(piece);
    return made.append(tag("mark", piece));
  });
  return made;
}

function plain(word) {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
