// Which players' names are written on the ground: names never overlap. The player's own and the chosen one come first,
// then those that were written before, so that names don't flicker, then those nearest to the middle: importance is where
// one looks. Points don't count: the ranking beside the map has the best by name, and names would move with each change of it.
import { fitting, nameFont, pillSize, radiusOf } from "./actors.js";

const namesMax = 30;
/** With this many players in sight, more than some names would cover the ground. */
const crowdMin = 60;
const namesOfCrowdMax = 12;
/** The most names that a frame measures. */
const measuredMax = 30;

export class Labels {
  /** Whether names wait for the next frame to be measured. */
  isWaiting = false;
  /** The actors whose names were written last. */
  #written = new Set();

  /** The actors among `shown` whose names are written in this frame. */
  choose(shown, view) {
    const wishes = shown
      .filter(({ name }) => name)
      .map((actor) => {
        const x = view.x(actor.at.x);
        const y = view.y(actor.at.y);
        const distance = Math.hypot(x - view.width / 2, y - view.height / 2);
        const rank = actor.isMe ? 0 : actor.isChosen ? 1 : this.#written.has(actor) ? 2 : 3;
        return { actor, x, y, rank, distance };
      })
      .sort((a, b) => a.rank - b.rank || a.distance - b.distance);
    const max = shown.length < crowdMin ? namesMax : namesOfCrowdMax;
    const boxes = [];
    const written = new Set();
    let left = measuredMax;
    this.isWaiting = false;
    for (const { actor, x, y, rank } of wishes) {
      if (written.size === max) break;
      if (actor.nameWidth === null) {
        if (left-- <= 0) {
          this.isWaiting = true;
          continue;
        }
        actor.nameWidth = widthOf(view.context, actor);
      }
      const top = y - radiusOf(actor) - pillSize.above;
      const box = { left: x - actor.nameWidth / 2, right: x + actor.nameWidth / 2, top, bottom: top + pillSize.height };
      if (rank > 0 && boxes.some((other) => overlap(box, other))) continue;
      boxes.push(box);
      // Names don't cover the dots of who comes first.
      if (rank < 2) boxes.push({ left: x - 12, right: x + 12, top: y - 12, bottom: y + 12 });
      written.add(actor);
    }
    this.#written = written;
    return written;
  }
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function widthOf(context, { name, isMe }) {
  context.font = nameFont(isMe);
  return context.measureText(fitting(context, name)).width + pillSize.padding;
}
