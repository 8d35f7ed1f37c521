// Going on with a match that is not finished.

import { post } from "./api.js";
import { all, at, hear, tell } from "./nodes.js";
import { t } from "./texts.js";

for (const button of all("button[data-resume]")) {
  hear(button, "click", async () => {
    button.disabled = true;
    const before = button.textContent;
    button.textContent = t("archive.resuming");
    try {
      await post(`/matches/${encodeURIComponent(button.dataset.resume)}/resume`);
      location.assign("/live");
    } catch (error) {
      tell(at("resume-says"), error.message);
      button.disabled = false;
      button.textContent = before;
    }
  });
}
