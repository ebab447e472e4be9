// What answers questions: trees and scenes.

import { EstocError } from "./library.js";
import { Handle, Made } from "./handle.js";
import { list, many, one } from "./many.js";
import { region } from "./region.js";
import { run } from "./run.js";
import {
  CLOSEST, CULLS, LEAST_DISTANCE, NONE, POINT_OPTIONS, POLYLINE, RAY_OPTIONS, RULES, TRIANGLE, WORLD_INFO, constant,
} from "./structs.js";
import { put, three } from "./vector.js";

/** Three numbers, as an array or as an object such as a vector of three.js. @typedef {import("./types.js").Vector} Vector */

/**
 * @typedef {object} RayOptions
 * @property {number} [tMin] the least parameter that counts, 0 without it; parameters are in lengths of the direction
 * @property {number} [tMax] the greatest parameter that counts
 * @property {import("./structs.js").Cull} [cull] which side of triangles is not hit
 * @property {boolean} [openEnds] leaves out hits exactly at `tMin` and `tMax`
 * @property {number} [mask] the groups of triangles that the ray sees: those with which it shares a bit; all without it,
 *   and none with 0
 * @property {number | Triangle} [skip] a triangle that is not hit, such as that which the ray leaves
 * @property {number | Triangle} [after] the triangle behind whose hit the ray continues
 * @property {(hit: Hit) => boolean} [filter] decides which hits count
 */

/**
 * A triangle of a scene.
 * @typedef {object} Triangle
 * @property {number} prim its number in its mesh
 * @property {ArrayLike<number>} [path] the numbers of the placements that lead to the mesh, in scenes
 */

/**
 * A hit.
 * @typedef {object} Hit
 * @property {number} t the parameter along the ray, in lengths of the direction
 * @property {number} prim the number of the triangle in its mesh
 * @property {number} u the weight of its second corner
 * @property {number} v the weight of its third corner
 * @property {number[]} [path] the numbers of the placements that lead to the mesh, in scenes
 */

/**
 * @typedef {object} NearOptions
 * @property {number} [maxDistance] the largest distance that counts, rounded to a float but at meshes in doubles
 */
/**
 * The closest point of a triangle.
 * @typedef {object} Closest
 * @property {number} distance
 * @property {number[]} point
 * @property {number} prim the number of the triangle in its mesh
 * @property {number} u the weight of its second corner
 * @property {number} v the weight of its third corner
 * @property {string} feature the part of the triangle: `"face"`, or a side as `"edge 0"` or a corner as `"vertex 2"`
 * @property {number[]} [path] the numbers of the placements that lead to the mesh, in scenes
 */
/** @typedef {{ rule?: import("./structs.js").Rule }} SideOptions */

const POINT = new Float64Array(3);
const FEATURES = ["vertex 0", "vertex 1", "vertex 2", "edge 0", "edge 1", "edge 2", "face"];

/** Triangles that questions are asked about: a {@link Bvh}, or what {@link Scene.commit} returns. */
export class World extends Handle {
  /** @param {Made} made */
  constructor(made) {
    super(made.library, made.handle);
    const info = made.library.with((arena) => {
      const at = arena.struct(WORLD_INFO, {});
      made.library.ask("estoc_world_get_info", made.handle, at);
      return WORLD_INFO.read(made.library.view(), at);
    });
    /** The number of triangles, placed ones as often as they are placed. @readonly */
    this.triangleCount = Number(info.triangles);
    /** The type of the coordinates. @readonly @type {import("./structs.js").Precision} */
    this.precision = info.precision === 2 ? "f64" : "f32";
    /** The most placements that lead to a triangle: 0 for a tree. @readonly */
    this.depth = Number(info.depth);
  }

  /**
   * Returns the first hit on a ray; of hits at exactly the same place that on the triangle with the lowest number.
   * @param {Vector} origin
   * @param {Vector} direction of any length
   * @param {RayOptions} [options]
   * @returns {Hit | null}
   */
  closestHit(origin, direction, options) {
    const { library } = this;
    const ray = this.#ray(origin, direction, options);
    this.#one("estoc_closest_hit", ray, options);
    return this.hitAt(ray + 64);
  }

  /**
   * Returns whether a ray hits anything.
   * @param {Vector} origin
   * @param {Vector} direction
   * @param {RayOptions} [options]
   */
  anyHit(origin, direction, options) {
    const { library } = this;
    const ray = this.#ray(origin, direction, options);
    this.#one("estoc_any_hit", ray, options);
    library.view();
    return library.words[(ray + 64) >>> 2] === 1;
  }

  /** Asks about a ray. Options that are numbers alone have their place behind its answer. */
  #one(name, ray, options) {
    const { library } = this;
    if (options === undefined) {
      library.ask(name, this.handle, ray, 0, ray + 64);
      return;
    }
    const { cull, openEnds, mask, skip, after, filter } = options;
    if (filter || mask === 0 || (skip ?? after ?? null) !== null) {
      library.with((arena) => library.ask(name, this.handle, ray, rayOptions(this, arena, options), ray + 64));
      return;
    }
    const at = ray + 128;
    const view = library.view();
    view.setInt32(at + RAY_OPTIONS.at.cull, constant(CULLS, cull, "cull"), true);
    view.setInt32(at + RAY_OPTIONS.at.open_ends, openEnds ? 1 : 0, true);
    view.setUint32(at + RAY_OPTIONS.at.mask, mask ?? 0, true);
    library.ask(name, this.handle, ray, at, ray + 64);
  }

  /** Writes a ray. */
  #ray(origin, direction, options) {
    const { library } = this;
    library.view();
    const at = library.scratch >>> 3;
    const { doubles } = library;
    put(doubles, at, origin);
    put(doubles, at + 3, direction);
    doubles[at + 6] = options?.tMin ?? 0;
    doubles[at + 7] = options?.tMax ?? Infinity;
    return library.scratch;
  }

  /** Reads a hit. @internal @param {number} start */
  hitAt(start) {
    const { library, depth } = this;
    library.view();
    const { doubles, words } = library;
    const [at, word] = [start >>> 3, start >>> 2];
    const prim = words[word + 6];
    if (prim === NONE) return null;
    /** @type {Hit} */
    const hit = { t: doubles[at], prim, u: doubles[at + 1], v: doubles[at + 2] };
    if (depth > 0) hit.path = Array.from(words.subarray(word + 8, word + 8 + words[word + 7]));
    return hit;
  }

  /**
   * Returns every hit on a ray in order, or the first `maxHits`.
   * @param {Vector} origin
   * @param {Vector} direction
   * @param {RayOptions & { maxHits?: number }} [options]
   * @returns {Hit[]}
   */
  allHits(origin, direction, options) {
    return this.#hits("allHits", origin, direction, options);
  }

  /**
   * Returns the hits at different places: of those at exactly the same one that on the triangle with the lowest number.
   * @param {Vector} origin
   * @param {Vector} direction
   * @param {RayOptions} [options]
   * @returns {Hit[]}
   */
  distinctHits(origin, direction, options) {
    return this.#hits("distinctHits", origin, direction, options);
  }

  /**
   * Returns where a ray crosses the surface: once at an edge that triangles share, and not where it only grazes.
   * @param {Vector} origin
   * @param {Vector} direction
   * @param {RayOptions} [options]
   * @returns {Hit[]}
   */
  crossings(origin, direction, options) {
    return this.#hits("crossings", origin, direction, options);
  }

  #hits(question, origin, direction, options) {
    return rows(list(this, question, oneRay(origin, direction), options ?? {}));
  }

  /**
   * Returns the number of triangles that a ray touches.
   * @param {Vector} origin
   * @param {Vector} direction
   * @param {RayOptions} [options]
   */
  hitCount(origin, direction, options) {
    return Number(many(this, "hitCounts", oneRay(origin, direction), options ?? {}).count[0]);
  }

  /**
   * Returns how often a ray crosses the surface.
   * @param {Vector} origin
   * @param {Vector} direction
   * @param {RayOptions} [options]
   */
  crossingCount(origin, direction, options) {
    return Number(many(this, "crossingCounts", oneRay(origin, direction), options ?? {}).count[0]);
  }

  /**
   * Returns the closest point of the surface; `null` if there is none, or none within `maxDistance`.
   * @param {Vector} point
   * @param {NearOptions} [options]
   * @returns {Closest | null}
   */
  closestPoint(point, options) {
    const { library, depth } = this;
    put(POINT, 0, point);
    library.ask("estoc_closest_point", this.handle, POINT[0], POINT[1], POINT[2], options?.maxDistance ?? Infinity, library.scratch);
    library.view();
    const { doubles, words } = library;
    const [at, triangle] = [library.scratch >>> 3, (library.scratch + CLOSEST.at["triangle.prim"]) >>> 2];
    const prim = words[triangle];
    if (prim === NONE) return null;
    const found = {
      distance: doubles[at],
      point: [doubles[at + 1], doubles[at + 2], doubles[at + 3]],
      prim,
      u: doubles[at + 4],
      v: doubles[at + 5],
      feature: FEATURES[words[(library.scratch + CLOSEST.at.feature) >>> 2]],
    };
    return depth > 0 ? { ...found, path: Array.from(words.subarray(triangle + 2, triangle + 2 + words[triangle + 1])) } : found;
  }

  /**
   * Returns the distance from the surface; infinite where there is none.
   * @param {Vector} point
   */
  distance(point) {
    return this.closestPoint(point)?.distance ?? Infinity;
  }

  /**
   * Returns the closest points of the `count` closest triangles.
   * @param {Vector} point
   * @param {number} count
   */
  closestTriangles(point, count) {
    const found = list(this, "closestTriangles", onePoint(point), { maxTriangles: count });
    return Array.from(found.prim, (_, at) => {
      const numbers = Object.entries(found).map(([name, column]) => [name, name === "path" ? pathAt(found, at) : column[at]]);
      return closest(Object.fromEntries(numbers));
    });
  }

  /**
   * Returns the triangles that are not farther than `radius`, by number. It is rounded as `maxDistance` is.
   * @param {Vector} point
   * @param {number} radius
   * @returns {Uint32Array}
   */
  within(point, radius) {
    return /** @type {any} */ (list(this, "within", onePoint(point), { maxDistance: radius }).prim);
  }

  /**
   * Returns when a sphere that moves by `velocity` in one unit of time first touches the surface, and where; `null` if it does
   * not. For trees.
   * @param {Vector} center
   * @param {Vector} velocity
   * @param {number} radius
   * @param {{ tMax?: number }} [options]
   */
  firstContact(center, velocity, radius, { tMax } = {}) {
    const sphere = { centers: three(center), velocities: three(velocity), radius, tMax };
    const { t, prim, x, y, z, feature, is_touching_at_start } = many(this, "firstContacts", sphere, {});
    if (prim[0] === NONE) return null;
    const isTouchingAtStart = is_touching_at_start[0] === 1;
    return { t: t[0], prim: prim[0], point: [x[0], y[0], z[0]], feature: FEATURES[feature[0]], isTouchingAtStart };
  }

  /**
   * Returns whether a point is inside or on the surface, which must be closed.
   * @param {Vector} point
   * @param {SideOptions} [options]
   */
  contains(point, options) {
    return one(this, "contains", point, options).found === 1;
  }

  /**
   * Returns the distance from the surface, negative inside. For trees.
   * @param {Vector} point
   * @param {SideOptions} [options]
   */
  signedDistance(point, options) {
    return one(this, "signedDistances", point, options).signed;
  }

  /**
   * Returns how often a closed surface winds around a point; `null` for a point on it. For trees.
   * @param {Vector} point
   */
  windingNumber(point) {
    const found = one(this, "windingNumbers", point);
    return found.on_surface === 0 ? found.number : null;
  }

  /**
   * Returns an estimate of the winding number of any mesh, and the bound of its error. For trees.
   * @param {Vector} point
   */
  windingEstimate(point) {
    const { value, error } = one(this, "windingEstimates", point);
    return { value, error };
  }

  /**
   * Returns the triangles that have a point in a box, a ball, a plane or a triangle, by number. For trees.
   * @param {import("./region.js").Region} of
   */
  overlaps(of) {
    /** @type {number[]} */
    const found = [];
    this.visitOverlaps(of, (prim) => void found.push(prim));
    return Uint32Array.from(found);
  }

  /**
   * Calls a function with each triangle that has a point in a region, until it returns `false`.
   * @param {import("./region.js").Region} of
   * @param {(prim: number) => boolean | void} visit
   */
  visitOverlaps(of, visit) {
    const { library } = this;
    const told = (prim) => visit(prim >>> 0);
    library.with((arena) => library.ask("estoc_overlaps", this.handle, region(arena, of), ...library.callback(2, told)));
  }

  /**
   * Returns the lines in which a plane cuts the surface. For trees.
   * @param {{ plane: { normal: Vector, point: Vector } }} of
   */
  section(of) {
    const { library } = this;
    /** @type {{ points: Float64Array, prims: Uint32Array, isClosed: boolean, isHole: boolean, area: number }[]} */
    const lines = [];
    const visit = (at) => {
      const view = library.view();
      const line = POLYLINE.read(view, at >>> 0);
      const [count, points, prims] = [line.count, line.points, line.prims].map(Number);
      const { buffer } = library.memory;
      lines.push({
        points: new Float64Array(buffer, points, 3 * count).slice(),
        prims: new Uint32Array(buffer, prims, count).slice(),
        isClosed: line.is_closed === 1,
        isHole: line.is_hole === 1,
        area: Number(line.area),
      });
    };
    library.with((arena) => library.ask("estoc_section", this.handle, region(arena, of), ...library.callback(2, visit)));
    return lines;
  }

  /**
   * Calls a function with each pair of triangles of this tree, or of this one and another, that intersect, until it
   * returns `false`.
   * @param {(first: number, second: number, kind: "crossing" | "overlap" | "touching") => boolean | void} visit
   * @param {World} [other]
   * @param {import("./run.js").RunOptions} [options]
   */
  visitIntersections(visit, other, options = {}) {
    const { library } = this;
    const told = (first, second, common) => visit(first >>> 0, second >>> 0, /** @type {any} */ (COMMON[common]));
    library.with((arena) => {
      const given = [this.handle, other ? other.of(library) : 0, run(arena, options)];
      library.ask("estoc_intersections", ...given, ...library.callback(3, told));
    });
  }

  /**
   * Returns the least distance between the triangles of this tree and another one, and where they are that near; `null` if
   * one has no triangle with area.
   * @param {World} other of a mesh with the same precision
   */
  leastDistance(other) {
    const { library } = this;
    return library.with((arena) => {
      const at = arena.struct(LEAST_DISTANCE, {});
      library.ask("estoc_find_least_distance", this.handle, other.of(library), 0, at);
      const found = LEAST_DISTANCE.read(library.view(), at);
      if (found["prims.0"] === NONE) return null;
      const side = (of) => ({
        prim: Number(found[`prims.${of}`]),
        point: [0, 1, 2].map((axis) => Number(found[`points.${3 * of + axis}`])),
        feature: FEATURES[Number(found[`features.${of}`])],
      });
      return { distance: Number(found.distance), sides: [side(0), side(1)] };
    });
  }
}

const COMMON = ["", "crossing", "overlap", "touching"];

function closest({ distance, prim, u, v, x, y, z, feature, path }) {
  /** @type {Closest} */
  const point = { distance, point: [x, y, z], prim, u, v, feature: FEATURES[feature] };
  if (path) point.path = pathOf(path);
  return point;
}

/** Returns the hits of lists of one ray. @param {Record<string, any>} found */
function rows(found) {
  return Array.from(found.prim, (prim, at) => {
    const hit = { t: found.t[at], prim, u: found.u[at], v: found.v[at] };
    return found.path ? { ...hit, path: pathOf(pathAt(found, at)) } : hit;
  });
}

/** @param {Record<string, any>} found */
function pathAt({ path, prim }, at) {
  const depth = path.length / prim.length;
  return path.subarray(at * depth, (at + 1) * depth);
}

const pathOf = (path) => Array.from(path).filter((number) => number !== NONE);

const oneRay = (origin, direction) => ({ origins: three(origin), directions: three(direction) });
const onePoint = three;

/** Writes the options of rays. @param {any} options */
export function rayOptions(world, arena, options) {
  const { library } = arena;
  const values = {
    cull: constant(CULLS, options.cull, "cull"),
    open_ends: Number(Boolean(options.openEnds)),
    mask: options.mask ?? 0,
    max_hits: options.maxHits ?? 0,
    skip: triangleAt(arena, options.skip),
    after: triangleAt(arena, options.after),
  };
  if ((options.mask ?? 1) >>> 0 === 0) {
    // In C this is all groups as the mask of all rays, and none as that of each.
    Object.assign(values, { "mask_each.data": arena.copy(Uint32Array.of(0)), "mask_each.stride": 0, "mask_each.type": 6 });
  }
  if (options.filter) {
    const accept = (_, hit) => Boolean(options.filter(world.hitAt(hit)));
    [values.filter, values.user] = library.callback(1, accept);
  }
  return arena.struct(RAY_OPTIONS, values);
}

function triangleAt(arena, triangle) {
  if (triangle === undefined || triangle === null) return 0;
  const { prim, path = [] } = typeof triangle === "number" ? { prim: triangle } : triangle;
  if (path.length > 8) throw new EstocError("ESTOC_BAD_ARGUMENT", "a path has at most 8 placements");
  const values = { prim, depth: path.length };
  for (let i = 0; i < path.length; i += 1) values[`path.${i}`] = path[i];
  return arena.struct(TRIANGLE, values);
}

/** Writes the options of points. */
export function pointOptions(arena, { rule, maxDistance, maxTriangles = 0 }) {
  return arena.struct(POINT_OPTIONS, {
    rule: constant(RULES, rule, "rule"),
    max_distance: maxDistance === undefined ? 0 : arena.copy(Float64Array.of(maxDistance)),
    max_triangles: maxTriangles,
  });
}
