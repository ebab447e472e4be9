// A view: the eye, the point that it looks at, the up direction and the vertical field of view in degrees; or,
// of an orthographic view, `ortho`, the height of what is seen by parallel rays from the plane through the eye.

import { add, cross, distance, dot, f32, length, normalize, rotate, scale, sub } from "./vector.js";

// Returns the directions of a view: right, up and ahead, of length 1.
export function axes(view) {
  const ahead = normalize(sub(view.at, view.eye));
  let right = cross(ahead, view.up);
  if (dot(right, right) < 1e-12) right = cross(ahead, Math.abs(ahead[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1]);
  right = normalize(right);
  return { right, up: cross(right, ahead), ahead };
}

// Returns the height of what is seen at a depth.
export const heightAt = (view, depth) => view.ortho || 2 * depth * Math.tan((view.fov * Math.PI) / 360);

// Returns how long a ray to a point is: from the eye, or from the plane through it.
export const rayLength = (view, point) => (view.ortho
  ? dot(sub(point, view.eye), axes(view).ahead)
  : distance(point, view.eye));

// Returns where a point is in a picture, in pixels, and how far ahead; null for a point behind the eye.
export function project(view, size, point) {
  const { right, up, ahead } = axes(view);
  const offset = sub(point, view.eye);
  const depth = dot(offset, ahead);
  if (!(depth > 1e-6 * distance(view.at, view.eye))) return null;
  const f = size[1] / heightAt(view, depth);
  return { x: size[0] / 2 + f * dot(offset, right), y: size[1] / 2 - f * dot(offset, up), depth };
}

// Returns the point at a distance along the ray through a place of the picture.
export function pointAlong(view, size, x, y, t) {
  const { right, up, ahead } = axes(view);
  const step = heightAt(view, 1) / size[1];
  const across = add(scale(right, (x - size[0] / 2) * step), scale(up, (size[1] / 2 - y) * step));
  if (view.ortho) return add(view.eye, add(across, scale(ahead, t)));
  return add(view.eye, scale(normalize(add(ahead, across)), t));
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
  const step = heightAt(view, distance(view.at, view.eye)) / size[1];
  return moved(view, -dx * step, dy * step, 0);
}

// Returns the view nearer to a point or farther from it by a factor; the point stays where it is. Of an
// orthographic view, the height changes, and the eye stays in its plane.
export function zoomed(view, factor, point) {
  if (view.ortho) {
    const { right, up } = axes(view);
    const offset = scale(sub(point, view.eye), 1 - factor);
    return { ...moved(view, dot(offset, right), dot(offset, up), 0), ortho: view.ortho * factor };
  }
  const near = (p) => add(point, scale(sub(p, point), factor));
  return { ...view, eye: near(view.eye), at: near(view.at) };
}

// Returns the orthographic view that shows the point looked at as large, and a perspective for one. The eye
// keeps so far away that all of a box of this extent around that point is in front of it, unless it is inside.
export function toggled(view, extent, isInside) {
  const { ahead } = axes(view);
  const { ortho, ...others } = view;
  const from = (distance) => sub(view.at, scale(ahead, distance));
  if (ortho) return { ...others, eye: from(ortho / heightAt(others, 1)) };
  const middle = distance(view.at, view.eye);
  const eye = isInside ? view.eye : from(Math.max(middle, extent));
  return { ...view, eye, ortho: heightAt(view, middle) };
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
  const { eye, at, up, fov, ortho = extent } = rounded(view);
  const isFinite = [...eye, ...at, ...up, fov].every(Number.isFinite);
  if (!isFinite || !(length(up) > 0) || !(fov > 0 && fov < 180) || way > 1e4 * extent) return null;
  if (!(ortho > 0 && ortho >= 1e-4 * extent && ortho <= 1e4 * extent)) return null;
  const least = Math.max(1e-5 * extent, 1e-6 * Math.max(...eye.map(Math.abs)));
  if (way >= least) return view;
  return way > 0 ? { ...view, at: add(view.eye, scale(axes(view).ahead, least)) } : null;
}

// Returns the view in the numbers of the server.
export const rounded = ({ eye, at, up, fov, ortho }) => ({
  eye: f32(eye), at: f32(at), up: f32(up), fov: Math.fround(fov), ...(ortho ? { ortho: Math.fround(ortho) } : {}),
});
