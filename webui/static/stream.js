// The one event stream of the page: it comes back by itself, and says when it is gone.

const SILENCE_MS = 15000; // the program gives a sign of life every 5 s
const AGAIN_MS = 3000;

export function follow(address, { onState, onFound, onLost }) {
  let source = null;
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
      onState(JSON.parse(event.data));
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
