// What is drawn over the picture: outlines, the picked place with its normal, measured lines, the section,
// the rectangle and the crosshair.

import { heightAt, project } from "./view.js";
import { add, scale } from "./vector.js";

// The middles of a square's sides: top, right, bottom, left.
const MIDDLES = [[0.5, 0], [1, 0.5], [0.5, 1], [0, 0.5]];
// The lines between them, by which corners are of the object: 1 upper left, 2 upper right, 4 lower right,
// 8 lower left.
const SQUARES = [
  [], [[3, 0]], [[0, 1]], [[3, 1]], [[1, 2]], [[3, 0], [1, 2]], [[0, 2]], [[3, 2]],
  [[3, 2]], [[0, 2]], [[0, 1], [3, 2]], [[1, 2]], [[3, 1]], [[0, 1]], [[3, 0]], [],
];

export class Marks {
  constructor(app, canvas) {
    Object.assign(this, { app, canvas });
    this.context = canvas.getContext("2d");
    this.hover = null;
    this.selected = null;
    this.picked = null;
    this.measured = [];
    this.section = [];
    this.rectangle = null;
    this.cross = null;
  }

  // Draws everything over the frame that is shown.
  draw() {
    const { app, context } = this;
    const [width, height] = app.cssSize;
    const ratio = devicePixelRatio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    context.lineJoin = "round";
    context.lineCap = "round";
    const view = app.shown ?? app.view;
    if (!view) return;
    const at = (point) => project(view, [width, height], point);
    this.polylines(at);
    this.outline(this.selected, "#ffcf5c", 3);
    this.outline(this.hover, "#8fd4ff", 2);
    this.place(at);
    this.lines(at);
    if (this.rectangle) {
      const [x, y, w, h] = this.rectangle;
      this.stroke(new Path2D(`M${x} ${y}h${w}v${h}h${-w}z`), "#8fd4ff", 1.5);
    }
    if (this.cross) {
      const [x, y] = this.cross;
      this.stroke(new Path2D(`M${x - 12} ${y}h9m6 0h9M${x} ${y - 12}v9m0 6v9`), "#ffffff", 2);
    }
  }

  // Draws a path in a colour on a dark edge, which is seen on any picture.
  stroke(path, colour, width) {
    const { context } = this;
    context.strokeStyle = "#000c";
    context.lineWidth = width + 2;
    context.stroke(path);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke(path);
  }

  // Draws the border between pixels that show an object and others: through the middles of the sides of
  // each square between four pixels ("marching squares").
  outline(outline, colour, width) {
    const { app } = this;
    if (!outline || (app.playing ? outline.view !== app.viewKey() : outline.of !== app.seenKey())) return;
    const { width: across, height: down, cells } = outline;
    const [sx, sy] = [app.cssSize[0] / across, app.cssSize[1] / down];
    const path = new Path2D();
    const is = (x, y) => (x >= 0 && y >= 0 && x < across && y < down && cells[y * across + x] === 1 ? 1 : 0);
    for (let y = -1; y < down; y += 1) {
      for (let x = -1; x < across; x += 1) {
        const lines = SQUARES[is(x, y) | (is(x + 1, y) << 1) | (is(x + 1, y + 1) << 2) | (is(x, y + 1) << 3)];
        for (const [from, to] of lines) {
          path.moveTo((x + 0.5 + MIDDLES[from][0]) * sx, (y + 0.5 + MIDDLES[from][1]) * sy);
          path.lineTo((x + 0.5 + MIDDLES[to][0]) * sx, (y + 0.5 + MIDDLES[to][1]) * sy);
        }
      }
    }
    this.stroke(path, colour, width);
  }

  // Draws the picked place with its normal.
  place(at) {
    const { picked, app } = this;
    if (!picked || picked.time !== (app.shown?.time ?? null)) return;
    const from = at(picked.point);
    if (!from) return;
    const path = new Path2D();
    path.arc(from.x, from.y, 5, 0, 7);
    if (picked.normal) {
      const reach = 0.12 * heightAt(app.shown, from.depth);
      const to = at(add(picked.point, scale(picked.normal, reach)));
      if (to) path.moveTo(from.x, from.y), path.lineTo(to.x, to.y);
    }
    this.stroke(path, "#ff8fd0", 2.5);
  }

  // Draws the measured points and the lines between them.
  lines(at) {
    const places = this.measured.map(({ point }) => at(point));
    const path = new Path2D();
    places.forEach((place, number) => {
      if (!place) return;
      path.moveTo(place.x + 4, place.y);
      path.arc(place.x, place.y, 4, 0, 7);
      const before = places[number - 1];
      if (before) path.moveTo(before.x, before.y), path.lineTo(place.x, place.y);
    });
    if (places.length === 3 && places[0] && places[2]) {
      path.moveTo(places[2].x, places[2].y);
      path.lineTo(places[0].x, places[0].y);
    }
    this.stroke(path, "#9dff9d", 2);
  }

  polylines(at) {
    const path = new Path2D();
    for (const { closed, points } of this.section) {
      const places = [];
      for (let i = 0; i < points.length; i += 3) places.push(at(points.slice(i, i + 3)));
      if (closed) places.push(places[0]);
      let joins = false;
      for (const place of places) {
        if (place && joins) path.lineTo(place.x, place.y);
        else if (place) path.moveTo(place.x, place.y);
        joins = Boolean(place);
      }
    }
    this.stroke(path, "#ff9d5c", 1.5);
  }
}

// Returns the cells of an outline, 1 where the object is.
export function cellsOf({ width, height, runs }) {
  const cells = new Uint8Array(width * height);
  let [place, value] = [0, 0];
  for (const run of runs) {
    if (value) cells.fill(1, place, place + run);
    place += run;
    value = 1 - value;
  }
  return cells;
}
