// Lands on the console's map: the ring that players run around, with its name. Drawing alone; the `view` argument maps
// places to the canvas.
import { drawName, isIn, shapeOf } from "./console-fence-layer.js";

/**
 * Draws lands as lines without a ground, so that fences and capsules on them stay as they are. `taken` are the boxes of
 * names, to which those of the lands are added. Returns the paths, each with its `land`.
 */
export function drawLands(view, lands, chosen, taken) {
  const { context, colours } = view;
  const shapes = lands.map((land) => ({ land, ...shapeOf(view, land) })).filter((shape) => isIn(view, shape));
  context.lineJoin = "round";
  for (const { path, land } of shapes) {
    const isChosen = land.land === chosen;
    // A light edge, so that the line is seen on the ground of a fence.
    context.strokeStyle = colours.paper;
    context.lineWidth = isChosen ? 7 : 5;
    context.stroke(path);
    context.strokeStyle = isChosen ? colours.warn : colours.ink;
    context.lineWidth = isChosen ? 3.5 : 2;
    context.stroke(path);
  }
  for (const shape of shapes) drawName(view, shape, shape.land.name, "ink", shape.land.land === chosen, taken);
  return shapes;
}
