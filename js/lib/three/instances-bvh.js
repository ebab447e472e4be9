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
    /** The tree of each geometry. @type {MeshBVH[]} */
    this.trees = [];
    this.refit();
  }

  /** Takes the matrices of the instances as they are now, and which are visible. Geometries keep their trees. */
  refit() {
    const { object, options } = this;
    this.world?.free();
    const scene = new Scene();
    /** @type {number[]} */
    const instances = [];
    const count = object.isBatchedMesh ? object._instanceInfo.length : object.count;
    const matrix = new Matrix4();
    for (let instance = 0; instance < count; instance += 1) {
      const isShown = !object.isBatchedMesh || (object._instanceInfo[instance].active && object.getVisibleAt(instance));
      if (!isShown) continue;
      object.getMatrixAt(instance, matrix);
      const determinant = matrix.determinant();
      // One that is flat, or nowhere, has no inside; three.js hits it with no ray.
      if (!(Math.abs(determinant) > 0 && Number.isFinite(determinant))) continue;
      const geometry = object.isBatchedMesh ? object.getGeometryIdAt(instance) : 0;
      const range = object.isBatchedMesh ? object.getGeometryRangeAt(geometry) : undefined;
      this.trees[geometry] ??= new MeshBVH(object.geometry, { ...options, range, setBoundingBox: false });
      // In three.js the sides of an instance that is mirrored stay.
      instances[scene.add(this.trees[geometry].bvh, matrix, { reversed: determinant < 0 })] = instance;
    }
    this.world = scene.commit();
    /** The instance of each placement. */
    this.instances = instances;
    scene.free();
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
    for (const hit of found) if (hit) intersects.push(this.#told(hit, ray.at(hit.t, new Vector3()), raycaster));
    return intersects;
  }

  #told(hit, point, raycaster) {
    const { object } = this;
    const instance = /** @type {number[]} */ (this.instances)[hit.path[0]];
    const geometry = object.isBatchedMesh ? object.getGeometryIdAt(instance) : 0;
    const placed = new Matrix4();
    object.getMatrixAt(instance, placed);
    placed.premultiply(object.matrixWorld);
    const { ray } = localRay(raycaster.ray, placed);
    const t = point.applyMatrix4(object.matrixWorld).applyMatrix4(placed.clone().invert()).distanceTo(ray.origin);
    const found = intersection(object.geometry, ray, { ...hit, t }, this.trees[geometry].faceOf(hit.prim), object.material.side, 0);
    found.point.applyMatrix4(placed);
    found.distance = found.point.distanceTo(raycaster.ray.origin);
    return Object.assign(found, { object, [object.isBatchedMesh ? "batchId" : "instanceId"]: instance });
  }

  /** Gives the memory back. */
  free() {
    this.world?.free();
    for (const tree of this.trees) tree?.bvh.free();
  }
}
