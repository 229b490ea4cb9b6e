// A shape that an operator draws: a circular fence, a polygonal one, or the ring of a land. A model without a page: its
// corners, the chosen one, and what the server is offered.

const metresPerUnit = 0.011119508;
const radiusMaxM = 50_000;
const radiusMinM = 5;
const latE7Max = 850_000_000;
const halfTurnE7 = 1_800_000_000;

export class Draft {
  kind;
  /** The fence that is edited, as it is on the server; null for a new shape. */
  before;
  fenceId;
  /** Of a circle its centre alone; of others the corners, the first not repeated. */
  corners = [];
  radiusM = 100;
  name = "";
  topic = "";
  /** As typed: whole seconds, or empty. */
  dwellS = "";
  /** The chosen corner, from 0; null for none. A circle's edge is 1. */
  chosen = null;
  #steps = [];

  /** `kind`: `circle`, `polygon`, `land`. */
  constructor(kind, fence = null) {
    this.kind = kind;
    this.before = fence;
    this.fenceId = fence?.fenceId ?? newIdentifier();
    if (!fence) return;
    this.name = fence.name;
    this.topic = fence.topic ?? "";
    this.dwellS = fence.dwellS === undefined ? "" : `${fence.dwellS}`;
    if (kind === "circle") {
      this.corners = [{ latE7: fence.latE7, lngE7: fence.lngE7 }];
      this.radiusM = fence.radiusMm / 1_000;
    } else {
      this.corners = fence.ringLatE7.map((latE7, at) => ({ latE7, lngE7: fence.ringLngE7[at] }));
    }
  }

  get isCircle() {
    return this.kind === "circle";
  }

  /** Whether there is a shape to be judged. */
  get isWhole() {
    return this.isCircle ? this.corners.length === 1 : this.corners.length >= 3;
  }

  get canUndo() {
    return this.#steps.length > 0;
  }

  /** The points that can be chosen: the corners; of a circle its centre and its edge. */
  get handles() {
    if (!this.isCircle || this.corners.length === 0) return this.corners;
    const [{ latE7, lngE7 }] = this.corners;
    const across = this.radiusM / metresPerUnit / Math.cos((latE7 / 1e7) * (Math.PI / 180));
    return [{ latE7, lngE7 }, { latE7, lngE7: Math.round(lngE7 + across) }];
  }

  /** Adds a corner behind the chosen one, else at the end; sets the centre of a circle. */
  add(place) {
    this.#remember();
    if (this.isCircle) {
      this.corners = [onEarth(place)];
      this.chosen = 0;
    } else {
      const at = this.chosen === null ? this.corners.length : this.chosen + 1;
      this.corners.splice(at, 0, onEarth(place));
      this.chosen = at;
    }
  }

  /** Adds a corner between one and the next. */
  insert(at, place) {
    this.chosen = at;
    this.add(place);
  }

  /** Moves a handle to a place. Moves of one press are one step: `isFirst` begins it. */
  move(at, place, isFirst = true) {
    if (isFirst) this.#remember();
    if (this.isCircle && at === 1) this.radiusM = clampRadius(metresBetween(this.corners[0], place));
    else this.corners[at] = onEarth(place);
  }

  remove(at) {
    if (this.isCircle || this.corners.length === 0) return;
    this.#remember();
    this.corners.splice(at, 1);
    this.chosen = this.corners.length === 0 ? null : Math.min(at, this.corners.length - 1);
  }

  setRadius(metres) {
    this.#remember();
    this.radiusM = metres;
  }

  undo() {
    const step = this.#steps.pop();
    if (!step) return;
    this.corners = step.corners;
    this.radiusM = step.radiusM;
    this.chosen = this.chosen !== null && this.chosen < this.handles.length ? this.chosen : null;
  }

  /** Chooses the next handle, or with -1 the one before. */
  step(by) {
    const count = this.handles.length;
    if (count === 0) return;
    this.chosen = this.chosen === null ? (by > 0 ? 0 : count - 1) : (this.chosen + by + count) % count;
  }

  #remember() {
    this.#steps.push({ corners: this.corners.map((corner) => ({ ...corner })), radiusM: this.radiusM });
    if (this.#steps.length > 200) this.#steps.shift();
  }

  /** The members of the act that the server is asked for, and of the question about it. */
  get offer() {
    const { latE7, lngE7 } = ringOf(this.corners);
    if (this.kind === "land") return { lands: [{ name: this.name, latE7, lngE7 }] };
    const { opensAtMs, closesAtMs } = this.before ?? {};
    const fence = {
      fenceId: this.fenceId,
      name: this.name,
      ...(this.topic && { topic: this.topic }),
      ...(this.dwellS !== "" && { dwellS: Number(this.dwellS) }),
      ...(opensAtMs !== undefined && { opensAtMs }),
      ...(closesAtMs !== undefined && { closesAtMs }),
    };
    const [centre] = this.corners;
    const shape = this.isCircle
      ? { ...centre, radiusMm: Math.round(this.radiusM * 1_000) }
      : { ringLatE7: latE7, ringLngE7: lngE7 };
    return { fences: [{ ...fence, ...shape }] };
  }
}

/** The columns of a closed ring. */
function ringOf(corners) {
  const ring = corners.length > 0 ? [...corners, corners[0]] : [];
  return { latE7: ring.map(({ latE7 }) => latE7), lngE7: ring.map(({ lngE7 }) => lngE7) };
}

function newIdentifier() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function clampRadius(metres) {
  return Math.round(Math.max(radiusMinM, Math.min(radiusMaxM, metres)));
}

/** Metres between two places that are near each other, as the map draws them. */
export function metresBetween(one, other) {
  const across = Math.cos((one.latE7 / 1e7) * (Math.PI / 180));
  return metresPerUnit * Math.hypot(other.latE7 - one.latE7, (other.lngE7 - one.lngE7) * across);
}

/** A place in whole units, within the bounds of fences and lands. */
function onEarth({ latE7, lngE7 }) {
  const turned = lngE7 - 2 * halfTurnE7 * Math.round(lngE7 / (2 * halfTurnE7));
  return { latE7: Math.round(Math.max(-latE7Max, Math.min(latE7Max, latE7))), lngE7: Math.round(turned) };
}
