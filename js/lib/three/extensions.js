// Functions that the classes of three.js take as methods.

import { BatchedMesh, InstancedMesh, Matrix4, Mesh } from "three";
import { shownInstances } from "./instances-bvh.js";
import { MeshBVH } from "./mesh-bvh.js";

const RAYCASTS = {
  mesh: Mesh.prototype.raycast,
  instanced: InstancedMesh.prototype.raycast,
  batched: BatchedMesh.prototype.raycast,
};

/**
 * `raycast` of objects whose geometry has a `boundsTree`; of others that of three.js. Instances with a `boundsScene`, see
 * {@link InstancesBVH}, are looked for in that. `THREE.Mesh.prototype.raycast = acceleratedRaycast`, and as well for
 * `InstancedMesh` and `BatchedMesh`.
 * @this {any}
 * @param {import("three").Raycaster} raycaster
 * @param {import("three").Intersection[]} intersects
 */
export function acceleratedRaycast(raycaster, intersects) {
  if (this.boundsScene && !Array.isArray(this.material)) {
    this.boundsScene.raycastObject3D(this, raycaster, intersects);
    return;
  }
  if (this.isInstancedMesh) {
    RAYCASTS.instanced.call(this, raycaster, intersects);
    return;
  }
  if (!this.isBatchedMesh) {
    const { boundsTree } = this.geometry;
    if (boundsTree) boundsTree.raycastObject3D(this, raycaster, intersects);
    else RAYCASTS.mesh.call(this, raycaster, intersects);
    return;
  }
  const { boundsTrees } = this;
  const shown = shownInstances(this);
  if (!boundsTrees || shown.some((id) => !boundsTrees[this.getGeometryIdAt(id)])) {
    RAYCASTS.batched.call(this, raycaster, intersects);
    return;
  }
  for (const batchId of shown) {
    const matrixWorld = this.getMatrixAt(batchId, new Matrix4()).premultiply(this.matrixWorld);
    const found = boundsTrees[this.getGeometryIdAt(batchId)].raycastObject3D({ material: this.material, matrixWorld }, raycaster, []);
    for (const hit of found) intersects.push({ ...hit, object: this, batchId });
  }
}

/**
 * Builds the tree of a geometry: `THREE.BufferGeometry.prototype.computeBoundsTree = computeBoundsTree`.
 * @this {any}
 * @param {object} [options]
 */
export function computeBoundsTree(options) {
  const made = new MeshBVH(this, options);
  this.boundsTree?.bvh?.free();
  this.boundsTree = made;
  return this.boundsTree;
}

/**
 * Frees the tree of a geometry.
 * @this {any}
 */
export function disposeBoundsTree() {
  this.boundsTree?.bvh.free();
  this.boundsTree = null;
}

/**
 * Builds the trees of the geometries of a `BatchedMesh`, or of one.
 * @this {any}
 * @param {number} [index]
 * @param {object} [options]
 */
export function computeBatchedBoundsTree(index = -1, options = {}) {
  this.boundsTrees ??= [];
  const shown = this._geometryInfo.map((_, id) => id).filter((id) => this._geometryInfo[id].active !== false);
  const all = index < 0 ? shown : [index];
  for (const id of all) {
    const { start, count } = this.getGeometryRangeAt(id);
    const made = new MeshBVH(this.geometry, { ...options, range: { start, count }, setBoundingBox: false });
    this.boundsTrees[id]?.bvh.free();
    this.boundsTrees[id] = made;
  }
  return index < 0 ? this.boundsTrees : this.boundsTrees[index];
}

/**
 * Frees them.
 * @this {any}
 * @param {number} [index]
 */
export function disposeBatchedBoundsTree(index = -1) {
  for (const id of index < 0 ? Object.keys(this.boundsTrees ?? []) : [index]) {
    this.boundsTrees?.[id]?.bvh.free();
    if (this.boundsTrees) this.boundsTrees[id] = null;
  }
  if (index < 0) this.boundsTrees = null;
}
