// The report of a review: jumps into the video, and shows which turn is being played. No module: it also runs from a file.
(() => {
  const report = document.querySelector(".report");
  const film = document.getElementById("film");
  if (!report || !film) return;
  const reels = JSON.parse(report.dataset.films);
  const sources = JSON.parse(report.dataset.sources);
  let reel = 0;

  const reelAt = (time) => {
    let at = 0;
    reels.forEach((each, index) => {
      if (each.t0_s <= time + 1e-3) at = index;
    });
    return at;
  };

  const jump = (time) => {
    const at = reelAt(time);
    if (at !== reel) {
      reel = at;
      film.src = sources[at];
    }
    film.currentTime = Math.max(0, time - reels[at].t0_s);
    film.play().catch(() => {});
    film.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-at]");
    if (button) jump(Number(button.dataset.at));
  });

  const turns = [...document.querySelectorAll(".turn")].map((element) => ({
    element,
    at: Number(element.querySelector("[data-at]").dataset.at),
  }));
  film.addEventListener("timeupdate", () => {
    const now = film.currentTime + reels[reel].t0_s;
    let shown = null;
    for (const turn of turns) if (turn.at <= now + 1e-3) shown = turn.element;
    for (const turn of turns) turn.element.classList.toggle("now", turn.element === shown);
  });
})();
