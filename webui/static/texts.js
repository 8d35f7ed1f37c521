// The texts of the page, as its template printed them; keys and placeholders as in webui/catalogue.py.

const printed = document.getElementById("texts");
const texts = printed ? JSON.parse(printed.textContent) : {};

export function t(key, values = {}) {
  let text = texts[key];
  if (text === undefined && "count" in values) text = texts[`${key}.${values.count === 1 ? "one" : "other"}`];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export const language = document.documentElement.lang;

export function number(value, digits = 0) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
