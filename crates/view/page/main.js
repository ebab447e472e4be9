// Starts the page: joins its parts through one object, the app.

import { askObject, Refused, takeToken } from "./ask.js";
import { clock } from "./clock.js";
import { Frames } from "./frames.js";
import { Hover } from "./hover.js";
import { keys } from "./keys.js";
import { Link } from "./link.js";
import { loading } from "./loading.js";
import { Marks } from "./marks.js";
import { Measure } from "./measure.js";
import { orbit, pointAt } from "./orbit.js";
import { panel } from "./panel.js";
import { Pick } from "./pick.js";
import { Rectangle } from "./rectangle.js";
import { save } from "./save.js";
import { section } from "./section.js";
import { fitted, project, rounded, toggled, usable } from "./view.js";
import { walk } from "./walk.js";
import { sub, length } from "./vector.js";

// How long a question that was not answered is told, in ms.
const TOLD = 8000;

const byId = (id) => document.getElementById(id);
const stage = byId("stage");

const app = {
  about: null,
  view: null,
  // Of the picture in device pixels, and in CSS pixels.
  size: [1, 1],
  cssSize: [1, 1],
  // The first that there is, if none is chosen.
  shade: null,
  // In seconds, null where nothing moves.
  time: null,
  playing: false,
  mode: "pick",
  firstPerson: false,
  // What the last frame shows.
  shown: null,

  // Shows another view, if there is one and it can be shown.
  setView(view) {
    const next = app.view && usable(view, app.extent());
    if (!next) return;
    app.view = next;
    app.changed();
  },

  // Shows what has changed.
  changed() {
    controls.orthographic(Boolean(app.view?.ortho));
    frames.changed();
    // No frame shows it yet.
    stage.dataset.samples = 0;
    link.changed();
  },

  // Returns the length of the diagonal of the box around everything.
  extent() {
    const bounds = app.about?.shown?.bounds;
    return bounds ? length(sub(bounds[1], bounds[0])) : 1;
  },

  // Returns the point under a place of a view, as far as it is known.
  pointUnder: (place, view) => pointAt(view, app.cssSize, place, hover.distanceAt(place)),

  // Returns what frames have in common in which outlines are the same; while time runs, outlines are drawn
  // a frame late, and only the view counts.
  seenKey: () => `${app.viewKey()} ${app.shown?.time}`,
  // Where coordinates of the mesh have their origin in those of the file.
  get origin() {
    return app.about?.shown?.origin ?? [0, 0, 0];
  },
  viewKey: () => JSON.stringify(app.shown && [rounded(app.shown), app.about?.shown?.generation]),

  // Returns what a question about a place of the shown frame holds.
  seenAt([x, y]) {
    const { eye, at, up, fov, ortho, time } = app.shown ?? rounded(app.view);
    const pixel = [(x / app.cssSize[0]) * app.size[0], (y / app.cssSize[1]) * app.size[1]];
    return { eye, at, up, fov, ...(ortho ? { ortho } : {}), ...(time === undefined ? {} : { time }), size: app.size, pixel };
  },

  hover: (place) => hover.move(place),
  rectangle: (from, to, ends) => rectangle.drag(from, to, ends),
  click: (place) => (app.mode === "measure" ? measure.click(place) : pick.click(place)),
  whole() {
    if (!app.about?.shown) return;
    const whole = fitted(app.about.shown.view, app.size[0] / app.size[1]);
    app.view = app.view?.ortho ? toggled(whole, app.extent(), isInside(whole)) : whole;
    app.changed();
  },
  toggleOrtho: () => app.view && app.setView(toggled(app.view, app.extent(), isInside(app.view))),

  // Forgets what is selected.
  clear() {
    pick.clear();
    measure.clear();
    rectangle.clear();
    marks.cross = null;
    marks.draw();
    notice.replaceChildren();
    link.changed();
  },

  // Asks; returns the answer, or null after telling the problem.
  async answerTo(path, body) {
    try {
      return await askObject(path, body);
    } catch (error) {
      app.problem(error);
      return null;
    }
  },

  // Tells a problem, or that there is none. That of an "answer" is told for a while, that of a "frame" until
  // the next frame, and that of the "server" until it is over.
  problem(error, of = "answer") {
    clearTimeout(forget);
    problemOf = error === null ? null : of;
    if (problemOf === "answer") forget = setTimeout(() => app.problem(null), TOLD);
    const text = error === null ? "" : words(error);
    byId("problem").textContent = text;
    byId("problem").hidden = text === "";
  },
};

let [problemOf, forget] = [null, 0];

// Returns whether the eye of a view is inside the box around everything: then a drag looks around.
function isInside(view) {
  const bounds = app.about?.shown?.bounds;
  return Boolean(bounds) && view.eye.every((x, axis) => x > bounds[0][axis] && x < bounds[1][axis]);
}

// Returns whether a box is in front of the eye, and neither far smaller nor far larger than the picture.
function seesBox(bounds) {
  if (!bounds) return true;
  const middle = bounds[0].map((low, axis) => (low + bounds[1][axis]) / 2);
  const size = length(sub(bounds[1], bounds[0]));
  const way = length(sub(middle, app.view.eye));
  if (way < size) return true;
  const place = project(app.view, app.cssSize, middle);
  const isIn = place && [place.x, place.y].every((x, axis) => x > -app.cssSize[axis] && x < 2 * app.cssSize[axis]);
  return Boolean(isIn) && way < 100 * size;
}

function words(error) {
  if (typeof error === "string") return error;
  if (error instanceof Refused && error.status === 401) {
    return "This tab has no token. Open the address that estoc view printed; with --at and this link, it begins here.";
  }
  if (error instanceof Refused) return `The server refuses: ${error.message}`;
  if (error instanceof TypeError) return "The server does not answer. Has estoc view ended? Start it again.";
  return String(error);
}

const marks = new Marks(app, byId("marks"));
const hover = new Hover(app, marks, byId("hint"));
const [answer, answers, notice, controlPanel] = ["answer", "answers", "notice", "panel"].map(byId);
const pick = new Pick(app, marks, answer);
const measure = new Measure(app, marks, answer, pick);
const rectangle = new Rectangle(app, marks, answer);
const cut = section(app, marks);
const link = new Link(app, { pick, measure, rectangle, section: cut });
const frames = new Frames(app, byId("picture"), (shown) => {
  app.shown = shown;
  if (problemOf === "frame") app.problem(null);
  Object.assign(stage.dataset, {
    frames: frames.count,
    samples: shown.samples,
    size: shown.size.join("x"),
    whole: shown.whole,
    time: shown.time ?? "",
  });
  byId("state").textContent = `${shown.size.join(" x ")}, ${shown.samples === 1 ? "1 sample" : `${shown.samples} samples`}`;
  marks.draw();
  hover.shown();
  pick.shown();
}, (error) => app.problem(error, "frame"));

function resize() {
  const box = stage.getBoundingClientRect();
  app.cssSize = [Math.max(1, box.width), Math.max(1, box.height)];
  const most = app.about?.shown?.limits?.frame ?? 1 << 22;
  const ratio = Math.min(devicePixelRatio, Math.sqrt(most / (box.width * box.height || 1)));
  app.size = app.cssSize.map((side) => Math.max(1, Math.min(8192, Math.floor(side * ratio))));
  marks.draw();
  if (app.view) frames.changed();
}

const start = takeToken();
new ResizeObserver(resize).observe(stage);
// A new answer comes into view, from its start where there is no room for all of it.
new MutationObserver(() => {
  const fits = answers.offsetHeight <= controlPanel.clientHeight;
  answers.scrollIntoView({ block: fits ? "nearest" : "start" });
}).observe(answer, { childList: true });
orbit(app, stage);
walk(app, stage);
const time = clock(app);
const controls = panel(app, { save: save(app, notice), copy: () => link.copy(notice), section: cut });
keys(app, stage, { controls, time, marks });
// A token in the address bar begins anew: the one before was missing or that of a server that has ended.
addEventListener("hashchange", () => {
  const begins = !app.view || location.hash.includes("token=");
  const rest = takeToken();
  if (begins) location.reload();
  else link.follow(rest);
});
loading(app, (about, isFirst) => {
  controls.about(about);
  if (isFirst) {
    time.about(about.shown.time);
    resize();
    app.whole();
    app.setFirstPerson = controls.firstPerson;
    if (isInside(app.view)) controls.firstPerson();
    link.follow(start);
    stage.focus({ preventScroll: true });
  } else {
    // What was told of the mesh before may not be true of this one.
    const { asked } = pick;
    app.clear();
    if (asked) pick.ask(asked);
    if (!seesBox(about.shown.bounds)) app.whole();
  }
  hover.forget();
  app.changed();
});
