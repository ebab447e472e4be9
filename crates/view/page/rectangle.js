// A rectangle dragged over the picture: how many triangles and objects are in it.

import { list, say } from "./panel.js";

export class Rectangle {
  constructor(app, marks, answer) {
    Object.assign(this, { app, marks, answer });
    // The last question: a view, its size, and x, y, width and height in its pixels.
    this.asked = null;
  }

  // The rectangle spans two places; at the end it is asked about.
  drag(from, to, ends) {
    const { marks } = this;
    const low = [0, 1].map((axis) => Math.min(from[axis], to[axis]));
    const size = [0, 1].map((axis) => Math.abs(from[axis] - to[axis]));
    marks.rectangle = [...low, ...size];
    marks.draw();
    if (ends && size[0] > 0 && size[1] > 0) this.ask(this.question(marks.rectangle));
  }

  clear() {
    this.asked = null;
    this.marks.rectangle = null;
  }

  // Returns the question about a rectangle of the shown frame.
  question([x, y, width, height]) {
    const { app } = this;
    const { pixel: _, ...seen } = app.seenAt([0, 0]);
    // The server counts what the pixels of at most a million show.
    const share = Math.min(1, Math.sqrt(1e6 / (app.size[0] * app.size[1])));
    seen.size = app.size.map((side) => Math.max(1, Math.floor(side * share)));
    const ratio = [0, 1].map((axis) => seen.size[axis] / app.cssSize[axis]);
    return { ...seen, rectangle: [x * ratio[0], y * ratio[1], width * ratio[0], height * ratio[1]].map(Math.fround) };
  }

  async ask(asked) {
    const { app, answer } = this;
    this.asked = asked;
    app.lastAsked = this;
    app.linkChanged();
    const found = await app.answerTo("/select", asked);
    if (!found) return;
    const count = (n) => n.toLocaleString("en");
    const shown = (n, what) => `The rectangle shows ${count(n)} ${n === 1 ? what : `${what}s`}.`;
    say(answer, found.inside === null
      ? found.instances === null ? shown(found.seen, "triangle") : shown(found.instances, "instance")
      : `${count(found.inside)} ${found.inside === 1 ? "triangle is" : "triangles are"} in the frustum of the rectangle, at least in part.`);
    list(answer, [
      ["in its frustum", found.inside === null ? null : count(found.inside)],
      ["seen in pixels", count(found.seen)],
      ...found.names.map(([name, number]) => [name, count(number)]),
      ["more names", found.more_names || null],
    ]);
  }
}
