// Permalinks: the view and the selection in the fragment of the address, without the token, with points in the
// coordinates of the file.

import { say } from "./panel.js";
import { rounded, usable } from "./view.js";
import { short, sub, written } from "./vector.js";

// What is before the height of an orthographic view in a question, in the place of the field of view.
const ORTHO = "ortho";
// How long nothing must change before the address is written, in ms.
const QUIET = 400;

export class Link {
  constructor(app, { pick, measure, rectangle, section }) {
    Object.assign(this, { app, pick, measure, rectangle, section });
    app.linkChanged = () => this.changed();
  }

  // Writes the address soon.
  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.app.view || this.app.playing) return;
      history.replaceState(null, "", `${location.pathname}#${this.text()}`);
    }, QUIET);
  }

  // Returns the fragment for what is shown.
  text() {
    const { app, pick, measure, rectangle, section } = this;
    const point = (of) => written(of, app.origin);
    const { eye, at, up, fov, ortho } = rounded(app.view);
    const parts = [`eye=${point(eye)}`, `at=${point(at)}`, `up=${up.map(short).join(",")}`, `fov=${short(fov)}`, `shade=${app.shade}`];
    if (ortho) parts.push(`ortho=${short(ortho)}`);
    if (app.time !== null) parts.push(`time=${app.time}`);
    if (app.mode !== "pick") parts.push(`mode=${app.mode}`);
    const question = ({ size, time, ...view }, place) => [
      point(view.eye), point(view.at), ...view.up.map(short), `${view.ortho ? ORTHO : ""}${short(view.ortho || view.fov)}`, ...size, ...place, ...(time === undefined ? [] : [time]),
    ].join(",");
    // What was asked last comes last, as its answer is the one that is shown.
    const asked = [
      () => pick.asked && parts.push(`pick=${question(pick.asked, pick.asked.pixel.map((x) => Math.fround(x)))}`),
      () => rectangle.asked && parts.push(`rectangle=${question(rectangle.asked, rectangle.asked.rectangle)}`),
    ];
    for (const write of app.lastAsked === pick ? asked.reverse() : asked) write();
    if (section.text()) parts.push(`section=${section.text()}`);
    if (app.firstPerson) parts.push("walk=1");
    if (measure.points.length) {
      parts.push(`measure=${measure.points.map((measured) => `${point(measured.point)},${measured.kind}`).join(";")}`);
    }
    return parts.join("&");
  }

  // Shows what a fragment holds; parts that cannot be read are left as they are.
  async follow(text) {
    const { app, pick, measure, rectangle, section } = this;
    const parts = new Map(text.split("&").map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at), part.slice(at + 1).replaceAll("%2C", ",").replaceAll("%3B", ";")];
    }));
    const numbers = (name, count) => {
      const words = (parts.get(name) ?? "").replace(ORTHO, "").split(",");
      const list = words.map(Number);
      return words.length === count && words.every(Boolean) && list.every(Number.isFinite) ? list : null;
    };
    const isOrtho = (name) => parts.get(name).includes(ORTHO);
    const view = { ...app.view };
    const local = (point) => sub(point, app.origin);
    for (const name of ["eye", "at"]) {
      const given = numbers(name, 3);
      if (given) view[name] = local(given);
    }
    view.up = numbers("up", 3) ?? view.up;
    view.fov = numbers("fov", 1)?.[0] ?? view.fov;
    const [ortho] = numbers("ortho", 1) ?? [];
    // A link to a perspective says only its field of view.
    if (ortho || parts.has("fov")) view.ortho = ortho;
    app.view = usable(view, app.extent()) ?? app.view;
    const shade = parts.get("shade");
    if (app.about?.shown?.shades.some(({ name }) => name === shade)) app.setShade(shade);
    const mode = parts.get("mode");
    if (["measure", "rectangle"].includes(mode)) app.setMode(mode);
    const time = numbers("time", 1);
    if (time && app.time !== null) app.setTime(time[0]);
    const measured = (parts.get("measure") ?? "").split(";").map((part) => part.split(","));
    const points = measured.filter((part) => part.length === 4).map(([x, y, z, kind]) => ({ point: local([x, y, z].map(Number)), kind }));
    if (points.length && points.length <= 3 && points.every(({ point }) => point.every(Number.isFinite))) measure.set(points);
    section.follow(parts.get("section") ?? "");
    if (parts.get("walk") === "1" && !app.firstPerson) app.setFirstPerson();
    // The view and its size are twelve numbers; those of the place follow, and the time where things move.
    const question = (name, place, count) => {
      const list = numbers(name, 12 + count) ?? numbers(name, 13 + count);
      if (!list) return null;
      const seen = isOrtho(name) ? { fov: app.view.fov, ortho: list[9] } : { fov: list[9] };
      const [eye, at, up] = [0, 3, 6].map((start) => list.slice(start, start + 3));
      const points = { eye: local(eye), at: local(at), up };
      const moving = list.length > 12 + count && app.time !== null ? { time: list.at(-1) } : {};
      return { ...points, ...seen, size: list.slice(10, 12), [place]: list.slice(12, 12 + count), ...moving };
    };
    for (const name of parts.keys()) {
      const chosen = name === "rectangle" ? question(name, "rectangle", 4) : null;
      if (chosen) await rectangle.ask(chosen);
      const asked = name === "pick" ? question(name, "pixel", 2) : null;
      if (asked) await pick.ask(asked);
    }
    app.changed();
  }

  async copy(notice) {
    const link = `${location.origin}${location.pathname}#${this.text()}`;
    try {
      await navigator.clipboard.writeText(link);
      say(notice, "The link is copied. It holds the view and the selection, and not the token: open it in this tab, or with estoc view --port and --at.");
    } catch {
      say(notice, "Copy this link:");
    }
    const shown = document.createElement("pre");
    shown.textContent = link;
    shown.tabIndex = 0;
    notice.append(shown);
    notice.scrollIntoView({ block: "nearest" });
  }
}
