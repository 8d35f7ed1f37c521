// Settings of this browser: language and theme as the frame keeps them, the rest as the live table reads it.

import { setLanguage, setTheme } from "./frame.js";
import { all, at, hear } from "./nodes.js";
import { t } from "./texts.js";
import { isOn, say, turnOn } from "./voice.js";

const says = at("says");

for (const input of all(".settings input")) {
  if (input.type === "checkbox") input.checked = isOn(input.name);
  hear(input, "change", () => {
    if (input.name === "language") return setLanguage(input.value);
    if (input.name === "theme") setTheme(input.value);
    else turnOn(input.name, input.checked);
    if (input.name === "speech" && input.checked) say(t("settings.test-speech"));
    says.textContent = t("settings.kept");
  });
}
