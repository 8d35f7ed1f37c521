// The one event stream of the page: it comes back by itself, and says when it is gone.
// An event brings only what has changed, of the table only the entries that have; here it becomes whole again.

const SILENCE_MS = 15000; // the program gives a sign of life every 5 s
const AGAIN_MS = 3000;

// onState(state, changed): what is new. onLink({connected, ever}): whether the program answers, and ever did or failed to.
export function follow(address, { onState, onLink }) {
  const link = { connected: false, ever: false };
  let source = null;
  let state = null;
  let timer = 0;

  function is(connected) {
    if (link.connected === connected && link.ever) return;
    Object.assign(link, { connected, ever: true });
    onLink(link);
  }

  function heard() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      is(false);
      open();
    }, SILENCE_MS);
  }

  function found() {
    heard();
    is(true);
  }

  function open() {
    source?.close();
    source = new EventSource(address);
    heard();
    source.onopen = found;
    source.onmessage = (event) => {
      found();
      const news = JSON.parse(event.data);
      const table = { ...state?.table, ...news.table };
      state = { ...state, ...news, table };
      onState(state, new Set(Object.keys(news)));
    };
    source.addEventListener("alive", found);
    source.onerror = () => {
      is(false);
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
