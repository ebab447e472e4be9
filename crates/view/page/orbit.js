// Orbit, pan and zoom by mouse and touch; clicks and dragged rectangles.

import { looked, orbited, panned, pointAlong, zoomed } from "./view.js";
import { distance } from "./vector.js";

// A pointer that moves less than this is a click, in CSS pixels.
const CLICK = 4;

export function orbit(app, stage) {
  const pointers = new Map();
  let drag = null;

  const place = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  stage.addEventListener("pointerdown", (event) => {
    if (!app.view || (event.pointerType === "mouse" && event.button > 2)) return;
    stage.focus({ preventScroll: true });
    stage.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    const pans = event.button !== 0 || event.shiftKey || event.ctrlKey || event.metaKey;
    drag = { from: place(event), moves: false, pans, many: pointers.size > 1 || (drag?.many ?? false) };
    app.hover(null);
  });

  stage.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    const now = place(event);
    if (!before || !drag) {
      if (event.pointerType !== "touch") app.hover(now);
      return;
    }
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (!drag.moves && !drag.many && distance([...now, 0], [...drag.from, 0]) < CLICK) return;
    drag.moves = true;
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const spread = (a) => Math.max(1, Math.hypot(a[0] - other[0], a[1] - other[1]));
      const middle = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
      const view = panned(app.view, app.cssSize, dx / 2, dy / 2);
      app.setView(zoomed(view, spread(before) / spread(now), app.pointUnder(middle, view)));
    } else if (app.mode === "rectangle" && !drag.pans) {
      app.rectangle(drag.from, now, false);
    } else if (drag.pans) {
      app.setView(panned(app.view, app.cssSize, dx, dy));
    } else {
      const turn = (dx * Math.PI) / app.cssSize[0];
      const rise = (dy * Math.PI) / app.cssSize[1];
      app.setView(app.firstPerson ? looked(app.view, turn / 2, rise / 2) : orbited(app.view, -turn * 1.5, rise));
    }
    pointers.set(event.pointerId, now);
  });

  const end = (event) => {
    if (!pointers.delete(event.pointerId) || !drag) return;
    if (pointers.size > 0) return;
    const { from, moves, many, pans } = drag;
    drag = null;
    if (event.type === "pointercancel" || many) return;
    if (!moves && !pans) app.click(from);
    else if (moves && app.mode === "rectangle" && !pans) app.rectangle(from, place(event), true);
  };
  stage.addEventListener("pointerup", end);
  stage.addEventListener("pointercancel", end);
  stage.addEventListener("pointerleave", () => app.hover(null));
  stage.addEventListener("contextmenu", (event) => event.preventDefault());
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (!app.view) return;
    const lines = event.deltaMode === 1 ? 20 : 1;
    const factor = Math.exp(Math.max(-1, Math.min(1, event.deltaY * lines * 0.0015)));
    app.setView(zoomed(app.view, factor, app.pointUnder(place(event), app.view)));
  }, { passive: false });
}

// Returns the point under a place of the picture at a distance, or at that of the point looked at.
export function pointAt(view, size, [x, y], t) {
  return pointAlong(view, size, x, y, t ?? distance(view.at, view.eye));
}
