// A dialog that a tap beside it closes.

import { button, element } from "./dice.js";
import { t } from "./texts.js";

export class Sheet {
  #dialog;

  constructor(dialog) {
    this.#dialog = dialog;
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }

  open(...parts) {
    const close = button("×", () => this.close(), "close", { "aria-label": t("live.close") });
    this.#dialog.replaceChildren(close, ...parts);
    this.#dialog.showModal();
  }

  close() {
    this.#dialog.close();
  }
}

// A list to choose from. choices: [value, words] of each; chosen: the value that is.
export function choice(attributes, choices, chosen) {
  const list = element("select", attributes, ...choices.map(([value, words]) => element("option", { value }, words)));
  list.value = chosen;
  return list;
}
