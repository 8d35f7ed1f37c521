// What the engine says, in another language than its English; the same as webui/said.py.

const FIRST = "en:";
const SENTENCES = /(?<=[.!?])\s+(?=[A-Z])/;
const PLAYERS = new Set(["who", "owner", "turn", "second", "third"]); // colours; every other placeholder may stand for several words

// texts: of the page by key, of said.* also the English ones, with FIRST before the key.
export function sayer(texts) {
  const known = { false: [], true: [] }; // whether of a step -> [pattern, key]
  for (const [key, english] of Object.entries(texts)) {
    if (!key.startsWith(`${FIRST}said.`) || key.startsWith(`${FIRST}said.word-`)) continue;
    const name = key.slice(FIRST.length);
    known[name.startsWith("said.act-")].push([english, name]);
  }
  for (const each of Object.values(known)) {
    const own = ([text]) => text.replace(/\{\w+\}/g, "").length;
    each.sort((one, other) => own(other) - own(one) || (one[1] < other[1] ? -1 : 1));
    each.forEach((pair) => (pair[0] = pattern(pair[0])));
  }

  function sentence(text) {
    const found = byPattern(text, false);
    if (found !== null) return found;
    const told = [];
    for (const step of text.replace(/\.$/, "").split("; ")) {
      const [, who, does] = step.match(/^([A-Z]\w+): (.+)$/) ?? [];
      const clauses = does?.split(", ").map((each) => byPattern(each, true));
      if (!clauses || clauses.includes(null)) return text;
      told.push(`${word(who)}: ${clauses.join(", ")}`);
    }
    return `${told.join("; ")}.`;
  }

  function byPattern(text, ofStep) {
    for (const [fits, key] of known[ofStep]) {
      const found = text.match(fits);
      if (found) return filled(key, Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, each]) => [name, word(each)])));
    }
    return null;
  }

  function filled(key, values) {
    return (texts[key] ?? "").replace(/\{(\w+)\}/g, (whole, name) => values[name]);
  }

  function word(text) {
    const place = text.match(/^row (\d) (\w+)$/);
    if (place) return filled("said.word-row", { row: place[1], side: word(place[2]) });
    const known = texts[`said.word-${text}`] ?? texts[`colour.${text.toLowerCase()}`] ?? texts[`bonus.${text}`];
    if (known !== undefined) return known;
    const at = text.indexOf(" and ");
    if (at >= 0) return filled("said.word-and", { first: word(text.slice(0, at)), last: word(text.slice(at + 5)) });
    return text.includes(", ") ? text.split(", ").map(word).join(", ") : text;
  }

  return (text) => (text ? text.split(SENTENCES).map(sentence).join(" ") : "");
}

function pattern(text) {
  const seen = new Set();
  const parts = text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    if (seen.has(part)) return `\\k<${part}>`;
    seen.add(part);
    return `(?<${part}>${PLAYERS.has(part) ? "\\w+" : ".+?"})`;
  });
  return new RegExp(`^${parts.join("")}$`);
}
