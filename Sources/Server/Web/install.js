// Registers the service worker, which shows a page of its own where there is no network. Loaded some seconds behind the
// page: a newcomer's first seconds belong to the game.

const delayMs = 4_000;

if ("serviceWorker" in navigator) {
  setTimeout(() => navigator.serviceWorker.register("/worker.js").catch(() => undefined), delayMs);
}
