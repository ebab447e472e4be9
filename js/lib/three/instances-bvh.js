// Many instances of geometries, as one scene.

import { Matrix4, Vector3 } from "three";
import { Scene } from "../scene.js";
import { CULLS, intersection, localRay } from "./intersection.js";
import { MeshBVH } from "./mesh-bvh.js";

/**
 * The instances of an `InstancedMesh` or a `BatchedMesh` as a scene, so that a ray looks at those alone that it comes near. As
 * the `boundsScene` of its object it is what `acceleratedRaycast` asks. With a list of materials each instance is asked.
 */
export class InstancesBVH {
  /**
   * @param {any} object
   * @param {object} [options] those of the trees, as of {@link MeshBVH}
   */
  constructor(object, options = {}) {
    this.object = object;
    this.options = options;
    /** The tree of each geometry, and the range of corners that it has. @type {{ tree: MeshBVH, range: any }[]} */
    this.trees = [];
    this.refit();
  }

  /**
   * Takes the matrices of the instances as they are now, and which are visible. A geometry keeps its tree as long as its corners
   * keep their places; after it has other ones there, as by `setGeometryAt`, a new `InstancesBVH` is needed.
   */
  refit() {
    const { object, options, trees } = this;
    const scene = new Scene();
    /** @type {number[]} */
    const instances = [];
    try {
      const [matrix, used] = [new Matrix4(), new Set()];
      for (const instance of shownInstances(object)) {
        object.getMatrixAt(instance, matrix);
        const determinant = matrix.determinant();
        // One that is flat, or nowhere, has no inside; three.js hits it with no ray.
        if (!(Math.abs(determinant) > 0 && Number.isFinite(determinant))) continue;
        const geometry = object.isBatchedMesh ? object.getGeometryIdAt(instance) : 0;
        if (!used.has(geometry)) this.#makeTree(geometry, options);
        used.add(geometry);
        // In three.js the sides of an instance that is mirrored stay.
        instances[scene.add(trees[geometry].tree.bvh, matrix, { reversed: determinant < 0 })] = instance;
      }
      const world = scene.commit();
      this.world?.free();
      this.world = world;
      /** The instance of each placement. */
      this.instances = instances;
      trees.forEach(({ tree }, geometry) => {
        if (used.has(geometry)) return;
        tree.bvh.free();
        delete trees[geometry];
      });
    } finally {
      scene.free();
    }
  }

  #makeTree(geometry, options) {
    const { object, trees } = this;
    const range = object.isBatchedMesh ? object.getGeometryRangeAt(geometry) : null;
    const old = trees[geometry];
    if (old && old.range?.start === range?.start && old.range?.count === range?.count) return;
    trees[geometry] = { tree: new MeshBVH(object.geometry, { ...options, range, setBoundingBox: false }), range: range && { ...range } };
    old?.tree.bvh.free();
  }

  /**
   * Adds the hits on the instances, in the world, as `MeshBVH` does for those on a mesh.
   * @param {any} object that of the instances
   * @param {any} raycaster
   * @param {import("three").Intersection[]} [intersects]
   */
  raycastObject3D(object, raycaster, intersects = []) {
    const { material, matrixWorld } = object;
    if (material === undefined) return intersects;
    const { near, far, firstHitOnly } = raycaster;
    const { ray, scale } = localRay(raycaster.ray, matrixWorld);
    const options = { tMin: near / scale, tMax: far / scale, cull: /** @type {any} */ (CULLS[material.side]) };
    const world = /** @type {import("../world.js").World} */ (this.world);
    const found = firstHitOnly ? [world.closestHit(ray.origin, ray.direction, options)] : world.allHits(ray.origin, ray.direction, options);
    for (const hit of found) {
      if (!hit) continue;
      const instance = /** @type {number[]} */ (this.instances)[/** @type {number[]} */ (hit.path)[0]];
      // One may have been deleted since.
      if (isActive(object, instance)) intersects.push(this.#told(hit, instance, ray.at(hit.t, new Vector3()), raycaster));
    }
    return intersects;
  }

  #told(hit, instance, point, raycaster) {
    const { object } = this;
    const geometry = object.isBatchedMesh ? object.getGeometryIdAt(instance) : 0;
    const placed = new Matrix4();
    object.getMatrixAt(instance, placed);
    placed.premultiply(object.matrixWorld);
    const { ray } = localRay(raycaster.ray, placed);
    const t = point.applyMatrix4(object.matrixWorld).applyMatrix4(placed.clone().invert()).distanceTo(ray.origin);
    const found = intersection(object.geometry, ray, { ...hit, t }, this.trees[geometry].tree.faceOf(hit.prim), object.material.side, 0);
    found.point.applyMatrix4(placed);
    found.distance = found.point.distanceTo(raycaster.ray.origin);
    return Object.assign(found, { object, [object.isBatchedMesh ? "batchId" : "instanceId"]: instance });
  }

  /** Gives the memory back. */
  free() {
    this.world?.free();
    for (const made of this.trees) made?.tree.bvh.free();
  }
}

/** Returns the instances that are there and visible. @param {any} object */
export function shownInstances(object) {
  const count = object.isBatchedMesh ? object._instanceInfo.length : object.count;
  const all = Array.from({ length: count }, (_, instance) => instance);
  return object.isBatchedMesh ? all.filter((instance) => isActive(object, instance) && object.getVisibleAt(instance)) : all;
}

const isActive = (object, instance) => !object.isBatchedMesh || Boolean(object._instanceInfo[instance]?.active);
