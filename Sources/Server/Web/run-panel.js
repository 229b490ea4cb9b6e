// The panel of a run around a land: its time so far, how much of the land is visited, and the times to beat. The time
// goes on between the server's messages. Loaded with the first run.
import { find } from "./dom.js";
import { say } from "./language.js";
import { runTime } from "./run-lands.js";

const everyMs = 100;

export class RunPanel {
  #connection;
  #room = null;
  #best = null;
  #own = null;
  #run = null;
  #takenAt = 0;
  #clock = null;

  constructor(connection) {
    this.#connection = connection;
  }

  show(room) {
    if (room.mode !== "LAND") return;
    const isNew = this.#room?.gameId !== room.gameId;
    this.#room = room;
    this.#take(room.run);
    find("#run-panel").hidden = false;
    this.#clock ??= setInterval(() => this.#refresh(), everyMs);
    this.#refresh();
    if (isNew) this.#loadTimes(room.lands[0].landId);
  }

  hide() {
    this.#room = null;
    clearInterval(this.#clock);
    this.#clock = null;
    find("#run-panel").hidden = true;
  }

  update() {}

  notified(kind, body) {
    if (kind === "run" && this.#room) this.#take(body);
  }

  #take(run) {
    this.#run = run;
    this.#takenAt = performance.now();
  }

  /** The best of all and the player's own best, to be beaten. */
  async #loadTimes(landId) {
    try {
      const { top = [], own = null } = await this.#connection.request("landRanking", { landId, top: 1 });
      this.#best = top[0]?.timeMs ?? null;
      this.#own = own?.timeMs ?? null;
      this.#refresh();
    } catch {
      // The run goes on without them.
    }
  }

  #refresh() {
    const { state, visited = 0, needed = 1, elapsedMs = 0 } = this.#run ?? {};
    const isOn = state === "RUNNING" || state === "WARNED";
    const passed = isOn ? performance.now() - this.#takenAt : 0;
    find("#run-time").textContent = runTime(elapsedMs + passed);
    find("#run-progress").value = isOn || state === "CAPTURED" ? Math.min(1, visited / needed) : 0;
    const best = this.#best === null ? null : say("bestTime", { time: runTime(this.#best) });
    const own = this.#own === null ? say("firstTime") : say("ownBest", { time: runTime(this.#own) });
    find("#run-best").textContent = [own, best].filter(Boolean).join(" · ");
  }
}
