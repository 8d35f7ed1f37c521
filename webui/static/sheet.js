// A dialog that a tap beside it closes.

import { button, fill, hear, tag } from "./nodes.js";
import { t } from "./texts.js";

export function makeSheet(dialog) {
  const close = () => dialog.close();
  hear(dialog, "click", (event) => event.target === dialog && close());

  function open(...parts) {
    dialog.replaceChildren(button("×", close, "close", { "aria-label": t("live.close") }));
    fill(dialog, ...parts);
    dialog.showModal();
  }

  return { open, close };
}

// A list to choose from. choices: [value, words] of each; chosen: the value that is.
export function choice(attributes, choices, chosen) {
  const list = tag("select", attributes, ...choices.map(([value, words]) => tag("option", { value }, words)));
  list.value = chosen;
  return list;
}
