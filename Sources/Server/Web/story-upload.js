// Uploads of pictures: one ticket for each, its bytes with their progress, and after a lost connection the rest of
// them. PROTOCOL.md specifies it in "Pictures".
import { RequestError } from "./connection.js";
import { errorText, make } from "./dom.js";
import { number, say } from "./language.js";

const bytesMax = 5_242_880;
/** A file above this is made smaller first: a guest may upload 20 MB a day. */
const calmBytes = 2_000_000;
const sideMax = 2_560;
const types = ["image/jpeg", "image/png", "image/webp", "image/heic"];
const atOnceMax = 2;
const thumbnailPx = 192;
/** Waits between attempts that bring nothing; any progress begins them anew. */
const waitsMs = [500, 1_000, 2_000, 4_000, 5_000, 5_000, 8_000, 8_000, 15_000, 15_000, 30_000];

/** The type of a file, by its name where the browser does not know it; empty for what is no picture. */
export function typeOf({ type, name }) {
  if (types.includes(type)) return type;
  return type === "image/heif" || /\.hei[cf]$/i.test(name) ? "image/heic" : "";
}

/** What becomes of an upload, in words. */
export function uploadText({ state, progress, error }) {
  if (state !== "failed") return say(`state.${state}`, { percent: number(Math.floor(100 * progress)) });
  return error?.code === "LOST" ? say("line.lost") : errorText(error ?? {});
}

/** A canvas with the middle of a file's picture; of one that the browser can't read it stays empty. */
export function thumbnailOf(file) {
  const canvas = make("canvas");
  canvas.width = canvas.height = thumbnailPx;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", file.name);
  drawMiddle(canvas, file);
  return canvas;
}

async function drawMiddle(canvas, file) {
  try {
    const picture = await createImageBitmap(file, { resizeWidth: 2 * thumbnailPx, resizeQuality: "medium" });
    const side = Math.min(picture.width, picture.height);
    const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
    canvas.getContext("2d").drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
    picture.close();
  } catch {
    canvas.classList.add("unread");
  }
}

let running = 0;
const waiting = [];

function enter() {
  if (running < atOnceMax) {
    running += 1;
    return Promise.resolve();
  }
  return new Promise((resolve) => waiting.push(resolve));
}

function exit() {
  const next = waiting.shift();
  if (next) next();
  else running -= 1;
}

export class StoryUpload {
  /** `waiting`, `shrinking`, `sending`, `resting`, `checking`, `done` or `failed`. */
  state = "waiting";
  /** Bytes on the server, of all; 0 to 1. */
  progress = 0;
  mediaId = "";
  /** Why it has failed: a `RequestError`. */
  error = null;
  #connection;
  #file;
  #changed;
  #request = null;
  #isEnded = false;
  #url = "";
  #wake = null;

  /** `changed` is called after each change of what is public here. */
  constructor(connection, file, changed) {
    this.#connection = connection;
    this.#file = file;
    this.#changed = changed;
  }

  /** Uploads until it is done, has failed or was ended; returns then. */
  async run() {
    this.error = null;
    this.#become("waiting");
    await enter();
    try {
      if (!this.#isEnded) await this.#upload();
    } catch (error) {
      this.error = error;
      this.#become("failed");
    } finally {
      exit();
    }
  }

  /** Ends it for good. */
  end() {
    this.#isEnded = true;
    this.#request?.abort();
    this.#wake?.();
  }

  #become(state) {
    this.state = state;
    if (!this.#isEnded) this.#changed();
  }

  async #upload() {
    const file = await this.#fitting();
    if (file.size > bytesMax) throw new RequestError("MEDIA_TOO_LARGE");
    let failures = 0;
    let sent = 0;
    while (!this.#isEnded) {
      const answer = await this.#attempt(file);
      if (this.#isEnded) return;
      if (answer.mediaId) {
        this.mediaId = answer.mediaId;
        this.progress = 1;
        return this.#become("done");
      }
      if (answer.error) throw answer.error;
      if (this.progress > sent) failures = 0;
      sent = this.progress;
      if (failures >= waitsMs.length) throw new RequestError("LOST");
      this.#become("resting");
      await this.#pause(Math.max(waitsMs[failures], answer.afterMs ?? 0));
      failures += 1;
    }
  }

  /** One attempt, which goes on where the last one has ended. */
  async #attempt(file) {
    if (!this.#url) {
      try {
        const { url } = await this.#connection.request("askUpload", { bytes: file.size, type: typeOf(file) });
        this.#url = url;
      } catch (error) {
        return error.code === "LOST" ? {} : { error };
      }
      return this.#send("PUT", file, 0);
    }
    const head = await this.#ask("HEAD");
    if (head.mediaId || !head.status || head.status === 429 || head.status >= 500) return head;
    if (head.status === 404) {
      // The ticket is forgotten, as after a restart of the server.
      this.#url = "";
      return { afterMs: 0 };
    }
    if (head.status >= 400) return { error: new RequestError(head.code || "UNKNOWN") };
    return this.#send("PATCH", file, head.offset ?? 0);
  }

  async #send(method, file, offset) {
    this.#tell(offset, file.size);
    const rest = offset > 0 ? file.slice(offset) : file;
    const answer = await this.#ask(method, rest, offset, (loaded) => this.#tell(offset + loaded, file.size));
    const { status, code } = answer;
    // What can be mended by going on, or by waiting.
    const mayGoOn = !status || [204, 408, 409, 410, 429].includes(status) || status >= 500;
    if (answer.mediaId || (mayGoOn && code !== "MEDIA_UNAVAILABLE")) return answer;
    if (status === 404) {
      this.#url = "";
      return {};
    }
    return { error: new RequestError(code || "UNKNOWN") };
  }

  #tell(bytes, all) {
    this.progress = bytes / all;
    this.#become(bytes < all ? "sending" : "checking");
  }

  /** An HTTP request: its `status` (0 without an answer), and of the answer what there is of it. */
  #ask(method, body = null, offset = 0, progress = null) {
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      this.#request = request;
      request.open(method, this.#url);
      if (method !== "PUT") request.setRequestHeader("Tus-Resumable", "1.0.0");
      if (method === "PATCH") {
        request.setRequestHeader("Content-Type", "application/offset+octet-stream");
        request.setRequestHeader("Upload-Offset", String(offset));
      }
      if (progress) request.upload.onprogress = ({ loaded }) => progress(loaded);
      request.onloadend = () => resolve(read(request));
      request.send(body);
    });
  }

  #pause(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      addEventListener("online", this.#wake, { once: true });
    });
  }

  /** The file, or a smaller picture of it where it has more bytes than a day of a guest bears. */
  async #fitting() {
    const file = this.#file;
    if (file.size <= calmBytes) return file;
    this.#become("shrinking");
    try {
      const picture = await createImageBitmap(file);
      const share = Math.min(1, sideMax / Math.max(picture.width, picture.height));
      const canvas = new OffscreenCanvas(Math.round(picture.width * share), Math.round(picture.height * share));
      const context = canvas.getContext("2d");
      context.fillStyle = "#fff";
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(picture, 0, 0, canvas.width, canvas.height);
      picture.close();
      const smaller = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.86 });
      return smaller.size < file.size ? smaller : file;
    } catch {
      // The browser can't read it, and the server may.
      return file;
    }
  }
}

function read(request) {
  const answer = { status: request.status };
  if (!request.status) return answer;
  answer.mediaId = request.getResponseHeader("Media-Id") ?? "";
  const offset = request.getResponseHeader("Upload-Offset");
  if (offset !== null) answer.offset = Number(offset);
  const after = Number(request.getResponseHeader("Retry-After"));
  if (after > 0) answer.afterMs = 1_000 * after;
  try {
    answer.code = JSON.parse(request.responseText).error?.code ?? "";
  } catch {
    answer.code = "";
  }
  return answer;
}
