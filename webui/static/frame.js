// The frame of every page: menu, theme and language. Both are kept in this browser alone, as cookies, so that the
// server can draw the page right at once.

import { all, hear, press } from "./nodes.js";

const YEAR_S = 31536000;
const root = document.documentElement;

export function keep(name, value) {
  document.cookie = `lawn-${name}=${value}; path=/; max-age=${YEAR_S}; SameSite=Strict`;
}

export function setTheme(theme) {
  keep("theme", theme);
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  mark();
}

export function setLanguage(language) {
  keep("language", language);
  location.reload();
}

function mark() {
  for (const button of all("button[data-set-theme]")) {
    press(button, button.dataset.setTheme === (root.dataset.theme ?? "auto"));
  }
}

for (const button of all("button[data-set-theme]")) {
  hear(button, "click", () => setTheme(button.dataset.setTheme));
}
for (const button of all("button[data-set-language]")) {
  hear(button, "click", () => setLanguage(button.dataset.setLanguage));
}
mark();

const menu = document.querySelector("details.menu");
if (menu) {
  hear(document, "keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  hear(document, "click", (event) => {
    if (menu.open && !menu.contains(event.target)) menu.open = false;
  });
}
