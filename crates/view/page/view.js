// A view: the eye, the point that it looks at, the up direction and the vertical field of view in degrees.

import { add, cross, distance, dot, f32, length, normalize, rotate, scale, sub } from "./vector.js";

// Returns the directions of a view: right, up and ahead, of length 1.
export function axes(view) {
  const ahead = normalize(sub(view.at, view.eye));
  let right = cross(ahead, view.up);
  if (dot(right, right) < 1e-12) right = cross(ahead, Math.abs(ahead[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1]);
  right = normalize(right);
  return { right, up: cross(right, ahead), ahead };
}

// Returns the pixels from the middle of the picture for a slope of 1.
const focus = (view, size) => size[1] / 2 / Math.tan((view.fov * Math.PI) / 360);

// Returns where a point is in a picture, in pixels, and how far ahead; null for a point behind the eye.
export function project(view, size, point) {
  const { right, up, ahead } = axes(view);
  const offset = sub(point, view.eye);
  const depth = dot(offset, ahead);
  if (!(depth > 1e-6 * distance(view.at, view.eye))) return null;
  const f = focus(view, size) / depth;
  return { x: size[0] / 2 + f * dot(offset, right), y: size[1] / 2 - f * dot(offset, up), depth };
}

// Returns the direction of the ray through a place of the picture, of length 1.
export function direction(view, size, x, y) {
  const { right, up, ahead } = axes(view);
  const f = focus(view, size);
  return normalize(add(ahead, add(scale(right, (x - size[0] / 2) / f), scale(up, (size[1] / 2 - y) / f))));
}

// Returns the view with the eye on another place of the sphere around the point that it looks at. It stops
// before the poles.
export function orbited(view, turn, rise) {
  const up = normalize(view.up);
  const offset = sub(view.eye, view.at);
  return { ...view, eye: add(view.at, turned(offset, up, turn, rise)) };
}

// Returns the view turned about the eye.
export function looked(view, turn, rise) {
  const up = normalize(view.up);
  const offset = sub(view.at, view.eye);
  return { ...view, at: add(view.eye, turned(offset, up, turn, -rise)) };
}

function turned(offset, up, turn, rise) {
  const level = rotate(offset, up, turn);
  const side = normalize(cross(up, level));
  if (dot(side, side) < 0.5) return level;
  const height = Math.acos(Math.max(-1, Math.min(1, dot(normalize(level), up))));
  const least = 0.01;
  const angle = Math.max(least, Math.min(Math.PI - least, height - rise)) - height;
  return rotate(level, side, angle);
}

// Returns the view moved by distances to the right, up and ahead.
export function moved(view, x, y, z) {
  const { right, up, ahead } = axes(view);
  const by = add(scale(right, x), add(scale(up, y), scale(ahead, z)));
  return { ...view, eye: add(view.eye, by), at: add(view.at, by) };
}

// Returns the view moved so that the point at the middle depth under one place comes under another.
export function panned(view, size, dx, dy) {
  const step = distance(view.at, view.eye) / focus(view, size);
  return moved(view, -dx * step, dy * step, 0);
}

// Returns the view nearer to a point or farther from it by a factor; the point stays where it is.
export function zoomed(view, factor, point) {
  const near = (p) => add(point, scale(sub(p, point), factor));
  return { ...view, eye: near(view.eye), at: near(view.at) };
}

// Returns the view far enough for a narrower picture than the one that it was chosen for.
export function fitted(view, aspect) {
  const chosen = 4 / 3;
  if (aspect >= chosen) return view;
  const half = Math.tan((view.fov * Math.PI) / 360) * Math.min(chosen / aspect, 3);
  return { ...view, fov: (Math.atan(half) * 360) / Math.PI };
}

// Returns a view that the server can show, as near to another as possible: the eye keeps a distance from the
// point that it looks at, of which the box around everything is the measure. Null if there is none.
export function usable(view, extent) {
  const way = distance(view.at, view.eye);
  const { eye, at, up, fov } = rounded(view);
  const isFinite = [...eye, ...at, ...up, fov].every(Number.isFinite);
  if (!isFinite || !(length(up) > 0) || !(fov > 0 && fov < 180) || way > 1e4 * extent) return null;
  const least = Math.max(1e-5 * extent, 1e-6 * Math.max(...eye.map(Math.abs)));
  if (way >= least) return view;
  return way > 0 ? { ...view, at: add(view.eye, scale(axes(view).ahead, least)) } : null;
}

// Returns the view in the numbers of the server.
export const rounded = (view) => ({
  eye: f32(view.eye), at: f32(view.at), up: f32(view.up), fov: Math.fround(view.fov),
});
