// A pattern for each seat, so that ground is told apart without colours. Pure but for the kept pictures.

const sizePx = 32;
const kept = new Map();

/** The pattern of a seat in a colour; null for plain ground. Neighbouring seats have different patterns. */
export function patternOf(context, seat, colour) {
  const shape = shapes[seat % shapes.length];
  if (!shape) return null;
  const key = `${seat % shapes.length} ${colour}`;
  if (!kept.has(key)) kept.set(key, context.createPattern(picture(shape, colour), "repeat"));
  return kept.get(key);
}

function picture(shape, colour) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = sizePx;
  const context = canvas.getContext("2d");
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 4;
  context.beginPath();
  shape(context);
  context.stroke();
  return canvas;
}

/** Strokes from one side to the other, beyond the sides so that the pictures join. */
function lines(context, ...ends) {
  for (const [fromX, fromY, toX, toY] of ends) {
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
  }
}

const rising = [[-8, 24, 8, 40], [-8, -8, 40, 40], [24, -8, 40, 8]];
const falling = rising.map(([fromX, fromY, toX, toY]) => [fromX, sizePx - fromY, toX, sizePx - toY]);

function dots(context, radius) {
  for (const [x, y] of [[8, 8], [24, 24]]) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
}

const shapes = [
  null,
  (context) => lines(context, ...rising),
  (context) => dots(context, 2),
  (context) => lines(context, [-2, 16, 34, 16]),
  (context) => lines(context, ...falling),
  (context) => lines(context, [16, -2, 16, 34]),
  (context) => lines(context, ...rising, ...falling),
  (context) => dots(context, 6),
];
