// Changes go to the program by POST, with the token of this page; refusals come back as one sentence.

import { t } from "./texts.js";

let token = document.querySelector('meta[name="csrf"]')?.content ?? "";

// body: what goes as JSON, or a file.
export async function post(path, body = {}) {
  let answer = await send(path, body);
  if (answer.status === 403 && (await answer.clone().json().catch(() => null))?.stale) {
    token = (await get("/state")).you.csrf; // the program was started anew since this page was loaded
    answer = await send(path, body);
  }
  return answerOf(answer);
}

function send(path, body) {
  const file = body instanceof Blob;
  return reach(path, {
    method: "POST",
    headers: { "Content-Type": file ? body.type : "application/json", "X-Lawn": "1", "X-CSRF-Token": token },
    body: file ? body : JSON.stringify(body),
  });
}

export async function get(path) {
  return answerOf(await reach(path, { headers: { Accept: "application/json" } }));
}

async function reach(path, options) {
  try {
    return await fetch(`/api/v1${path}`, options);
  } catch {
    throw new Error(t("live.error-offline"));
  }
}

async function answerOf(answer) {
  let data = null;
  try {
    data = await answer.json();
  } catch {
    // No body, or none that is JSON: the status says it.
  }
  if (!answer.ok) throw new Error(data?.error || t("live.error-refused", { status: answer.status }));
  return data;
}
