// Draws the ways of a game on the ground: each seat's in its colour and with its dashes, so that they are told apart
// without colours too. Pure drawing; the `view` argument maps places to the canvas.
import { seatColour } from "./dom.js";

const dashes = [[], [12, 6], [3, 5], [14, 5, 3, 5], [20, 6], [6, 6], [2, 8], [18, 4, 6, 4]];
/** A longer step is a gap; metres. */
const gapM = 100;

/** Draws each way of `ways` (places by seat), as far as `countOf` says. */
export function drawWays(view, ways, countOf, width = 3) {
  const { context } = view;
  context.save();
  context.lineJoin = context.lineCap = "round";
  for (const [seat, steps] of ways) {
    const count = countOf(seat);
    if (count === 0) continue;
    context.beginPath();
    let before = null;
    for (let index = 0; index < count; index += 1) {
      const at = view.metres(steps[index]);
      const isGap = !before || Math.hypot(at.x - before.x, at.y - before.y) > gapM;
      if (isGap) context.moveTo(view.x(at.x), view.y(at.y));
      else context.lineTo(view.x(at.x), view.y(at.y));
      before = at;
    }
    context.setLineDash([]);
    context.strokeStyle = view.colours.paper;
    context.lineWidth = width + 2;
    context.globalAlpha = 0.7;
    context.stroke();
    context.setLineDash(dashes[seat % dashes.length]);
    context.strokeStyle = seatColour(seat);
    context.lineWidth = width;
    context.globalAlpha = 1;
    context.stroke();
  }
  context.restore();
}
