// The player's positions: from the device's receiver, or in practice from a walker that keys, a joystick and the map
// move. Both give at most one fix a second, as PROTOCOL.md asks, with rising times on the server's clock.

const metresPerUnit = 0.011119508;
const fixEveryMs = 1_000;
const pace = 2.4;
const run = 4.2;

/** Whether this page may ask for the device's position. */
export const hasReceiver = window.isSecureContext && "geolocation" in navigator;

/** Sends fixes no faster than one a second, each later than the one before. */
class FixStream {
  #send;
  #now;
  #lastTime = 0;
  #lastSentAt = -Infinity;

  constructor(send, now) {
    this.#send = send;
    this.#now = now;
  }

  offer(latE7, lngE7, accuracyM, ageMs) {
    const at = performance.now();
    const time = Math.round(this.#now() - ageMs);
    if (at - this.#lastSentAt < fixEveryMs - 60 || time <= this.#lastTime) return;
    this.#lastSentAt = at;
    this.#lastTime = time;
    this.#send({ latE7, lngE7, accuracyM, timeMs: time });
  }
}

/** The device's receiver. `onTrouble` is called with `denied`, or with `weak` and the accuracy. */
export class Receiver {
  #stream;
  #watch = null;
  #looksSince = null;
  #onTrouble;

  constructor(send, now, onTrouble) {
    this.#stream = new FixStream(send, now);
    this.#onTrouble = onTrouble;
  }

  /** The time since the position became unknown, milliseconds; `null` while it is known. */
  get looksForMs() {
    return this.#looksSince === null ? null : performance.now() - this.#looksSince;
  }

  start() {
    if (this.#watch !== null) return;
    this.#looksSince = performance.now();
    const take = ({ coords, timestamp }) => {
      this.#looksSince = null;
      const accuracyM = Math.ceil(coords.accuracy);
      if (accuracyM > 50) this.#onTrouble("weak", accuracyM);
      const ageMs = Math.min(Math.max(Date.now() - timestamp, 0), 20_000);
      this.#stream.offer(Math.round(coords.latitude * 1e7), Math.round(coords.longitude * 1e7), accuracyM, ageMs);
    };
    const fail = (error) => {
      if (error.code === error.PERMISSION_DENIED) this.#onTrouble("denied");
      else this.#looksSince ??= performance.now();
    };
    const options = { enableHighAccuracy: true, maximumAge: 1_000, timeout: 20_000 };
    this.#watch = navigator.geolocation.watchPosition(take, fail, options);
  }

  stop() {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
    this.#looksSince = null;
  }
}

/** A walk without a receiver. `onStep` gets the place ten times a second, `send` a fix a second. */
export class Walker {
  place = null;
  goal = null;
  #stream;
  #onStep;
  #stick = { east: 0, north: 0 };
  #keys = new Set();
  #timer = null;
  #steppedAt = 0;

  constructor(send, now, onStep) {
    this.#stream = new FixStream(send, now);
    this.#onStep = onStep;
    addEventListener("keydown", (event) => this.#key(event, true));
    addEventListener("keyup", (event) => this.#key(event, false));
    addEventListener("blur", () => this.#keys.clear());
  }

  get isWalking() {
    return this.#timer !== null;
  }

  /** Starts at `place`, or continues from the walker's place. */
  start(place) {
    if (this.#timer !== null) return;
    this.place ??= place;
    this.#steppedAt = performance.now();
    this.#timer = setInterval(() => this.#step(), 100);
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.goal = null;
  }

  /** Sets the joystick's direction: each from -1 to 1. */
  steer(east, north) {
    this.#stick = { east, north };
    if (east || north) this.goal = null;
  }

  walkTo(place) {
    this.goal = place;
  }

  #key(event, isDown) {
    const name = { KeyW: "north", KeyS: "south", KeyA: "west", KeyD: "east", ArrowUp: "north", ArrowDown: "south" };
    const direction = { ...name, ArrowLeft: "west", ArrowRight: "east", ShiftLeft: "run", ShiftRight: "run" }[event.code];
    const isTyping = isField(event.target) && (event.target.value !== "" || !event.code.startsWith("Arrow"));
    if (!direction || (isDown && (isTyping || event.ctrlKey || event.metaKey))) return;
    // A key that is held before the walk begins counts from its beginning.
    if (isDown) this.#keys.add(direction);
    else this.#keys.delete(direction);
    if (this.#timer === null || direction === "run") return;
    if (isDown) event.preventDefault();
    this.goal = null;
  }

  #step() {
    const now = performance.now();
    // After a page's sleep the walker continues without a leap.
    const seconds = Math.min((now - this.#steppedAt) / 1_000, 1.2);
    this.#steppedAt = now;
    const cosine = Math.cos((this.place.latE7 / 1e7) * (Math.PI / 180));
    const { east, north } = this.#wish(cosine, seconds);
    this.place = {
      latE7: this.place.latE7 + (north * seconds) / metresPerUnit,
      lngE7: this.place.lngE7 + (east * seconds) / (metresPerUnit * cosine),
    };
    this.#onStep(this.place);
    this.#stream.offer(Math.round(this.place.latE7), Math.round(this.place.lngE7), 4, 0);
  }

  /** The wanted velocity, metres a second. */
  #wish(cosine, seconds) {
    if (this.goal) {
      const north = (this.goal.latE7 - this.place.latE7) * metresPerUnit;
      const east = (this.goal.lngE7 - this.place.lngE7) * metresPerUnit * cosine;
      const distance = Math.hypot(east, north);
      if (distance < 0.3) this.goal = null;
      const speed = Math.min(pace, distance / Math.max(seconds, 0.05));
      return distance > 0 ? { east: (east / distance) * speed, north: (north / distance) * speed } : { east, north };
    }
    const held = (name) => (this.#keys.has(name) ? 1 : 0);
    const keys = { east: held("east") - held("west"), north: held("north") - held("south") };
    const length = Math.hypot(keys.east, keys.north);
    if (length > 0) {
      const speed = (held("run") ? run : pace) / length;
      return { east: keys.east * speed, north: keys.north * speed };
    }
    return { east: this.#stick.east * run, north: this.#stick.north * run };
  }
}

/** Whether an element takes the keys itself. In an empty field arrow keys still walk. */
function isField(target) {
  return target instanceof Element && target.matches("input, textarea, select");
}

/** A place at a distance in metres from another one. */
export function besides({ latE7, lngE7 }, eastM, northM) {
  const cosine = Math.cos((latE7 / 1e7) * (Math.PI / 180));
  return {
    latE7: Math.round(latE7 + northM / metresPerUnit),
    lngE7: Math.round(lngE7 + eastM / (metresPerUnit * cosine)),
  };
}

/** The distance between two places on a plane, metres. */
export function metresBetween(a, b) {
  const cosine = Math.cos(((a.latE7 + b.latE7) / 2e7) * (Math.PI / 180));
  let east = Math.abs(a.lngE7 - b.lngE7);
  if (east > 1.8e9) east = 3.6e9 - east;
  return Math.hypot((a.latE7 - b.latE7) * metresPerUnit, east * metresPerUnit * cosine);
}
