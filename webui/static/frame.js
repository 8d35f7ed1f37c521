// The frame of every page: menu, theme and language. Both are kept in this browser alone, as cookies, so that the
// server can draw the page right at once.

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
  for (const button of document.querySelectorAll("button[data-set-theme]")) {
    const chosen = button.dataset.setTheme === (root.dataset.theme ?? "auto");
    button.setAttribute("aria-pressed", String(chosen));
  }
}

for (const button of document.querySelectorAll("button[data-set-theme]")) {
  button.addEventListener("click", () => setTheme(button.dataset.setTheme));
}
for (const button of document.querySelectorAll("button[data-set-language]")) {
  button.addEventListener("click", () => setLanguage(button.dataset.setLanguage));
}
mark();

const menu = document.querySelector("details.menu");
if (menu) {
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  addEventListener("click", (event) => {
    if (menu.open && !menu.contains(event.target)) menu.open = false;
  });
}
