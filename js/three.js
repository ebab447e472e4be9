// Geometries of three.js, with names of three-mesh-bvh.

import { BackSide, BatchedMesh, Box3, DoubleSide, FrontSide, Matrix4, Mesh as Object3D, Triangle, Vector2, Vector3 } from "three";
import { Bvh } from "./lib/bvh.js";
import { EstocError } from "./lib/library.js";
import { Mesh } from "./lib/mesh.js";

/** Which side of triangles is not hit where these are. */
const CULLS = { [FrontSide]: "back", [BackSide]: "front", [DoubleSide]: "none" };
const CORNERS = [new Vector3(), new Vector3(), new Vector3()];
const PLACE = new Vector2();

/** Returns the coordinates of an attribute, and the numbers from one corner to the next. */
function positionsOf(attribute) {
  const { count, normalized, itemSize } = attribute;
  const [array, stride, offset] = attribute.isInterleavedBufferAttribute
    ? [attribute.data.array, attribute.data.stride, attribute.offset]
    : [attribute.array, itemSize, 0];
  if (!normalized && itemSize >= 3 && (array instanceof Float32Array || array instanceof Float64Array)) {
    const end = count === 0 ? offset : offset + stride * (count - 1) + 3;
    return { positions: array.subarray(offset, end), stride };
  }
  const positions = new Float64Array(3 * count);
  for (let i = 0; i < count; i += 1) positions.set([attribute.getX(i), attribute.getY(i), attribute.getZ(i)], 3 * i);
  return { positions, stride: 3 };
}

/** Returns which faces are drawn: those of the draw range, or of `range`, that are in a group if there are any. */
function facesOf(geometry, range) {
  const corners = geometry.index ? geometry.index.count : geometry.attributes.position.count;
  const { start, count } = range ?? geometry.drawRange;
  const first = Math.max(0, Math.floor(start / 3));
  const end = Math.floor(Math.min(corners, start + count) / 3);
  const drawn = geometry.groups.map((group) => [group.start / 3, (group.start + group.count) / 3]);
  if (drawn.length === 0 && first === 0 && end === Math.floor(corners / 3)) return { faces: null, count: end };
  const is = (face) => drawn.length === 0 || drawn.some(([from, to]) => face >= from && face < to);
  const faces = [];
  for (let face = first; face < end; face += 1) if (is(face)) faces.push(face);
  return { faces: Uint32Array.from(faces), count: faces.length };
}

/** A tree over the triangles of a geometry. Everything it is asked is in the coordinates of the geometry. */
export class MeshBVH {
  /**
   * @param {import("three").BufferGeometry} geometry which stays as it is: `indirect` is always so
   * @param {{ range?: { start: number, count: number } | null, setBoundingBox?: boolean, quality?: "fast" | "balanced" | "best",
   *   onProgress?: (part: number) => void }} [options]
   */
  constructor(geometry, options = {}) {
    if (!geometry?.isBufferGeometry) throw new TypeError("MeshBVH is made of a BufferGeometry");
    if (geometry.index?.isInterleavedBufferAttribute) throw new TypeError("an index in an interleaved buffer is not served");
    this.geometry = geometry;
    this.options = options;
    const mesh = this.#mesh();
    const progress = options.onProgress && ((done, total) => void options.onProgress(total > 0 ? done / total : 0));
    this.#keep(options.tree ?? new Bvh(mesh, { quality: options.quality, progress }), mesh);
    if (!geometry.boundingBox && options.setBoundingBox !== false) geometry.boundingBox = this.getBoundingBox(new Box3());
  }

  /** Makes the mesh of what the geometry is now, and notes which faces its triangles are. */
  #mesh() {
    const { geometry } = this;
    const { positions, stride } = positionsOf(geometry.attributes.position);
    const { faces, count } = facesOf(geometry, this.options.range);
    const corner = geometry.index ? (i) => geometry.index.array[i] : (i) => i;
    const make = (of) => {
      this.faces = of;
      if (of === null) return new Mesh(positions, geometry.index ? geometry.index.array.subarray(0, 3 * count) : null, { stride });
      return new Mesh(positions, Uint32Array.from({ length: 3 * of.length }, (_, i) => corner(3 * of[Math.floor(i / 3)] + (i % 3))), { stride });
    };
    try {
      return make(faces);
    } catch (error) {
      // Faces with a corner that is not finite are hit by nothing; any other fault is an error.
      if (!(error instanceof EstocError) || positions.every(Number.isFinite)) throw error;
      const isFinite = (face) => [0, 1, 2, 3, 4, 5, 6, 7, 8].every((i) => {
        const x = positions[stride * corner(3 * face + Math.floor(i / 3)) + (i % 3)];
        return x === undefined || Number.isFinite(x);
      });
      return make((faces ?? Uint32Array.from({ length: count }, (_, i) => i)).filter(isFinite));
    }
  }

  #keep(bvh, mesh) {
    this.bvh = bvh;
    this.bounds = mesh.bounds;
    mesh.free();
  }

  #face(prim) {
    return this.faces ? this.faces[prim] : prim;
  }

  /** Returns the hits on a ray with what each material of its face says, in order. */
  #hits(question, ray, materialOrSide, near, far) {
    const { origin, direction } = ray;
    const length = direction.length();
    const [tMin, tMax] = [near / length, far / length];
    const ask = (cull, filter) => this.bvh[question](origin, direction, { tMin, tMax, cull, filter });
    if (!Array.isArray(materialOrSide)) {
      const side = materialOrSide?.isMaterial ? materialOrSide.side : materialOrSide;
      const found = ask(CULLS[side] ?? "back");
      if (Array.isArray(found)) return found.map((hit) => [hit, 0]);
      return found ? [[found, 0]] : [];
    }
    const groupsOf = (face, side) => this.geometry.groups.filter(({ start, count, materialIndex }) => {
      const of = materialOrSide[materialIndex]?.side;
      return 3 * face >= start && 3 * face < start + count && (of === side || of === DoubleSide);
    });
    // Fronts, then backs, each where a material of the face shows it.
    const found = [FrontSide, BackSide].flatMap((side) => {
      const filter = ({ prim }) => groupsOf(this.#face(prim), side).length > 0;
      return [ask(CULLS[side], filter) ?? []].flat().flatMap((hit) => {
        return groupsOf(this.#face(hit.prim), side).map(({ materialIndex }) => [hit, materialIndex]);
      });
    });
    return found.sort(([a], [b]) => a.t - b.t || a.prim - b.prim);
  }

  /** Returns a hit as three.js has it. */
  #intersection(ray, [{ t, u, v, prim }, materialIndex]) {
    const faceIndex = this.#face(prim);
    const { index, attributes } = this.geometry;
    const first = 3 * faceIndex;
    const [a, b, c] = index ? [index.getX(first), index.getX(first + 1), index.getX(first + 2)] : [first, first + 1, first + 2];
    const [A, B, C] = CORNERS;
    const { position, normal, uv, uv1 } = attributes;
    A.fromBufferAttribute(position, a);
    B.fromBufferAttribute(position, b);
    C.fromBufferAttribute(position, c);
    const face = { a, b, c, normal: Triangle.getNormal(A, B, C, new Vector3()), materialIndex };
    const barycoord = new Vector3(1 - u - v, u, v);
    const point = ray.origin.clone().addScaledVector(ray.direction, t);
    const found = { distance: t * ray.direction.length(), point, face, faceIndex, barycoord };
    const between = (attribute, target, part) => {
      target.fromBufferAttribute(attribute, a).multiplyScalar(barycoord.x);
      target.addScaledVector(part.fromBufferAttribute(attribute, b), u);
      return target.addScaledVector(part.fromBufferAttribute(attribute, c), v);
    };
    if (uv) found.uv = between(uv, new Vector2(), PLACE);
    if (uv1) found.uv1 = between(uv1, new Vector2(), PLACE);
    if (normal) {
      found.normal = between(normal, new Vector3(), A);
      if (found.normal.dot(ray.direction) > 0) found.normal.negate();
    }
    return found;
  }

  /**
   * Returns every hit on a ray, the nearest first; of hits at exactly the same place that on the face with the lowest number.
   * @param {import("three").Ray} ray its direction may have any length
   * @param {import("three").Side | import("three").Material | import("three").Material[]} [materialOrSide]
   * @param {number} [near] distances that count
   * @param {number} [far]
   */
  raycast(ray, materialOrSide = FrontSide, near = 0, far = Infinity) {
    return this.#hits("allHits", ray, materialOrSide, near, far).map((hit) => this.#intersection(ray, hit));
  }

  /**
   * Returns the first hit on a ray.
   * @param {import("three").Ray} ray
   * @param {import("three").Side | import("three").Material | import("three").Material[]} [materialOrSide]
   * @param {number} [near]
   * @param {number} [far]
   */
  raycastFirst(ray, materialOrSide = FrontSide, near = 0, far = Infinity) {
    const [hit] = this.#hits("closestHit", ray, materialOrSide, near, far);
    return hit ? this.#intersection(ray, hit) : null;
  }

  /**
   * Adds the hits on an object with this geometry, in the world; the first alone if the raycaster has `firstHitOnly`.
   * @param {import("three").Object3D} object
   * @param {import("three").Raycaster} raycaster
   * @param {import("three").Intersection[]} [intersects]
   */
  raycastObject3D(object, raycaster, intersects = []) {
    const { material, matrixWorld } = object;
    if (material === undefined) return intersects;
    const { ray, near, far, firstHitOnly } = raycaster;
    const inverse = new Matrix4().copy(matrixWorld).invert();
    // The direction keeps its length, so that parameters are those of the world.
    const origin = ray.origin.clone().applyMatrix4(inverse);
    const direction = ray.origin.clone().add(ray.direction).applyMatrix4(inverse).sub(origin);
    const scale = direction.length() / ray.direction.length();
    const local = { origin, direction };
    const ask = firstHitOnly ? (...of) => [this.raycastFirst(...of)].filter(Boolean) : (...of) => this.raycast(...of);
    for (const hit of ask(local, material, near * scale, far * scale)) {
      hit.point.applyMatrix4(matrixWorld);
      intersects.push({ ...hit, distance: hit.point.distanceTo(ray.origin), object });
    }
    return intersects;
  }

  /**
   * Returns the closest point of the surface with its distance and face; `null` if there is none within `maxThreshold`.
   * @param {Vector3} point
   * @param {{ point?: Vector3, distance?: number, faceIndex?: number }} [target] which is filled
   * @param {number} [_minThreshold] has no effect: the closest point is found all the same
   * @param {number} [maxThreshold]
   */
  closestPointToPoint(point, target = {}, _minThreshold = 0, maxThreshold = Infinity) {
    const found = this.bvh.closestPoint(point, { maxDistance: maxThreshold });
    if (!found) return null;
    target.point = (target.point ?? new Vector3()).set(...found.point);
    target.distance = found.distance;
    target.faceIndex = this.#face(found.prim);
    return target;
  }

  /**
   * Returns whether a triangle has a point in a ball. At positions in floats the radius is rounded to a float.
   * @param {import("three").Sphere} sphere
   */
  intersectsSphere({ center, radius }) {
    return this.bvh.closestPoint(center, { maxDistance: radius }) !== null;
  }

  /**
   * Returns whether a triangle has a point in a box that is placed by a matrix, which gives its corners in doubles; an empty
   * box has none.
   * @param {Box3} box
   * @param {Matrix4} [boxToMesh]
   */
  intersectsBox(box, boxToMesh) {
    if (box.isEmpty()) return false;
    if (!boxToMesh) return this.#any((visit) => this.bvh.visitOverlaps({ box }, visit));
    const [min, max] = [box.min.toArray(), box.max.toArray()];
    const corners = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((axis) => (i & (1 << axis) ? max : min)[axis]));
    const faces = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5];
    const placed = corners.flatMap((corner) => new Vector3(...corner).applyMatrix4(boxToMesh).toArray());
    const mesh = new Mesh(Float64Array.from(placed), Uint8Array.from(faces), { precision: "f64" });
    const sides = new Bvh(mesh);
    const crosses = this.#any((visit) => this.bvh.visitIntersections(visit, sides));
    sides.free();
    mesh.free();
    if (crosses) return true;
    // No triangle crosses a side: each is inside or outside as a whole.
    const inverse = new Matrix4().copy(boxToMesh).invert();
    const { index, attributes } = this.geometry;
    for (let prim = 0; prim < this.bvh.triangleCount; prim += 1) {
      const corner = 3 * this.#face(prim);
      CORNERS[0].fromBufferAttribute(attributes.position, index ? index.getX(corner) : corner).applyMatrix4(inverse);
      if (box.containsPoint(CORNERS[0])) return true;
    }
    return false;
  }

  /**
   * Returns whether a triangle of this geometry and one of another, placed by a matrix, have a point in common. Its placed
   * positions are rounded to numbers of the type that they have.
   * @param {import("three").BufferGeometry} geometry
   * @param {Matrix4} geometryToBvh
   */
  intersectsGeometry(geometry, geometryToBvh) {
    const other = new MeshBVH(geometry.clone().applyMatrix4(geometryToBvh), { setBoundingBox: false });
    const found = this.#any((visit) => this.bvh.visitIntersections(visit, other.bvh));
    other.bvh.free();
    return found;
  }

  #any(visit) {
    let found = false;
    visit(() => {
      found = true;
      return false;
    });
    return found;
  }

  /** Takes the positions of the geometry as they are now. */
  refit() {
    const mesh = this.#mesh();
    this.bvh.refit(mesh);
    this.#keep(this.bvh, mesh);
  }

  /**
   * Returns the smallest box around all triangles.
   * @param {Box3} target
   */
  getBoundingBox(target) {
    target.makeEmpty();
    if (this.bounds) target.set(new Vector3(...this.bounds.min), new Vector3(...this.bounds.max));
    return target;
  }

  /**
   * Returns what can be stored, or posted to another thread.
   * @param {MeshBVH} bvh
   */
  static serialize(bvh) {
    return { version: 1, tree: bvh.bvh.toBytes() };
  }

  /**
   * Returns the tree of a geometry again.
   * @param {{ tree: Uint8Array }} data
   * @param {import("three").BufferGeometry} geometry
   * @param {object} [options] as those of the constructor
   */
  static deserialize({ tree }, geometry, options = {}) {
    const read = Bvh.read(tree);
    read.mesh.free();
    return new MeshBVH(geometry, { ...options, tree: read.bvh });
  }
}

const RAYCASTS = { mesh: Object3D.prototype.raycast, batched: BatchedMesh.prototype.raycast };

/**
 * `raycast` of objects whose geometry has a `boundsTree`; of others that of three.js. For `Mesh`, `InstancedMesh` and
 * `BatchedMesh`: `THREE.Mesh.prototype.raycast = acceleratedRaycast`.
 * @this {any}
 * @param {import("three").Raycaster} raycaster
 * @param {import("three").Intersection[]} intersects
 */
export function acceleratedRaycast(raycaster, intersects) {
  if (!this.isBatchedMesh) {
    const { boundsTree } = this.geometry;
    if (boundsTree) boundsTree.raycastObject3D(this, raycaster, intersects);
    else RAYCASTS.mesh.call(this, raycaster, intersects);
    return;
  }
  const { boundsTrees } = this;
  const ids = Array.from({ length: this._instanceInfo?.length ?? 0 }, (_, id) => id).filter((id) => this._instanceInfo[id].active !== false);
  const shown = ids.filter((id) => this.getVisibleAt(id));
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
  this.boundsTree = new MeshBVH(this, options);
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
  const all = index < 0 ? this._geometryInfo.map((_, id) => id) : [index];
  for (const id of all) {
    const { start, count } = this.getGeometryRangeAt(id);
    this.boundsTrees[id] = new MeshBVH(this.geometry, { ...options, range: { start, count }, setBoundingBox: false });
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
