// Going on with a match that is not finished.

import { post } from "./api.js";
import { t } from "./texts.js";

const says = document.getElementById("resume-says");

for (const button of document.querySelectorAll("button[data-resume]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const before = button.textContent;
    button.textContent = t("archive.resuming");
    try {
      await post(`/matches/${encodeURIComponent(button.dataset.resume)}/resume`);
      location.assign("/live");
    } catch (error) {
      says.textContent = error.message;
      says.hidden = false;
      button.disabled = false;
      button.textContent = before;
    }
  });
}
