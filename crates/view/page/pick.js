// A click: everything that is known of what is there.

import { askObject } from "./ask.js";
import { cellsOf } from "./marks.js";
import { command, list, say } from "./panel.js";
import { sub, told, toldPoint } from "./vector.js";

export class Pick {
  constructor(app, marks, answer) {
    Object.assign(this, { app, marks, answer });
    // What was asked of the pick that is shown, and its object.
    this.asked = null;
    this.part = null;
  }

  click(place) {
    return this.ask(this.app.seenAt(place));
  }

  // Asks what is under a pixel of a view, and shows it.
  async ask(asked) {
    const { app, marks } = this;
    const found = await app.answerTo("/pick", asked);
    if (!found) return null;
    this.asked = asked;
    app.lastAsked = this;
    this.show(found, asked.time ?? null);
    const { hit } = found;
    marks.picked = hit?.point ? { point: sub(hit.point, app.origin), normal: hit.normal, time: asked.time ?? null } : null;
    marks.selected = null;
    this.part = hit ? { path: hit.instance ?? "", name: found.name } : null;
    this.highlighted = null;
    this.shown();
    marks.draw();
    app.linkChanged?.();
    return found;
  }

  // Asks for the outline of the picked object in the frame that is shown; one request under way.
  async shown() {
    const { app, marks } = this;
    const [key, view] = [app.seenKey(), app.viewKey()];
    if (!this.part || this.busy || !app.shown || this.highlighted === key) return;
    this.busy = true;
    try {
      const { pixel: _, ...seen } = app.seenAt([0, 0]);
      // While time runs, as coarse as the frames, so that it keeps up with them.
      const size = app.playing ? app.shown.size : seen.size;
      const { outline } = await askObject("/outline", { ...seen, size, part: this.part });
      this.highlighted = key;
      marks.selected = outline && this.part && { ...outline, cells: cellsOf(outline), of: key, view };
      marks.draw();
    } catch {
      // The next frame asks again.
    }
    this.busy = false;
    if (this.part && this.highlighted !== app.seenKey()) this.shown();
  }

  clear() {
    this.asked = null;
    this.part = null;
    Object.assign(this.marks, { picked: null, selected: null });
    say(this.answer, "Click the picture to learn what is there.");
  }

  show({ hit, name, ray, command: repeat }, time) {
    const { answer, app } = this;
    if (!hit) {
      say(answer, "Nothing is there: the click was on the background.");
      command(answer, "Repeat it:", repeat);
      return;
    }
    const moves = time !== null && name && name !== "ground";
    const what = name ?? (app.about?.shown?.scene ? "an object without a name" : "the mesh");
    say(answer, moves ? `You clicked the moving ${name}.` : `You clicked ${name ? `${name}` : what}.`);
    const numbers = (point) => point && point.map(told).join(", ");
    list(answer, [
      ["object", hit.object ?? hit.source ?? null],
      ["instance", hit.instance === undefined ? null : [hit.instance, ...hit.names.filter(Boolean)].join(" ")],
      ["shape", hit.shape],
      ["group", hit.group],
      ["material", hit.material],
      ["triangle", hit.shape ? null : hit.prim],
      ["face", hit.face],
      ["line of the file", hit.line],
      ["distance", told(hit.t)],
      ["point", hit.point && toldPoint(sub(hit.point, app.origin), app.origin)],
      ["normal", numbers(hit.normal)],
      ["side", hit.side],
      ["texture", numbers(hit.texcoord)],
      ["time", time === null ? null : `${told(time)} s`],
      ["ray origin", toldPoint(ray.origin, app.origin)],
      ["ray direction", numbers(ray.dir)],
    ]);
    command(answer, "Repeat it:", repeat);
  }
}
