// Keys, and the list of them.

import { looked, orbited, zoomed } from "./view.js";

const LIST = [
  ["Drag, arrow keys", "orbit; look around in first person"],
  ["Right drag, Shift drag, two fingers", "pan"],
  ["Wheel, pinch, + and -", "zoom, with the wheel towards the pointer"],
  ["W A S D, Q E", "move ahead, left, back, right, down and up"],
  ["F", "first person: turn about the eye, for interiors"],
  ["O", "orthographic: parallel rays, with one scale at every depth"],
  ["0", "the whole view"],
  ["Click, Enter", "pick or measure; Enter at the crosshair"],
  ["Shift and arrow keys", "move the crosshair; with R, from its first place a rectangle"],
  ["M, R, P", "clicks measure, drags select a rectangle, clicks pick"],
  ["N, Shift N", "next and previous shade"],
  ["H", "heat map on and off"],
  ["X", "section on and off"],
  ["Space", "pause and play moving objects"],
  [". and ,", "one step forward and back in time"],
  ["C", "copy a link to the view and the selection"],
  ["V", "save the picture"],
  ["Escape", "clear the selection"],
  ["?", "this list"],
];

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TURN = Math.PI / 36;
const CROSS = 12;

export function keys(app, stage, { controls, time, marks }) {
  const dialog = document.getElementById("keys");
  const body = document.querySelector("#keys-table tbody");
  for (const [press, to] of LIST) {
    const row = body.insertRow();
    row.insertCell().textContent = press;
    row.insertCell().textContent = to;
  }
  const help = () => dialog.showModal();
  document.getElementById("help").addEventListener("click", help);

  // Where a rectangle begins that is chosen by keys.
  let corner = null;
  const middle = () => app.cssSize.map((side) => side / 2);
  const cross = ([x, y]) => {
    const from = marks.cross ?? middle();
    marks.cross = [0, 1].map((axis) => Math.max(0, Math.min(app.cssSize[axis], from[axis] + CROSS * [x, y][axis])));
    if (corner) app.rectangle(corner, marks.cross, false);
    marks.draw();
    app.hover(marks.cross);
  };
  const enter = () => {
    const place = marks.cross ?? middle();
    marks.cross = place;
    if (app.mode !== "rectangle") app.click(place);
    else if (corner) app.rectangle(corner, place, true), (corner = null);
    else corner = place;
    marks.draw();
  };
  const zoom = (factor) => app.setView(zoomed(app.view, factor, app.view.at));
  const turn = ([x, y]) => app.setView(app.firstPerson
    ? looked(app.view, -x * TURN, -y * TURN)
    : orbited(app.view, x * TURN, -y * TURN));

  const actions = {
    "?": help,
    "+": () => zoom(0.87), "=": () => zoom(0.87), "-": () => zoom(1.15),
    0: app.whole,
    f: () => controls.firstPerson(),
    o: app.toggleOrtho,
    m: () => app.setMode("measure"), r: () => app.setMode("rectangle"), p: () => app.setMode("pick"),
    n: () => controls.nextShade(1), N: () => controls.nextShade(-1),
    h: () => controls.heat(),
    x: () => controls.section(),
    c: () => controls.copy(), v: () => controls.save(),
    " ": time.toggle, ".": () => time.step(1), ",": () => time.step(-1),
    Escape: () => { corner = null; app.clear(); },
    Enter: enter,
  };

  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !app.view) return;
    const arrow = ARROWS[event.key];
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!arrow && !action) return;
    event.preventDefault();
    if (!arrow) action();
    else if (event.shiftKey) cross(arrow);
    else turn(arrow);
  });
  // Keys mean the same while a control has the focus from a click; the picture then takes it. Where Tab leads,
  // keys are those of the control, since letters choose in lists, but for the list of keys.
  let isTabbed = false;
  addEventListener("pointerdown", () => (isTabbed = false), true);
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key === "Tab") isTabbed = true;
    if (stage.contains(target) || dialog.open) return;
    if (isTabbed ? key !== "?" : needs(target, key)) return;
    if (stage.dispatchEvent(new KeyboardEvent("keydown", event))) return;
    event.preventDefault();
    if (!isTabbed && !dialog.open) stage.focus({ preventScroll: true });
  });
}

// Returns whether a control that was clicked needs a key: text that is typed, a list that is open, a slider.
function needs(control, key) {
  if (control.matches("select")) return !CSS.supports("selector(:open)") || control.matches(":open");
  if (control.matches("input[type=range]")) return key in ARROWS;
  return control.matches("input:not([type=checkbox], [type=radio]), textarea, [contenteditable]");
}
