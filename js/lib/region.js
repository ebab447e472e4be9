// Regions of space.

import { REGION } from "./structs.js";
import { three } from "./vector.js";

/** @typedef {import("./types.js").Vector} Vector */
/**
 * A closed set of points: one of these.
 * @typedef {{ box: { min: Vector, max: Vector } } | { ball: { center: Vector, radius: number } } |
 *   { plane: { normal: Vector, point: Vector } } | { triangle: [Vector, Vector, Vector] }} Region
 */

/** The points of each kind of region, in the order of estoc.h. @type {[string, (of: any) => any[]][]} */
const KINDS = [
  ["box", ({ min, max }) => [min, max]],
  ["ball", ({ center }) => [center]],
  ["plane", ({ point, normal }) => [point, normal]],
  ["triangle", (corners) => corners],
];

/**
 * Writes a region.
 * @param {any} arena
 * @param {any} region
 */
export function region(arena, region) {
  const kind = KINDS.findIndex(([name]) => region[name] !== undefined);
  if (kind < 0) throw new TypeError("a region is { box }, { ball }, { plane } or { triangle }");
  const [name, points] = KINDS[kind];
  const of = region[name];
  const values = { kind: kind + 1, radius: of.radius ?? 0 };
  points(of).forEach((point, row) => {
    three(point).forEach((x, axis) => {
      values[`points.${3 * row + axis}`] = x;
    });
  });
  return arena.struct(REGION, values);
}
