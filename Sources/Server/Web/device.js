// What this browser keeps of its player: the secret that makes it the same guest each time, the session, the nickname.
// Where a browser keeps nothing (cookies blocked), all of it lives as long as the page.

const prefix = "madang.";
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

/** Whether what is kept is there on the next page too. */
export const keepsForLong = storage !== null;

export function kept(name) {
  return storage ? storage.getItem(prefix + name) : (memory.get(name) ?? null);
}

export function keep(name, text) {
  memory.set(name, text);
  try {
    storage?.setItem(prefix + name, text);
  } catch {
    // Full: this page goes on with what it has in memory.
  }
}

export function forget(name) {
  memory.delete(name);
  storage?.removeItem(prefix + name);
}

/** Makes the device's secret when it is first asked for. */
export function deviceSecret() {
  const known = kept("secret") ?? memory.get("secret");
  if (known) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const secret = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  keep("secret", secret);
  return secret;
}
