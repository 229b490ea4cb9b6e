// The form of one's own profile: nickname, introduction and picture. A new picture is uploaded while the form is open,
// and is the profile's once it is saved.
import { keep } from "./device.js";
import { errorText, find, make, toast } from "./dom.js";
import { number, say } from "./language.js";
import { bytesOf, lengthOf, put } from "./story-texts.js";
import { StoryUpload, thumbnailOf, typeOf, uploadText } from "./story-upload.js";

const nicknameMax = 20;
const introductionMax = 300;
const introductionBytesMax = 1_200;

/** The picture of a profile, or the first letter of the nickname. Neither says anything to readers of the screen. */
export function faceOf({ picture, nickname }) {
  if (!picture) {
    const letter = make("span", "letter", [...nickname][0] ?? "");
    letter.setAttribute("aria-hidden", "true");
    return letter;
  }
  return Object.assign(make("img"), { alt: "", src: picture.thumbnailUrl });
}

export class ProfileEdit {
  #app;
  #done;
  #dialog = find("#profile-edit");
  #nickname = find("#edit-nickname");
  #introduction = find("#edit-introduction");
  /** The profile before the edit. */
  #profile = null;
  /** The upload of a new picture, and the canvas with its thumbnail; null without one. */
  #upload = null;
  #thumbnail = null;
  /** The present picture goes. */
  #isRemoved = false;
  #isBusy = false;

  /** `app` has `connection` and `features`; `done` is called when something is another. */
  constructor(app, done) {
    this.#app = app;
    this.#done = done;
    const file = find("#edit-file");
    file.addEventListener("change", () => {
      this.#take(file.files[0]);
      file.value = "";
    });
    find("#edit-remove").addEventListener("click", () => this.#remove());
    find("#edit-again").addEventListener("click", () => this.#upload?.run());
    find("#edit-close").addEventListener("click", () => this.#dialog.close());
    this.#introduction.addEventListener("input", () => this.#count());
    this.#dialog.addEventListener("close", () => this.#drop());
    find("#profile-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save();
    });
  }

  /** Opens the form with the player's own profile. */
  open(profile) {
    this.#profile = profile;
    this.#drop();
    this.#isRemoved = false;
    this.#nickname.value = profile.nickname;
    this.#introduction.value = profile.introduction ?? "";
    find("#edit-picture").hidden = !this.#app.features.has("media");
    this.#fail("");
    this.say();
    this.#dialog.showModal();
  }

  /** The words are in another language now. */
  say() {
    this.#count();
    this.#render();
  }

  // The picture.

  #take(file) {
    if (!file) return;
    if (!typeOf(file)) return this.#fail(say("notPicture", { name: file.name }));
    this.#fail("");
    this.#drop();
    this.#isRemoved = false;
    this.#thumbnail = thumbnailOf(file);
    const upload = new StoryUpload(this.#app.connection, file, () => upload === this.#upload && this.#render());
    this.#upload = upload;
    upload.run();
    this.#render();
  }

  #remove() {
    this.#drop();
    this.#isRemoved = true;
    this.#render();
    find("#edit-file").focus();
  }

  #drop() {
    this.#upload?.end();
    this.#upload = this.#thumbnail = null;
  }

  #render() {
    if (!this.#profile) return;
    const upload = this.#upload;
    const { picture, nickname } = this.#profile;
    const isThere = upload !== null || (picture !== undefined && !this.#isRemoved);
    const face = this.#thumbnail ?? faceOf({ picture: this.#isRemoved ? undefined : picture, nickname });
    if (find("#edit-face").firstChild !== face) find("#edit-face").replaceChildren(face);
    find("#edit-remove").hidden = !isThere;
    find("#edit-again").hidden = upload?.state !== "failed";
    const isMoving = upload !== null && !["done", "failed"].includes(upload.state);
    find("#edit-progress").hidden = !isMoving;
    find("#edit-progress").value = upload?.progress ?? 0;
    put(find("#edit-state"), upload ? uploadText(upload) : "");
    find("#edit-state").className = upload?.state === "failed" ? "fault" : "hint";
  }

  // The texts.

  #count() {
    const length = lengthOf(this.#introduction.value.trim());
    put(find("#edit-count"), `${number(length)}/${number(introductionMax)}`);
    find("#edit-count").classList.toggle("over", length > introductionMax);
  }

  /** What is wrong with the fields, in words; empty when they can be sent. */
  #fault(nickname, introduction) {
    if (!nickname) return say("error.TEXT_EMPTY");
    const isLong = lengthOf(introduction) > introductionMax || bytesOf(introduction) > introductionBytesMax;
    if (isLong || lengthOf(nickname) > nicknameMax) return say("error.TEXT_TOO_LONG");
    if (this.#upload?.state === "failed") return say("failedPictures");
    return this.#upload && this.#upload.state !== "done" ? say("faceUnfinished") : "";
  }

  async #save() {
    const [nickname, introduction] = [this.#nickname, this.#introduction].map(({ value }) => value.trim());
    const fault = this.#fault(nickname, introduction);
    if (fault || this.#isBusy) return this.#fail(fault);
    this.#isBusy = find("#edit-send").disabled = true;
    this.#fail("");
    try {
      await this.#send(nickname, introduction);
      this.#dialog.close();
      toast(say("saved"), "good");
    } catch (error) {
      this.#fail(error.code === "LOST" ? say("line.lost") : errorText(error));
    } finally {
      this.#isBusy = find("#edit-send").disabled = false;
      this.#done();
    }
  }

  async #send(nickname, introduction) {
    const { connection } = this.#app;
    if (nickname !== this.#profile.nickname) {
      await connection.request("setNickname", { nickname });
      keep("nickname", nickname);
      this.#profile = { ...this.#profile, nickname };
    }
    const edit = {};
    if (introduction !== (this.#profile.introduction ?? "")) edit.introduction = introduction;
    if (this.#upload) edit.mediaId = this.#upload.mediaId;
    else if (this.#isRemoved && this.#profile.picture) edit.withoutPicture = true;
    if (Object.keys(edit).length > 0) await connection.request("setProfile", edit);
  }

  #fail(text) {
    find("#edit-fault").textContent = text;
    find("#edit-fault").hidden = text === "";
  }
}
