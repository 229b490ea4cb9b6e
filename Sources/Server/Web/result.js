// The view of an ended game: the server's board, and the next game.
import { find, make, sayError, seatColour } from "./dom.js";
import { pointsText } from "./game.js";
import { number, say } from "./language.js";
import { podiumOf } from "./podium.js";

/** The time after which a room returns from its board to the lobby by itself. */
const shownForMs = 60_000;

export class ResultView {
  #room = null;
  #timer = null;
  #shownAt = 0;

  #connection;
  #track = null;

  constructor(connection) {
    this.#connection = connection;
    find("#rematch").addEventListener("click", () => this.#ask("playAgain", "startGame"));
    find("#again").addEventListener("click", () => this.#ask("playAgain"));
  }

  /** Asks for one thing after the other. After the last one the room itself goes on. */
  async #ask(...requests) {
    this.#enable(false);
    try {
      for (const request of requests) await this.#connection.request(request);
    } catch (error) {
      sayError(error);
      this.#enable(true);
    }
  }

  #enable(isOn) {
    for (const button of [find("#rematch"), find("#again")]) button.disabled = !isOn;
  }

  /** The map of the game comes behind the board; nothing waits for it. */
  async #showTrack() {
    const { TrackView } = await import("./track-view.js");
    this.#track ??= new TrackView(this.#connection, find("#result"));
    if (this.#room) this.#track.show(this.#room);
  }

  show(room) {
    if (this.#room === null) {
      this.#shownAt = performance.now();
      import("./feel.js").then(({ celebrate }) => celebrate(room));
      this.#enable(true);
    }
    this.#room = room;
    this.#showTrack().catch(() => undefined);
    const mine = room.board.find(({ playerId }) => playerId === room.playerId);
    find("#result-title").textContent = this.#title(mine);
    const places = podiumOf(room.board);
    find("#podium").replaceChildren(...places.map((row) => this.#step(row)));
    find("#podium").hidden = places.length === 0;
    find("#board").replaceChildren(...room.board.map((row) => this.#row(row)));
    this.update();
    this.#timer ??= setInterval(() => this.update(), 1_000);
  }

  /** Nobody wins or has a rank who was alone with practice opponents. */
  #title(mine) {
    if (mine?.won) return say("won");
    const { board } = this.#room;
    const people = board.filter(({ walker }) => !walker).length;
    if (people < board.length && people < 2) return say("practiceOver");
    return mine?.points ? say("rank", { n: mine.rank }) : say("over");
  }

  hide() {
    // In the lobby that follows, the map of the last game may be looked at on.
    if (this.#room?.phase !== "LOBBY") this.#track?.hide();
    this.#room = null;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  update() {
    const room = this.#room;
    if (!room) return;
    find("#rematch").hidden = find("#again").hidden = !room.mayLead;
    const left = Math.ceil((shownForMs - (performance.now() - this.#shownAt)) / 1_000);
    find("#result-hint").textContent = left > 0 ? say("againSoon", { n: left }) : "";
  }

  #step({ place, rank, seat, nickname, points }) {
    const step = make(
      "li",
      `place-${place}`,
      make("span", "medal", `${rank ?? "–"}`),
      make("b", "", nickname),
      make("small", "", pointsText(this.#room.mode, points ?? 0))
    );
    step.style.setProperty("--seat", seatColour(seat ?? 0));
    return step;
  }

  #row({ rank, seat, playerId, nickname, points, distanceM, completed, walker }) {
    const dot = make("i", walker ? "dot walker" : "dot");
    dot.style.setProperty("--seat", seatColour(seat ?? 0));
    const row = make(
      "li",
      playerId === this.#room.playerId ? "mine" : "",
      make("small", "", points ? `${rank ?? "–"}` : "–"),
      dot,
      make("span", "", nickname, completed ? null : make("small", "mark", say("notCompleted"))),
      make("small", "", `${number(distanceM ?? 0)} m`),
      make("b", "", pointsText(this.#room.mode, points ?? 0))
    );
    return row;
  }
}
