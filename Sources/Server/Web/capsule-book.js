// The page's knowledge of capsules: those on the map, those that can be opened from here, and where the player is. It
// asks for nothing; the server decides what can be opened.

import { metresBetween } from "./positions.js";

/** The distance from which the server opens a capsule, metres. */
export const reachM = 100;

export class CapsuleBook {
  /** Called after every change. */
  changed = () => {};
  /** The player's own identifier. */
  playerId = "";
  /** The player's place: `latE7` and `lngE7`; null while it is unknown. */
  here = null;
  /** On the map, where there are too many to name: each with `latE7`, `lngE7` and `count`. */
  clusters = [];
  #capsules = new Map();
  #onMap = new Set();
  /** The watch in which the server has named each capsule that can be opened, by identifier. */
  #openable = new Map();
  #watch = 0;

  get(id) {
    return this.#capsules.get(id);
  }

  /** The capsules to draw. */
  get shown() {
    return [...new Set([...this.#onMap, ...this.#openable.keys()])].map((id) => this.#capsules.get(id));
  }

  /** The capsules that can be opened from here, the nearest first. */
  get openable() {
    const found = [...this.#openable.keys()].map((id) => this.#capsules.get(id));
    return found.sort((a, b) => this.distanceM(a) - this.distanceM(b));
  }

  isOpenable({ capsuleId }) {
    return this.#openable.has(capsuleId);
  }

  isMine({ ownerId }) {
    return ownerId === this.playerId;
  }

  /** The distance to a capsule, metres; infinite while the own place is unknown. */
  distanceM(capsule) {
    return this.here ? metresBetween(this.here, capsule) : Infinity;
  }

  /** Takes capsules of a list or an answer; with `onMap` they are drawn too. */
  learn(capsules, onMap = false) {
    for (const capsule of capsules) {
      this.#capsules.set(capsule.capsuleId, capsule);
      if (onMap) this.#onMap.add(capsule.capsuleId);
    }
    this.changed();
  }

  /** Replaces what is on the map. */
  setMap(capsules, clusters) {
    this.#onMap.clear();
    this.clusters = clusters;
    this.learn(capsules, true);
  }

  /** Takes the capsules that can be opened from now on; returns those that could not be before. */
  open(capsules) {
    const fresh = capsules.filter((capsule) => !this.isOpenable(capsule));
    for (const { capsuleId } of capsules) this.#openable.set(capsuleId, this.#watch);
    this.learn(capsules);
    return fresh;
  }

  close(ids) {
    for (const id of ids) this.#openable.delete(id);
    this.changed();
  }

  forget(id) {
    this.#onMap.delete(id);
    this.#openable.delete(id);
    this.#capsules.delete(id);
    this.changed();
  }

  /** A new watch has begun: the server names again what can be opened. */
  beginWatch() {
    this.#watch += 1;
  }

  /** Closes what the server has not named in this watch. */
  endOldWatches() {
    this.close([...this.#openable].filter(([, watch]) => watch !== this.#watch).map(([id]) => id));
  }

  /** Nothing can be opened, because no server judges the positions. */
  closeAll() {
    this.close([...this.#openable.keys()]);
  }

  /** Whether a capsule is so near that the server should have named it. */
  get lacksSome() {
    return this.shown.some((capsule) => !this.isOpenable(capsule) && this.distanceM(capsule) < reachM - 8);
  }
}
