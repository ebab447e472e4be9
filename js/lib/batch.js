// Questions about many rays or points at once.

import { list, many } from "./many.js";

/**
 * @typedef {object} Rays
 * @property {Float32Array | Float64Array} origins three coordinates for each ray
 * @property {Float32Array | Float64Array} directions
 * @property {number | Float32Array | Float64Array} [tMin] the least parameter that counts, of all rays or of each
 * @property {number | Float32Array | Float64Array} [tMax] the greatest parameter that counts
 */
/**
 * @typedef {object} Spheres
 * @property {Float32Array | Float64Array} centers three coordinates for each sphere
 * @property {Float32Array | Float64Array} velocities what the centers move by in one unit of time
 * @property {number | Float32Array | Float64Array} radius that of all spheres, or of each
 * @property {number | Float32Array | Float64Array} [tMax] the greatest time that counts, of all or of each
 */
/** Three coordinates for each point. @typedef {Float32Array | Float64Array} Points */
/** @typedef {import("./world.js").RayOptions & { maxHits?: number } & import("./run.js").RunOptions} BatchOptions */

/**
 * Questions about many rays or points, which are asked of a {@link World} at once. Numbers are copied to the module and back.
 * Answers are in the order of the items, and the same as those to single questions, to the bit. Where an item has no answer
 * `prim` is {@link NONE}, and only that tells it.
 */
export class Batch {
  /** @param {BatchOptions} [options] those of all questions */
  constructor(options = {}) {
    this.options = options;
  }

  /**
   * Returns the first hits: `t`, `prim`, `u`, `v`, and in scenes `path`.
   * @param {import("./world.js").World} world
   * @param {Rays} rays
   * @param {BatchOptions} [options] beside those of the batch
   */
  closestHits(world, rays, options) {
    return many(world, "closestHits", rays, { ...this.options, ...options });
  }

  /**
   * Returns which rays hit anything: `found`, 1 or 0.
   * @param {import("./world.js").World} world
   * @param {Rays} rays
   * @param {BatchOptions} [options] beside those of the batch
   */
  anyHits(world, rays, options) {
    return many(world, "anyHits", rays, { ...this.options, ...options });
  }

  /**
   * Returns how many triangles rays touch: `count`.
   * @param {import("./world.js").World} world
   * @param {Rays} rays
   * @param {BatchOptions} [options] beside those of the batch
   */
  hitCounts(world, rays, options) {
    return many(world, "hitCounts", rays, { ...this.options, ...options });
  }

  /**
   * Returns how often rays cross the surface: `count`.
   * @param {import("./world.js").World} world
   * @param {Rays} rays
   * @param {BatchOptions} [options] beside those of the batch
   */
  crossingCounts(world, rays, options) {
    return many(world, "crossingCounts", rays, { ...this.options, ...options });
  }

  /**
   * Returns every hit, or the first `maxHits`, in lists.
   * @param {import("./world.js").World} world
   * @param {Rays} rays
   * @param {BatchOptions} [options] beside those of the batch
   */
  allHits(world, rays, options) {
    return list(world, "allHits", rays, { ...this.options, ...options });
  }

  /**
   * Returns the crossings of the surface, in lists.
   * @param {import("./world.js").World} world
   * @param {Rays} rays
   * @param {BatchOptions} [options] beside those of the batch
   */
  crossings(world, rays, options) {
    return list(world, "crossings", rays, { ...this.options, ...options });
  }

  /**
   * Returns the hits at different places, in lists.
   * @param {import("./world.js").World} world
   * @param {Rays} rays
   * @param {BatchOptions} [options] beside those of the batch
   */
  distinctHits(world, rays, options) {
    return list(world, "distinctHits", rays, { ...this.options, ...options });
  }

  /**
   * Returns the closest points: `distance`, `prim`, `u`, `v`, `x`, `y`, `z`, `feature` (0 to 2 for a corner, 3 to
   * 5 for an edge, 6 for the face), and in scenes `path`.
   * @param {import("./world.js").World} world
   * @param {Points} points
   * @param {import("./run.js").RunOptions & { maxDistance?: number }} [options]
   */
  closestPoints(world, points, options) {
    return many(world, "closestPoints", points, { ...this.options, ...options });
  }

  /**
   * Returns the distances from the surface, infinite where there is none: `distance`.
   * @param {import("./world.js").World} world
   * @param {Points} points
   * @param {import("./run.js").RunOptions & {}} [options]
   */
  distances(world, points, options) {
    return many(world, "distances", points, { ...this.options, ...options });
  }

  /**
   * Returns which points are inside or on the surface: `found`, 1 or 0.
   * @param {import("./world.js").World} world
   * @param {Points} points
   * @param {import("./run.js").RunOptions & import("./world.js").SideOptions} [options]
   */
  contains(world, points, options) {
    return many(world, "contains", points, { ...this.options, ...options });
  }

  /**
   * Returns the distances, negative inside: `signed`, `inside`.
   * @param {import("./world.js").World} world
   * @param {Points} points
   * @param {import("./run.js").RunOptions & import("./world.js").SideOptions} [options]
   */
  signedDistances(world, points, options) {
    return many(world, "signedDistances", points, { ...this.options, ...options });
  }

  /**
   * Returns how often the surface winds around points: `number`, `on_surface`.
   * @param {import("./world.js").World} world
   * @param {Points} points
   * @param {import("./run.js").RunOptions & {}} [options]
   */
  windingNumbers(world, points, options) {
    return many(world, "windingNumbers", points, { ...this.options, ...options });
  }

  /**
   * Returns estimates of that for any mesh: `value`, `error`.
   * @param {import("./world.js").World} world
   * @param {Points} points
   * @param {import("./run.js").RunOptions & {}} [options]
   */
  windingEstimates(world, points, options) {
    return many(world, "windingEstimates", points, { ...this.options, ...options });
  }

  /**
   * Returns the triangles within `maxDistance`, in lists.
   * @param {import("./world.js").World} world
   * @param {Points} points
   * @param {import("./run.js").RunOptions & { maxDistance: number }} [options]
   */
  within(world, points, options) {
    return list(world, "within", points, { ...this.options, ...options });
  }

  /**
   * Returns the `maxTriangles` closest triangles, in lists.
   * @param {import("./world.js").World} world
   * @param {Points} points
   * @param {import("./run.js").RunOptions & { maxTriangles: number }} [options]
   */
  closestTriangles(world, points, options) {
    return list(world, "closestTriangles", points, { ...this.options, ...options });
  }

  /**
   * Returns the first contacts of moving spheres: `t`, `prim`, `x`, `y`, `z` of the point that is touched then, `feature` as for
   * closest points, and `is_touching_at_start`, 1 or 0. For trees.
   * @param {import("./world.js").World} world
   * @param {Spheres} spheres
   * @param {import("./run.js").RunOptions} [options]
   */
  firstContacts(world, spheres, options) {
    return many(world, "firstContacts", spheres, { ...this.options, ...options });
  }
}
