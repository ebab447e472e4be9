// The structs of estoc.h, and its constants by the names that they have in JavaScript.

import { Struct } from "./library.js";

const column = new Struct("data:u32 stride:i32 type:i32");
const vectors = new Struct("x:u32 y:u32 z:u32 stride:i32 type:i32");
const triangle = new Struct("prim:u32 depth:u32 path:u32*8");
const parts = { column, vectors, triangle };

export const MESH_ARRAYS = new Struct("vertices:u32 positions:vectors triangles:u32 indices:column", parts);
export const MESH_OPTIONS = new Struct(
  "precision:i32 skip_bad_faces:i32 frame:i32 origin:f64*3 weld:i32 weld_distance:f64",
);
export const MESH_INFO = new Struct(
  "vertices:u32 positions:vectors triangles:u32 indices:u32 origin:f64*3 min:f64*3 max:f64*3",
  parts,
);
export const RUN = new Struct("threads:u32 max_values:u64 progress:u32 user:u32");
export const BUILD = new Struct("quality:i32 memory_budget:u32 masks:column", parts);
export const WORLD_INFO = new Struct("triangles:u64 precision:i32 depth:u32 origin:f64*3");
export const RAYS = new Struct("count:u32 origin:vectors dir:vectors t_min:column t_max:column", parts);
export const RAY_OPTIONS = new Struct(
  "cull:i32 open_ends:i32 mask:u32 max_hits:u32 skip:u32 after:u32 skip_each:u32 skip_stride:i32 after_each:u32 " +
    "after_stride:i32 mask_each:column filter:u32 user:u32",
  parts,
);
export const TRIANGLE = triangle;
export const HIT = new Struct("t:f64 u:f64 v:f64 triangle:triangle", parts);
export const CLOSEST = new Struct("distance:f64 point:f64*3 u:f64 v:f64 triangle:triangle feature:u32", parts);
export const POINTS = new Struct("count:u32 position:vectors", parts);
export const SPHERES = new Struct("count:u32 center:vectors velocity:vectors radius:column t_max:column", parts);
export const POINT_OPTIONS = new Struct("rule:i32 max_distance:u32 max_triangles:u32");
export const OUTPUT = new Struct("name:u32 data:u32 stride:i32 type:i32");
export const COLUMN = column;
export const REGION = new Struct("kind:i32 points:f64*9 radius:f64");
export const POLYLINE = new Struct("points:u32 prims:u32 count:u32 is_closed:i32 is_hole:i32 area:f64");
export const CHILD = new Struct("min:f64*3 max:f64*3 node:u32 count:u32 prims:u32*8");
export const LEAST_DISTANCE = new Struct("distance:f64 points:f64*6 prims:u32*2 features:u32*2");
export const PLACEMENT = new Struct("matrix:f64*12 mask:u32 reversed:i32");
/** Of the module, not of estoc.h. */
export const ASKED = new Struct("question:i32 rays:u32 options:u32 outputs:u32 output_count:u32");

/** No triangle. */
export const NONE = 0xffffffff;

/** The typed arrays that hold numbers, by their types from 1 on. */
export const ARRAYS = [
  Float32Array, Float64Array, Uint8Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array,
];

/** The types of numbers, by the typed arrays that hold them. @type {Map<Function, number>} */
export const TYPES = new Map([...ARRAYS.entries()].map(([at, Numbers]) => [Numbers, at + 1]));
TYPES.set(Uint8ClampedArray, 3);

/** @typedef {"f32" | "f64"} Precision */
export const PRECISIONS = { f32: 1, f64: 2 };
/** @typedef {"none" | "auto"} Automatic */
export const FRAMES = { none: 0, auto: 1 };
export const WELDS = { none: 0, auto: 1 };
/** @typedef {"balanced" | "fast" | "best"} Quality */
export const QUALITIES = { balanced: 0, fast: 1, best: 2 };
/** Which side of triangles is not hit. @typedef {"none" | "back" | "front"} Cull */
export const CULLS = { none: 0, back: 1, front: 2 };
/** What decides whether a point is inside. @typedef {"parity" | "winding" | "estimate"} Rule */
export const RULES = { parity: 0, winding: 1, estimate: 2 };

/**
 * Returns the number of a named constant.
 * @param {Record<string, number>} constants
 * @param {string | undefined} name the first one's without it
 * @param {string} what
 */
export function constant(constants, name, what) {
  if (name === undefined) return Object.values(constants)[0];
  const found = constants[name];
  if (found === undefined) throw new TypeError(`${what} is ${name}, not one of ${Object.keys(constants).join(", ")}`);
  return found;
}
