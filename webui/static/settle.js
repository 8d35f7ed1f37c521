// A doubt of a review is settled by a tap: it goes to the program, and the page shows the game as it is explained then.

import { post } from "./api.js";

const report = document.querySelector(".report");
const status = document.querySelector(".status");

document.addEventListener("click", async (event) => {
  const button = event.target.closest(".settle");
  if (!button) return;
  const { answer, question, confirm, remove } = button.dataset;
  const said = {};
  if (answer !== undefined) Object.assign(said, { question: Number(question), guess: Number(answer) });
  else if (confirm !== undefined) said.confirm = confirm;
  else said.remove = remove;
  button.disabled = true;
  try {
    await post(`/reviews/${encodeURIComponent(report.dataset.name)}/settle`, said);
    location.reload();
  } catch (error) {
    status.hidden = false;
    status.textContent = error.message;
    button.disabled = false;
  }
});
