// The section slider: the cut of the mesh with a plane across an axis.

import { askObject } from "./ask.js";
import { told, toldFrom } from "./vector.js";

const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

export function section(app, marks) {
  const [on, axis, place, output] = ["section-on", "section-axis", "section-place", "section-told"]
    .map((id) => document.getElementById(id));
  let busy = false;
  let wanted = null;

  const change = () => {
    const bounds = app.about?.shown?.bounds;
    if (!on.checked || !bounds) {
      wanted = null;
      marks.section = [];
      output.textContent = "";
      marks.draw();
      return;
    }
    const number = "xyz".indexOf(axis.value);
    const share = place.value / place.max;
    const at = Math.fround(bounds[0][number] + share * (bounds[1][number] - bounds[0][number]));
    wanted = { plane: [...AXES[axis.value], -at], at };
    ask();
  };

  const ask = async () => {
    if (busy || !wanted) return;
    busy = true;
    const asked = wanted;
    try {
      const found = await askObject("/section", { plane: asked.plane });
      if (wanted) {
        marks.section = found.polylines;
        const lines = found.count === 1 ? "1 polyline" : `${found.count.toLocaleString("en")} polylines`;
        output.textContent = `${axis.value} = ${toldFrom(asked.at, app.origin["xyz".indexOf(axis.value)])}: ${lines}, length ${told(found.length)}`
          + (found.closed ? "" : ", open");
        const drawn = found.polylines.length;
        if (drawn < found.count) output.textContent += `; ${drawn.toLocaleString("en")} are drawn`;
        place.setAttribute("aria-valuetext", output.textContent);
        output.title = found.command;
        marks.draw();
      }
    } catch (error) {
      app.problem(error);
    }
    busy = false;
    if (wanted && wanted !== asked) ask();
  };

  for (const input of [on, axis, place]) {
    input.addEventListener("input", () => {
      change();
      app.linkChanged();
    });
  }
  return {
    change,
    toggle: () => on.click(),
    // The axis and the place of the slider, empty where there is no section.
    text: () => (on.checked ? `${axis.value}${place.value}` : ""),
    follow(text) {
      if (!/^[xyz]\d+$/.test(text)) return;
      on.checked = true;
      axis.value = text[0];
      place.value = text.slice(1);
      change();
    },
  };
}
