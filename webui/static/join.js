// The PIN that lets this browser control the match.

import { post } from "./api.js";
import { at, hear } from "./nodes.js";
import { t } from "./texts.js";

const form = at("form");
const says = at("says");

hear(form, "submit", send);

async function send(event) {
  event.preventDefault();
  says.textContent = "";
  try {
    await post("/join", { pin: form.elements.pin.value });
    says.textContent = t("join.controls");
    location.assign("/live");
  } catch (error) {
    says.textContent = error.message;
    form.elements.pin.select();
  }
}
