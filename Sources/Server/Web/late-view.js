// A view whose module is loaded when it is first needed, or a little before. Until then it is shown by nothing; it then
// begins with the room as it is by that time.

/** A module that comes over a line which has died does not come any more; milliseconds. */
const lateMs = 12_000;

export class LateView {
  #load;
  #failed;
  #view = null;
  #loading = null;
  #room = null;

  /** `load` resolves to the view. `failed` is called when a view that is to be seen can't be loaded. */
  constructor(load, failed) {
    this.#load = load;
    this.#failed = failed;
  }

  /** Loads the module, if that has not begun. */
  async prepare() {
    this.#loading ??= this.#load();
    try {
      this.#view ??= await this.#loading;
    } catch {
      this.#loading = null;
    }
  }

  async show(room) {
    this.#room = room;
    const isLate = this.#view === null;
    if (isLate) await Promise.race([this.prepare(), new Promise((resolve) => setTimeout(resolve, lateMs))]);
    // Meanwhile the room may have gone on to another view.
    if (this.#room === null) return;
    if (this.#view === null) return this.#failed();
    this.#view.show(this.#room);
  }

  hide() {
    this.#room = null;
    this.#view?.hide();
  }

  update(tick, events) {
    this.#view?.update(tick, events);
  }

  notified(kind, body) {
    this.#view?.notified(kind, body);
  }
}
