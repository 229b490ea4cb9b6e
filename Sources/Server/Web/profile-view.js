// A player's profile: who they are, what they have earned, their newest posts and plans; one's own can be edited,
// others' reported. What the player earns meanwhile is told here too.
import { find, sayError, toast } from "./dom.js";
import { number, say } from "./language.js";
import { planRow } from "./plan-rows.js";
import { planWords } from "./plan-words.js";
import { faceOf, ProfileEdit } from "./profile-edit.js";
import { medals, medalsCount } from "./profile-medals.js";
import { profileWords } from "./profile-words.js";
import { StoryCards } from "./story-cards.js";
import { address, confirming, put } from "./story-texts.js";
import { uploadWords } from "./story-upload-words.js";

const grades = ["ECONOMY", "BUSINESS", "FIRST", "MASTER"];
/** The experience of a grade, from one to the next. */
const gradeExperience = 100;
/** The posts that are asked for, whose plans are shown, and how many of both are shown. */
const pageLimit = 20;
const shownMax = 6;

/**
 * Begins the view; `app` has `connection`, `book`, `table`, `features`, `back()`, `block(player)`,
 * `report(subject, done)`, `wrote()` and `titled()`.
 */
export function begin(app) {
  Object.assign(app.table, planWords, uploadWords, profileWords);
  return new ProfileView(app);
}

class ProfileView {
  #app;
  /** Whose profile it is. */
  #id = "";
  /** Null before the first answer. */
  #profile = null;
  #isGone = false;
  #postIds = [];
  #plans = [];
  #cards;
  #edit;

  constructor(app) {
    this.#app = app;
    this.#cards = new StoryCards(find("#profile-posts"), app.book, () => app.connection.now());
    this.#edit = new ProfileEdit(app, () => {
      this.renew();
      // Lists have the nickname of before.
      app.wrote();
    });
    find("#profile-back").addEventListener("click", () => app.back());
    find("#profile-edit-open").addEventListener("click", () => this.#edit.open(this.#profile));
    find("#profile-report").addEventListener("click", () => {
      // Introduction and picture are gone for the reporter.
      app.report({ playerId: this.#id }, () => this.renew());
    });
  }

  /** Shows the profile of a player; without an identifier one's own. */
  show(_, id) {
    const shown = id || this.#app.book.playerId;
    if (shown !== this.#id) {
      this.#profile = null;
      this.#postIds = this.#plans = [];
    }
    this.#id = shown;
    this.#isGone = false;
    this.#render();
    this.renew();
  }

  leave() {}

  async renew() {
    const id = this.#id;
    try {
      const profile = await this.#app.connection.request("profile", { playerId: id });
      if (id !== this.#id) return;
      this.#profile = profile;
      this.#isGone = false;
      this.#render();
      this.#app.titled();
      await this.#loadPosts(id);
    } catch (error) {
      if (id !== this.#id || error.code === "LOST") return;
      this.#isGone = ["PLAYER_NOT_FOUND", "OUT_OF_RANGE"].includes(error.code);
      if (!this.#isGone) sayError(error);
      this.#render();
    }
  }

  get title() {
    return this.#profile?.nickname || say("profile");
  }

  /** Who is shown. */
  get authorId() {
    return this.#id;
  }

  say() {
    this.#cards.say();
    this.#render();
    this.#edit.say();
  }

  /** Tells the player of a `collectible` that they have won, or of another `grade`. */
  tell(kind, body) {
    if (kind === "collectible") toast(say("won", { name: say(`collectible.${body.kind}`) }), "good");
    else toast(say("gradeNow", { name: say(`grade.${body.grade}`) }));
    if (this.#isMine && !find("#profile").hidden) this.renew();
  }

  get #isMine() {
    return this.#id === this.#app.book.playerId;
  }

  async #loadPosts(id) {
    const { connection, book } = this.#app;
    const { posts = [] } = await connection.request("listPosts", { authorId: id, limit: pageLimit });
    if (id !== this.#id) return;
    book.learn(posts);
    this.#postIds = posts.slice(0, shownMax).map(({ postId }) => postId);
    this.#render();
    if (!this.#app.features.has("plans")) return;
    const plans = await (this.#isMine ? this.#ownPlans() : this.#sharedPlans(posts));
    if (id !== this.#id) return;
    this.#plans = plans;
    this.#render();
  }

  async #ownPlans() {
    const { plans = [] } = await this.#app.connection.request("listPlans", { limit: shownMax });
    return plans;
  }

  /** Others' plans are known by the posts that share them. */
  async #sharedPlans(posts) {
    const ids = [...new Set(posts.map(({ planId }) => planId).filter(Boolean))].slice(0, shownMax);
    const read = ids.map((planId) => this.#app.connection.request("readPlan", { planId }).catch(() => null));
    // One that is hidden or reported can't be read.
    return (await Promise.all(read)).filter(Boolean);
  }

  // What is shown.

  #render() {
    const profile = this.#profile;
    find("#profile-gone").hidden = !this.#isGone;
    find("#profile-whole").hidden = this.#isGone || !profile;
    find("#profile-busy").hidden = this.#isGone || profile !== null;
    if (!profile || this.#isGone) return;
    put(find("#profile-name"), profile.nickname || say("nobody"));
    find("#profile-face").replaceChildren(faceOf(profile));
    put(find("#profile-introduction"), profile.introduction ?? "");
    find("#profile-introduction").hidden = !profile.introduction;
    this.#renderGrade(profile);
    this.#renderActs(profile);
    const won = profile.collectibles ?? [];
    put(find("#medals-title"), say("collectibles", { n: number(won.length), all: number(medalsCount) }));
    find("#medals").replaceChildren(...medals(won));
    this.#renderPosts(profile);
    find("#profile-plans").hidden = this.#plans.length === 0;
    put(find("#profile-plans-title"), say(this.#isMine ? "plans" : "sharedPlans"));
    find("#profile-plans-list").replaceChildren(...this.#plans.map(planRow));
    find("#profile-plans-all").hidden = !this.#isMine;
  }

  #renderGrade({ grade, experience = 0 }) {
    const next = grades[grades.indexOf(grade) + 1];
    const left = gradeExperience * (grades.indexOf(grade) + 1) - experience;
    put(find("#profile-grade"), say(`grade.${grade}`));
    put(find("#profile-experience"), say("experience", { n: number(experience) }));
    const toNext = next ? say("toNext", { name: say(`grade.${next}`), n: number(left) }) : say("highest");
    put(find("#profile-next"), toNext);
    find("#profile-share").value = next ? gradeExperience - left : gradeExperience;
  }

  #renderActs({ playerId, nickname }) {
    const isMine = this.#isMine;
    find("#profile-edit-open").hidden = !isMine;
    find("#profile-report").hidden = isMine || !this.#app.features.has("moderation");
    find("#profile-block").hidden = isMine;
    confirming(find("#profile-block"), "block", "blockReally", () => this.#app.block({ playerId, nickname }));
  }

  #renderPosts({ posts = 0 }) {
    put(find("#profile-posts-title"), say("postsOf", { n: number(posts) }));
    this.#cards.show(this.#postIds);
    find("#profile-posts-none").hidden = posts > 0;
    find("#profile-posts-all").hidden = posts <= this.#postIds.length;
    find("#profile-posts-all").href = this.#isMine ? "#/mine" : address("by", this.#id);
  }
}
