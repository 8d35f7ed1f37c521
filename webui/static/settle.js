// A doubt of a review is settled by a tap: it goes to the program, and the page shows the game as it is explained then.

import { post } from "./api.js";
import { hear, tell } from "./nodes.js";

const report = document.querySelector(".report");
const status = document.querySelector(".status");

hear(document, "click", async (event) => {
  const button = event.target.closest(".settle");
  if (!button) return;
  const { answer, question, confirm, remove } = button.dataset;
  const said = answer === undefined ? { confirm, remove } : { question: Number(question), guess: Number(answer) };
  button.disabled = true;
  try {
    await post(`/reviews/${encodeURIComponent(report.dataset.name)}/settle`, said);
    location.reload();
  } catch (error) {
    tell(status, error.message);
    button.disabled = false;
  }
});
