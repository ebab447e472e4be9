// Walking: W A S D and Q E move the eye, as long as they are held.

import { moved } from "./view.js";

const STEPS = { w: [0, 0, 1], s: [0, 0, -1], a: [-1, 0, 0], d: [1, 0, 0], e: [0, 1, 0], q: [0, -1, 0] };
// The seconds that it takes to cross the mesh.
const CROSSING = 6;

export function walk(app, stage) {
  const held = new Set();
  let before = null;

  const tick = (now) => {
    if (held.size === 0) {
      before = null;
      return;
    }
    const seconds = before === null ? 1 / 60 : Math.min(0.1, (now - before) / 1000);
    before = now;
    const step = (app.extent() / CROSSING) * seconds;
    const sum = [0, 0, 0];
    for (const key of held) STEPS[key].forEach((part, axis) => (sum[axis] += part * step));
    app.setView(moved(app.view, ...sum));
    requestAnimationFrame(tick);
  };

  stage.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    if (!app.view || !(key in STEPS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (held.has(key)) return;
    held.add(key);
    if (held.size === 1) requestAnimationFrame(tick);
  });
  const release = (event) => held.delete(event.key?.toLowerCase());
  stage.addEventListener("keyup", release);
  stage.addEventListener("blur", () => held.clear());
}
