// The one event stream of the page: it comes back by itself, and says when it is gone.
// An event brings only what has changed, of the table only the entries that have; here it becomes whole again.

const SILENCE_MS = 15000; // the program gives a sign of life every 5 s
const AGAIN_MS = 3000;

export function follow(address, { onState, onFound, onLost }) {
  let source = null;
  let state = null;
  let timer = 0;

  function heard() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      onLost();
      open();
    }, SILENCE_MS);
  }

  function open() {
    source?.close();
    source = new EventSource(address);
    heard();
    source.onopen = () => {
      heard();
      onFound();
    };
    source.onmessage = (event) => {
      heard();
      onFound();
      const news = JSON.parse(event.data);
      const table = { ...state?.table, ...news.table };
      state = { ...state, ...news, table };
      onState(state, new Set(Object.keys(news)));
    };
    source.addEventListener("alive", () => {
      heard();
      onFound();
    });
    source.onerror = () => {
      onLost();
      // A browser tries again by itself after a broken connection, but not after a refusal.
      if (source.readyState === EventSource.CLOSED) {
        clearTimeout(timer);
        timer = setTimeout(open, AGAIN_MS);
      }
    };
  }

  addEventListener("pagehide", () => {
    clearTimeout(timer);
    source?.close();
  });
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
}
