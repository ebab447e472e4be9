// Measuring: two clicks give a distance, a third one an angle and an area.

import { list, say } from "./panel.js";
import { snapped } from "./snap.js";
import { cross, distance, dot, length, normalize, sub, told, toldPoint } from "./vector.js";

export class Measure {
  constructor(app, marks, answer, pick) {
    Object.assign(this, { app, marks, answer, pick });
  }

  get points() {
    return this.marks.measured;
  }

  async click(place) {
    const { app } = this;
    const asked = app.seenAt(place);
    const found = await app.answerTo("/pick", asked);
    if (!found) return;
    if (!found.hit?.point) {
      say(this.answer, "Nothing is there to measure from: click the mesh.");
      return;
    }
    const point = snapped(asked, app.cssSize, place, found, app.origin);
    this.set(this.points.length >= 3 ? [point] : [...this.points, point]);
  }

  // Shows points, each with its kind.
  set(points) {
    this.marks.measured = points;
    this.show();
    this.marks.draw();
    this.app.linkChanged?.();
  }

  clear() {
    this.marks.measured = [];
  }

  show() {
    const { answer, points } = this;
    const [a, b, c] = points.map(({ point }) => point);
    const rows = points.map(({ point, kind }, number) => [
      `point ${number + 1}`, `${toldPoint(point, this.app.origin)} (${kind})`,
    ]);
    if (points.length === 1) say(answer, "Click a second point for the distance.");
    if (points.length === 2) say(answer, "Click a third point for the angle and the area.");
    if (points.length === 3) say(answer, "Three points are measured; the next click begins again.");
    if (b) rows.push(["distance 1-2", told(distance(a, b))]);
    if (b) rows.push(["along x, y, z", sub(b, a).map(told).join(", ")]);
    if (c) {
      const sides = [sub(a, b), sub(c, b)];
      const angle = Math.atan2(length(cross(...sides)), dot(...sides));
      rows.push(["distance 2-3", told(distance(b, c))], ["distance 3-1", told(distance(c, a))]);
      rows.push(["angle at 2", `${told((angle * 180) / Math.PI)} degrees`]);
      rows.push(["area", told(length(cross(...sides)) / 2)]);
      rows.push(["normal", normalize(cross(sides[1], sides[0])).map(told).join(", ")]);
    }
    list(answer, rows);
  }
}
