// The data that this browser stores of its player: the device's secret, which identifies the guest, the session, the
// nickname. In a browser without storage (cookies blocked) the data lasts as long as the page. A page with a player of
// its own, as a big screen is, names the beginning of its keys.

const prefix = document.body.dataset.keep ?? "madang.";
const memory = new Map();
const storage = lastingStorage();

function lastingStorage() {
  try {
    localStorage.setItem(`${prefix}probe`, "1");
    localStorage.removeItem(`${prefix}probe`);
    return localStorage;
  } catch {
    return null;
  }
}

/** Whether the data survives the page. */
export const keepsForLong = storage !== null;

export function kept(name) {
  return storage ? storage.getItem(prefix + name) : (memory.get(name) ?? null);
}

export function keep(name, text) {
  memory.set(name, text);
  try {
    storage?.setItem(prefix + name, text);
  } catch {
    // The storage is full: this page continues with its memory.
  }
}

export function forget(name) {
  memory.delete(name);
  storage?.removeItem(prefix + name);
}

/** The device's secret, made at the first call. */
export function deviceSecret() {
  const known = kept("secret") ?? memory.get("secret");
  if (known) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const secret = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  keep("secret", secret);
  return secret;
}
