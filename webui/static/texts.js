// The texts of the page, as its template printed them; keys and placeholders as in webui/catalogue.py.

const printed = document.getElementById("texts");
const texts = printed ? JSON.parse(printed.textContent) : {};

export function t(key, values = {}) {
  let text = texts[key];
  if (text === undefined && "count" in values) text = texts[`${key}.${values.count === 1 ? "one" : "other"}`];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// What the engine says, in the page's language; what knows of it is loaded only where it is needed.
const knows = Object.keys(texts).some((key) => key.startsWith("en:said."));
export const said = knows ? (await import("./said.js")).sayer(texts) : (text) => text ?? "";

export const language = document.documentElement.lang;

export function number(value, digits = 0) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
