// Snapping: a place near a corner or an edge of the triangle that is hit means that corner or edge.

import { project } from "./view.js";
import { add, dot, scale, sub } from "./vector.js";

// How near, in CSS pixels.
const CORNER = 9;
const EDGE = 6;

// Returns the point that a place means and what it is: a corner, an edge or the face. What is hit is told in
// the coordinates of the file, all else relative to the origin.
export function snapped(view, size, place, { hit, corners, ray }, origin) {
  const surface = { point: sub(hit.point, origin), kind: "surface" };
  if (!corners) return surface;
  const apart = (point) => {
    const at = project(view, size, point);
    return at ? Math.hypot(at.x - place[0], at.y - place[1]) : Infinity;
  };
  const nearest = (points) => points
    .map((point) => ({ point, apart: apart(point) }))
    .reduce((a, b) => (b.apart < a.apart ? b : a));
  const corner = nearest(corners);
  if (corner.apart <= CORNER) return { point: corner.point, kind: "corner" };
  const edge = nearest(corners.map((from, i) => closest(from, corners[(i + 1) % 3], ray)));
  if (edge.apart <= EDGE) return { point: edge.point, kind: "edge" };
  return surface;
}

// Returns the point of a segment that is closest to a ray.
function closest(from, to, { origin, dir }) {
  const along = sub(to, from);
  const between = sub(from, origin);
  const [a, b, c] = [dot(along, along), dot(along, dir), dot(dir, dir)];
  const [d, e] = [dot(along, between), dot(dir, between)];
  const size = a * c - b * b;
  const share = size > 0 ? (b * e - c * d) / size : 0;
  return add(from, scale(along, Math.max(0, Math.min(1, share))));
}
