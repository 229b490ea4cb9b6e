// Which players' names are written on the ground: names never overlap. The player's own and the chosen one come first,
// then those that were written before, so that names don't flicker, then those nearest to the middle: importance is where
// one looks. Decisions: 165 (docs/decisions).
import { fitting, nameFont, pillSize, radiusOf } from "./actors.js";

const namesMax = 30;
/** With this many players in sight, more than some names would cover the ground. */
const crowdMin = 60;
const namesOfCrowdMax = 12;
/** A name keeps so far off the dots of more important players, pixels. */
const dotMargin = 2;
/** The most names that a frame measures. */
const measuredMax = 30;

export class Labels {
  /** Whether names wait for the next frame to be measured. */
  isWaiting = false;
  /** The same arrays in each frame. */
  #wishes = [];
  #written = [];

  /**
   * The actors among `shown` whose names are written in this frame, the most important first; `isNamed` tells it until the
   * next. A name keeps off the dots of those before it, and is drawn above the dots of those behind it.
   */
  choose(shown, view) {
    const [wishes, written] = [this.#wishes, this.#written];
    wishes.length = written.length = 0;
    for (const actor of shown) {
      if (!actor.name) continue;
      const label = (actor.label ??= { x: 0, y: 0, rank: 0, distance: 0, left: 0, right: 0, top: 0, bottom: 0 });
      label.x = view.x(actor.at.x);
      label.y = view.y(actor.at.y);
      label.distance = Math.hypot(label.x - view.width / 2, label.y - view.height / 2);
      label.rank = actor.isMe ? 0 : actor.isChosen ? 1 : actor.isNamed ? 2 : 3;
      wishes.push(actor);
    }
    wishes.sort(byImportance);
    const max = shown.length < crowdMin ? namesMax : namesOfCrowdMax;
    let left = measuredMax;
    this.isWaiting = false;
    for (const actor of wishes) {
      if (written.length === max) break;
      if (actor.nameWidth === null) {
        if (left-- <= 0) {
          this.isWaiting = true;
          continue;
        }
        actor.nameWidth = widthOf(view.context, actor);
      }
      const { label } = actor;
      label.left = label.x - actor.nameWidth / 2;
      label.right = label.x + actor.nameWidth / 2;
      label.top = label.y - radiusOf(actor) - pillSize.above;
      label.bottom = label.top + pillSize.height;
      if (label.rank === 0 || isFree(label, written)) written.push(actor);
    }
    for (const actor of shown) actor.isNamed = false;
    for (const actor of written) actor.isNamed = true;
    return written;
  }
}

function byImportance({ label: a }, { label: b }) {
  return a.rank - b.rank || a.distance - b.distance;
}

/** Whether a name covers neither the names nor the dots of others. */
function isFree({ left, right, top, bottom }, others) {
  for (const other of others) {
    const { label } = other;
    if (left < label.right && label.left < right && top < label.bottom && label.top < bottom) return false;
    const reach = radiusOf(other) + dotMargin;
    if (left < label.x + reach && label.x - reach < right && top < label.y + reach && label.y - reach < bottom) return false;
  }
  return true;
}

function widthOf(context, { name, isMe }) {
  context.font = nameFont(isMe);
  return context.measureText(fitting(context, name)).width + pillSize.padding;
}
