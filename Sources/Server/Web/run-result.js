// The result of a solo run: its figures from the server's board, the land's ranking, and the proposal of the way as a
// land. Loaded when a run ends.
import { errorText, find, make, sayError } from "./dom.js";
import { pointsText } from "./game.js";
import { number, say } from "./language.js";
import { rankRow, runTime } from "./run-lands.js";

const topRows = 5;

export class RunResult {
  #connection;
  #room = null;
  #ranking = null;
  #track = null;

  constructor(connection) {
    this.#connection = connection;
    find("#run-again").addEventListener("click", async () => {
      find("#run-again").disabled = true;
      try {
        await connection.request("playAgain");
      } catch (error) {
        sayError(error);
      }
      find("#run-again").disabled = false;
    });
    find("#propose-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#propose();
    });
  }

  show(room) {
    const isNew = this.#room?.gameId !== room.gameId;
    this.#room = room;
    if (isNew) {
      this.#ranking = null;
      find("#propose-form").hidden = false;
      find("#propose-name").value = "";
      find("#propose-fault").hidden = true;
      find("#propose-done").hidden = true;
      find("#propose").disabled = false;
      if (room.mode === "LAND") this.#loadRanking(room.lands[0].landId, room.gameId);
    }
    this.#refresh();
    this.#showTrack().catch(() => undefined);
  }

  /** The map of the run comes behind its figures; nothing waits for it. */
  async #showTrack() {
    const { TrackView } = await import("./track-view.js");
    this.#track ??= new TrackView(this.#connection, find("#result"));
    if (this.#room) this.#track.show(this.#room);
  }

  hide() {
    this.#track?.hide();
    this.#room = null;
  }

  update() {}

  #refresh() {
    const room = this.#room;
    const mine = room.board.find(({ playerId }) => playerId === room.playerId) ?? {};
    const [land] = room.lands;
    find("#result-mode").textContent = land ? land.name : say(room.mode);
    const time = land?.timeMs === undefined ? null : runTime(land.timeMs);
    if (land) find("#result-title").textContent = time ? say("resultTime", { time }) : say("resultNone");
    else find("#result-title").textContent = pointsText(room.mode, mine.points ?? 0);
    const { own = null } = this.#ranking ?? {};
    const facts = [
      ["timeFact", time ?? runTime(1_000 * (mine.timeS ?? 0))],
      ["distanceFact", say("metres", { n: number(mine.distanceM ?? 0) })],
      ["caloriesFact", say("kilocalories", { n: number(Math.round(((677 / 6_000) * (mine.timeS ?? 0)))) })],
    ];
    if (!land) facts.push(["pointsFact", pointsText(room.mode, mine.points ?? 0)]);
    if (time && this.#ranking) facts.push(["rankFact", own ? say("rank", { n: own.rank }) : say("notRanked")]);
    if (mine.latePercent) facts.push(["lateFact", say("percent", { n: mine.latePercent })]);
    find("#result-facts").replaceChildren(...facts.map(([key, text]) => make("div", "", make("dt", "", say(key)), make("dd", "", text))));
    const rows = [...(this.#ranking?.top ?? [])];
    if (own && !rows.some(({ rank }) => rank === own.rank)) rows.push(own);
    find("#result-land").hidden = rows.length === 0;
    find("#result-ranking").replaceChildren(...rows.map((row) => rankRow(row, row.rank === own?.rank)));
  }

  /** The ranking has the run's time when the event of the end comes. */
  async #loadRanking(landId, gameId) {
    try {
      const ranking = await this.#connection.request("landRanking", { landId, top: topRows });
      if (this.#room?.gameId !== gameId) return;
      this.#ranking = ranking;
      this.#refresh();
    } catch (error) {
      if (error.code !== "LOST") sayError(error);
    }
  }

  async #propose() {
    const { gameId } = this.#room;
    find("#propose").disabled = true;
    find("#propose-fault").hidden = true;
    try {
      const name = find("#propose-name").value.trim();
      const proposal = await this.#connection.request("proposeLand", { gameId, name });
      find("#propose-done").textContent = say("proposed", { n: number(proposal.lengthM ?? 0) });
      find("#propose-done").hidden = false;
    } catch (error) {
      find("#propose-fault").textContent = errorText(error);
      find("#propose-fault").hidden = false;
      find("#propose").disabled = false;
    }
  }
}
