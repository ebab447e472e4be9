// The object under the pointer: its outline and its name.

import { askObject } from "./ask.js";
import { cellsOf } from "./marks.js";
import { rayLength } from "./view.js";

export class Hover {
  constructor(app, marks, hint) {
    Object.assign(this, { app, marks, hint });
    this.place = null;
    this.found = null;
  }

  // The pointer is at a place of the picture, or nowhere.
  move(place) {
    this.place = place;
    if (place === null) {
      this.marks.hover = null;
      this.hint.hidden = true;
      this.marks.draw();
    } else {
      this.ask();
    }
  }

  // Another frame is shown: what is under the pointer may be another object.
  shown() {
    if (this.place) this.ask();
  }

  forget() {
    this.found = null;
  }

  // Returns the distance of what is under a place, if it was asked for that place and view.
  distanceAt(place) {
    const { found, app } = this;
    const near = found?.point && Math.hypot(found.place[0] - place[0], found.place[1] - place[1]) < 3;
    // The view may have moved since.
    return near ? rayLength(app.view, found.point) : undefined;
  }

  async ask() {
    const { app } = this;
    if (this.busy || !app.shown) return;
    const key = `${app.seenKey()} ${this.place}`;
    if (key === this.asked) return;
    this.busy = true;
    this.asked = key;
    const [place, of, view] = [this.place, app.seenKey(), app.viewKey()];
    try {
      const found = await askObject("/outline", app.seenAt(place));
      this.found = { ...found, place };
      if (this.place) this.show(found, of, view);
    } catch {
      this.asked = null;
    }
    this.busy = false;
    if (this.place && String(this.place) !== String(place)) this.ask();
  }

  show({ name, instance, outline }, of, view) {
    const { hint, place } = this;
    this.marks.hover = outline && { ...outline, cells: cellsOf(outline), of, view };
    // An object without a name is that of the file.
    const text = [name ?? (outline && this.app.about.name), instance ? `instance ${instance}` : null].filter(Boolean).join(", ");
    hint.textContent = text;
    hint.hidden = text === "";
    hint.style.left = `${Math.min(place[0] + 14, this.app.cssSize[0] - 160)}px`;
    hint.style.top = `${Math.min(place[1] + 14, this.app.cssSize[1] - 30)}px`;
    this.marks.draw();
  }
}
