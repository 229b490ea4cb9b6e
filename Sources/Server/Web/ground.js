// The layers on the ground: the grid, the arena, lands, the scale. Pure drawing; the `view` argument maps
// places to the canvas.

/** Fills the ground and draws a line each 10, 50 or 250 m, whichever leaves room between. */
export function drawGrid(view, arena) {
  const { context, width, height, colours } = view;
  context.fillStyle = arena ? colours["ground-out"] : colours.ground;
  context.fillRect(0, 0, width, height);
  if (arena) {
    context.fillStyle = colours.ground;
    context.fillRect(...square(view, arena));
  }
  const step = [10, 50, 250, 1_000].find((metres) => metres * view.scale >= 26) ?? 5_000;
  for (const [metres, colour] of [[step, colours["ground-line"]], [step * 5, colours["ground-strong"]]]) {
    context.beginPath();
    const west = Math.floor((view.centre.x - width / 2 / view.scale) / metres) * metres;
    const south = Math.floor((view.centre.y - height / 2 / view.scale) / metres) * metres;
    for (let x = west; view.x(x) < width; x += metres) {
      const column = Math.round(view.x(x)) + 0.5;
      context.moveTo(column, 0);
      context.lineTo(column, height);
    }
    for (let y = south; view.y(y) > 0; y += metres) {
      const row = Math.round(view.y(y)) + 0.5;
      context.moveTo(0, row);
      context.lineTo(width, row);
    }
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.stroke();
  }
  if (arena) drawEdge(view, arena);
}

/** Draws the edge of the arena. */
export function drawEdge(view, arena) {
  const { context, colours } = view;
  context.strokeStyle = colours.ink;
  context.globalAlpha = 0.5;
  context.lineWidth = 2;
  context.setLineDash([8, 6]);
  context.strokeRect(...square(view, arena));
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** The arena on the canvas: left, top, width, height. */
function square(view, { west, south, side }) {
  return [view.x(west), view.y(south + side), side * view.scale, side * view.scale];
}

export function drawLands(view, lands) {
  const { context, colours } = view;
  for (const { name, colour, ring } of lands) {
    context.beginPath();
    for (const { x, y } of ring) context.lineTo(view.x(x), view.y(y));
    context.closePath();
    if (colour) {
      context.globalAlpha = 0.25;
      context.fillStyle = colour;
      context.fill();
      context.globalAlpha = 1;
    }
    context.strokeStyle = colour ?? colours.ink;
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.stroke();
    const mean = (axis) => ring.reduce((sum, point) => sum + point[axis], 0) / ring.length;
    context.fillStyle = colours.ink;
    context.font = "600 13px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText(name, view.x(mean("x")), view.y(mean("y")));
  }
}

/** Draws the scale. */
export function drawScale(view) {
  const { context, colours, height } = view;
  const lengths = [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 20_000, 100_000, 500_000];
  const metres = lengths.find((length) => length * view.scale >= 50) ?? 2_000_000;
  const length = metres * view.scale;
  const top = height - 18;
  context.beginPath();
  context.moveTo(14, top - 5);
  context.lineTo(14, top);
  context.lineTo(14 + length, top);
  context.lineTo(14 + length, top - 5);
  context.font = "600 11px system-ui, sans-serif";
  context.textAlign = "left";
  context.lineJoin = "round";
  const text = metres < 1_000 ? `${metres} m` : `${metres / 1_000} km`;
  // Readable on streets and on held ground too.
  for (const [colour, width] of [[colours.paper, 4], [colours.ink, 2]]) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }
  context.strokeStyle = colours.paper;
  context.lineWidth = 3;
  context.strokeText(text, 18, top - 6);
  context.fillStyle = colours.ink;
  context.fillText(text, 18, top - 6);
}
