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

// Days and times as the rest of the page writes them: "29 November 2026", "17:05".
const locale = language === "en" ? "en-GB" : language;
const DAY = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" };

export function moment(seconds) {
  return new Date(1000 * seconds).toLocaleString(locale, DAY);
}

export function clock(seconds) {
  return new Date(1000 * seconds).toLocaleTimeString(locale);
}

export function number(value, digits = 0) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
