// The PIN that lets this browser control the match.

import { post } from "./api.js";
import { t } from "./texts.js";

const form = document.getElementById("form");
const says = document.getElementById("says");

form?.addEventListener("submit", async (event) => {
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
});
