// The tree of a geometry of three.js, with the names of three-mesh-bvh.

import { BackSide, Box3, BufferAttribute, BufferGeometry, DoubleSide, FrontSide, Matrix4, Vector3 } from "three";
import { Bvh } from "../bvh.js";
import { Mesh } from "../mesh.js";
import { bvhcast, shapecast, traverse } from "./cast.js";
import { ExtendedTriangle } from "./extended-triangle.js";
import { meshOf, setTriangle } from "./faces.js";
import { CULLS, intersection, localRay } from "./intersection.js";

/** How trees are built: by `"fast"`, `"fast"` and `"balanced"`. */
export const CENTER = 0;
export const AVERAGE = 1;
export const SAH = 2;

/**
 * What is closest to a point or to another geometry.
 * @typedef {{ point?: Vector3, distance?: number, faceIndex?: number }} HitPointInfo
 */
/** @typedef {import("three").Side | import("three").Material | import("three").Material[]} MaterialOrSide */

const sideOf = (materialOrSide) => (materialOrSide?.isMaterial ? materialOrSide.side : materialOrSide);

/** A tree over the triangles of a geometry. Everything it is asked is in the coordinates of the geometry. */
export class MeshBVH {
  /** @type {import("../nodes.js").Nodes | undefined} */
  #nodes;

  /**
   * @param {BufferGeometry} geometry which stays as it is: `indirect` is always so
   * @param {{ range?: { start: number, count: number } | null, setBoundingBox?: boolean, quality?: "fast" | "balanced" | "best",
   *   strategy?: number, onProgress?: (part: number) => void, tree?: Bvh }} [options] other options of three-mesh-bvh have no
   *   effect
   */
  constructor(geometry, options = {}) {
    if (!geometry?.isBufferGeometry) throw new TypeError("MeshBVH is made of a BufferGeometry");
    if (geometry.index && /** @type {any} */ (geometry.index).isInterleavedBufferAttribute) {
      throw new TypeError("an index in an interleaved buffer is not served");
    }
    this.geometry = geometry;
    const { onProgress, tree, ...others } = options;
    this.options = others;
    this.indirect = true;
    const { strategy } = others;
    const quality = others.quality ?? (strategy === CENTER || strategy === AVERAGE ? "fast" : "balanced");
    const progress = onProgress && ((done, total) => void onProgress(total > 0 ? done / total : 0));
    const { mesh, faces } = meshOf(geometry, others.range, tree?.precision);
    try {
      if (tree && tree.triangleCount !== mesh.triangleCount) {
        throw new RangeError(`the tree has ${tree.triangleCount} triangles and the geometry ${mesh.triangleCount}; it is that of another`);
      }
      /** The tree. */
      this.bvh = tree ?? new Bvh(mesh, { quality, progress });
      this.#keep(mesh, faces);
    } finally {
      mesh.free();
    }
    if (!geometry.boundingBox && others.setBoundingBox !== false) geometry.boundingBox = this.getBoundingBox(new Box3());
  }

  /** Notes what the mesh of the tree is. */
  #keep(mesh, faces) {
    /** The face that each triangle of the tree is; `null` where their numbers are equal. @type {Uint32Array | null} */
    this.faces = faces;
    this.bounds = mesh.bounds;
    this.#nodes = undefined;
  }

  /** The nodes of the tree, which are made when they are first traversed. */
  get nodes() {
    this.#nodes ??= this.bvh.nodes();
    return this.#nodes;
  }

  /**
   * Returns the face of the geometry that a triangle of the tree is.
   * @param {number} prim
   */
  faceOf(prim) {
    return this.faces ? this.faces[prim] : prim;
  }

  /**
   * Returns the face at a place of the ranges that `shapecast`, `bvhcast` and `traverse` tell.
   * @param {number} place
   */
  resolveTriangleIndex(place) {
    return this.faceOf(this.nodes.prims[place]);
  }

  /** Returns the hits on a ray with what each material of its face says, in order. */
  #hits(question, ray, materialOrSide, near, far) {
    const { origin, direction } = ray;
    const length = Math.hypot(direction.x, direction.y, direction.z);
    const [tMin, tMax] = [near === 0 ? 0 : near / length, far === Infinity ? Infinity : far / length];
    const ask = (side, filter) => {
      const found = this.bvh[question](origin, direction, { tMin, tMax, cull: CULLS[side] ?? "back", filter });
      return Array.isArray(found) ? found : found ? [found] : [];
    };
    const told = (hit, side, materialIndex) => intersection(this.geometry, ray, hit, this.faceOf(hit.prim), side, materialIndex);
    if (!Array.isArray(materialOrSide)) {
      const side = sideOf(materialOrSide);
      return ask(side).map((hit) => told(hit, side, 0));
    }
    const groupsOf = (face, side) => this.geometry.groups.filter(({ start, count, materialIndex }) => {
      const of = sideOf(materialOrSide[materialIndex ?? 0]);
      return 3 * face >= start && 3 * face < start + count && (of === side || of === DoubleSide);
    });
    // Fronts and backs, each where a material of the face shows it.
    const shown = new Map([FrontSide, BackSide].flatMap((side) => {
      const found = ask(side, ({ prim }) => groupsOf(this.faceOf(prim), side).length > 0);
      return found.map(({ prim }) => [prim, side]);
    }));
    // In one list of both, as their order is exact and `t` is rounded.
    const found = shown.size > 0 ? ask(DoubleSide, ({ prim }) => shown.has(prim)) : [];
    return found.flatMap((hit) => {
      const groups = groupsOf(this.faceOf(hit.prim), shown.get(hit.prim));
      return groups.map(({ materialIndex = 0 }) => told(hit, sideOf(materialOrSide[materialIndex]), materialIndex));
    });
  }

  /**
   * Returns every hit on a ray, the nearest first; of hits at exactly the same place that on the face with the lowest number.
   * @param {import("three").Ray} ray its direction may have any length
   * @param {MaterialOrSide} [materialOrSide]
   * @param {number} [near] distances that count
   * @param {number} [far]
   * @returns {import("three").Intersection[]} without objects
   */
  raycast(ray, materialOrSide = FrontSide, near = 0, far = Infinity) {
    return this.#hits("allHits", ray, materialOrSide, near, far);
  }

  /**
   * Returns the first hit on a ray.
   * @param {import("three").Ray} ray
   * @param {MaterialOrSide} [materialOrSide]
   * @param {number} [near]
   * @param {number} [far]
   * @returns {import("three").Intersection | null} without an object
   */
  raycastFirst(ray, materialOrSide = FrontSide, near = 0, far = Infinity) {
    return this.#hits("closestHit", ray, materialOrSide, near, far)[0] ?? null;
  }

  /**
   * Adds the hits on an object with this geometry, in the world; the first alone if the raycaster has `firstHitOnly`.
   * @param {any} object
   * @param {any} raycaster
   * @param {import("three").Intersection[]} [intersects]
   */
  raycastObject3D(object, raycaster, intersects = []) {
    const { material, matrixWorld } = object;
    if (material === undefined) return intersects;
    const { near, far, firstHitOnly } = raycaster;
    const { ray, scale } = localRay(raycaster.ray, matrixWorld);
    for (const hit of this.#hits(firstHitOnly ? "closestHit" : "allHits", ray, material, near / scale, far / scale)) {
      hit.point.applyMatrix4(matrixWorld);
      hit.distance = hit.point.distanceTo(raycaster.ray.origin);
      hit.object = object;
      intersects.push(hit);
      if (firstHitOnly) break;
    }
    return intersects;
  }

  /**
   * Returns the closest point of the surface with its distance and face; `null` if there is none within `maxThreshold`.
   * @param {Vector3} point
   * @param {HitPointInfo} [target] which is filled
   * @param {number} [_minThreshold] has no effect: the closest point is found all the same
   * @param {number} [maxThreshold]
   */
  closestPointToPoint(point, target = {}, _minThreshold = 0, maxThreshold = Infinity) {
    const found = this.bvh.closestPoint(point, { maxDistance: maxThreshold });
    return found && this.#fill(target, found, found.distance);
  }

  #fill(target, { point, prim }, distance) {
    target.point = (target.point ?? new Vector3()).set(...point);
    target.distance = distance;
    target.faceIndex = this.faceOf(prim);
    return target;
  }

  /**
   * Returns where this geometry is nearest to another one, placed by a matrix, and sets `target2` to the point of that, in its
   * own coordinates; `null` if the distance is above `maxThreshold`. Placed positions are rounded as `intersectsGeometry` does.
   * @param {BufferGeometry} geometry
   * @param {Matrix4} geometryToBvh
   * @param {HitPointInfo} [target1]
   * @param {HitPointInfo} [target2]
   * @param {number} [_minThreshold] has no effect
   * @param {number} [maxThreshold]
   */
  closestPointToGeometry(geometry, geometryToBvh, target1 = {}, target2 = {}, _minThreshold = 0, maxThreshold = Infinity) {
    return this.#beside(geometry, geometryToBvh, (other) => {
      const found = this.bvh.leastDistance(other.bvh);
      if (!found || found.distance > maxThreshold) return null;
      const { distance, sides } = found;
      this.#fill(target1, sides[0], distance);
      if (target2) {
        const back = new Matrix4().copy(geometryToBvh).invert();
        const there = /** @type {Vector3} */ (target1.point).clone().applyMatrix4(back);
        const { point } = other.#fill(target2, sides[1], 0);
        target2.distance = point.applyMatrix4(back).distanceTo(there);
      }
      return target1;
    });
  }

  /** Returns what is found by the tree of a placed geometry, with positions of the precision that this one has. */
  #beside(geometry, matrix, find) {
    const { position } = geometry.attributes;
    const Numbers = this.bvh.precision === "f32" ? Float32Array : Float64Array;
    const places = new BufferAttribute(new Numbers(3 * position.count), 3);
    const point = new Vector3();
    for (let i = 0; i < position.count; i += 1) {
      point.fromBufferAttribute(position, i).applyMatrix4(matrix).toArray(places.array, 3 * i);
    }
    const placed = new BufferGeometry().setAttribute("position", places).setIndex(geometry.index);
    placed.groups = geometry.groups;
    placed.drawRange = geometry.drawRange;
    const other = new MeshBVH(placed, { setBoundingBox: false });
    try {
      return find(other);
    } finally {
      other.bvh.free();
    }
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
    const [min, max] = [box.min.toArray(), box.max.toArray()];
    if (!boxToMesh || boxToMesh.equals(new Matrix4())) return this.#any((visit) => this.bvh.visitOverlaps({ box }, visit));
    const corners = Array.from({ length: 8 }, (_, i) => new Vector3(...[0, 1, 2].map((axis) => (i & (1 << axis) ? max : min)[axis])));
    for (const corner of corners) corner.applyMatrix4(boxToMesh);
    if (!corners.every((corner) => corner.toArray().every(Number.isFinite))) {
      throw new RangeError("the placed box has a corner that is not finite");
    }
    // A box that is flat in two directions has no sides.
    const [start, end] = [corners[0], corners[7]];
    if (max.filter((x, axis) => x > min[axis]).length < 2) {
      const meets = [start, end].some((point) => this.bvh.closestPoint(point, { maxDistance: 0 }));
      return meets || this.bvh.anyHit(start, new Vector3().subVectors(end, start), { tMax: 1 });
    }
    const faces = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5];
    const positions = Float64Array.from(corners.flatMap((corner) => corner.toArray()));
    const mesh = new Mesh(positions, Uint8Array.from(faces), { precision: "f64" });
    const sides = new Bvh(mesh);
    const crosses = this.#any((visit) => this.bvh.visitIntersections(visit, sides));
    sides.free();
    mesh.free();
    if (crosses) return true;
    // No triangle crosses a side: each is inside or outside as a whole.
    const inverse = new Matrix4().copy(boxToMesh).invert();
    const triangle = new ExtendedTriangle();
    let isInside = false;
    this.bvh.visitOverlaps({ box: new Box3().setFromPoints(corners) }, (prim) => {
      const corner = setTriangle(triangle, this.geometry, this.faceOf(prim)).a;
      isInside = box.containsPoint(corner.applyMatrix4(inverse));
      return !isInside;
    });
    return isInside;
  }

  /**
   * Returns whether a triangle of this geometry and one of another, placed by a matrix, have a point in common. The placed
   * positions are rounded to numbers of the precision that this geometry has.
   * @param {BufferGeometry} geometry
   * @param {Matrix4} geometryToBvh
   */
  intersectsGeometry(geometry, geometryToBvh) {
    return this.#beside(geometry, geometryToBvh, (other) => this.#any((visit) => this.bvh.visitIntersections(visit, other.bvh)));
  }

  #any(visit) {
    let found = false;
    visit(() => {
      found = true;
      return false;
    });
    return found;
  }

  /**
   * Traverses the tree by functions that are called with boxes and triangles, until one of a range or triangle returns `true`;
   * returns whether it did.
   * @param {object} callbacks
   * @param {(box: Box3, isLeaf: boolean, score: number | undefined, depth: number, nodeIndex: number) => number | boolean} callbacks.intersectsBounds
   *   returns whether to look into a box, or `CONTAINED` to take all of its triangles
   * @param {(offset: number, count: number, contained: boolean, depth: number, nodeIndex: number, box: Box3) => boolean | void} [callbacks.intersectsRange]
   *   see {@link MeshBVH.resolveTriangleIndex}
   * @param {(triangle: ExtendedTriangle, triangleIndex: number, contained: boolean, depth: number) => boolean | void} [callbacks.intersectsTriangle]
   *   with the face's number
   * @param {(box: Box3) => number} [callbacks.boundsTraverseOrder]
   */
  shapecast({ intersectsBounds, intersectsRange, intersectsTriangle, boundsTraverseOrder }) {
    const triangle = new ExtendedTriangle();
    const each = (start, count, contained, depth) => {
      for (let place = start; place < start + count; place += 1) {
        const face = this.resolveTriangleIndex(place);
        if (intersectsTriangle?.(setTriangle(triangle, this.geometry, face), face, contained, depth)) return true;
      }
      return !intersectsRange && !intersectsTriangle && contained;
    };
    return shapecast(this.nodes, {
      intersectsBounds,
      boundsTraverseOrder,
      intersectsRange: (start, count, contained, depth, node, box) => {
        return Boolean(intersectsRange?.(start, count, contained, depth, node, box)) || each(start, count, contained, depth);
      },
    });
  }

  /**
   * Traverses this tree and another one, placed by a matrix, where their boxes meet, until a function returns `true`; returns
   * whether it did.
   * @param {MeshBVH} otherBvh
   * @param {Matrix4} matrixToLocal
   * @param {object} callbacks
   * @param {(offset1: number, count1: number, offset2: number, count2: number, depth1: number, nodeIndex1: number, depth2: number, nodeIndex2: number) => boolean | void} [callbacks.intersectsRanges]
   * @param {(triangle1: ExtendedTriangle, triangle2: ExtendedTriangle, triangleIndex1: number, triangleIndex2: number, depth1: number, nodeIndex1: number, depth2: number, nodeIndex2: number) => boolean | void} [callbacks.intersectsTriangles]
   *   of triangles whose boxes meet, with the faces' numbers, and the second triangle placed
   */
  bvhcast(otherBvh, matrixToLocal, { intersectsRanges, intersectsTriangles }) {
    const [first, second] = [new ExtendedTriangle(), new ExtendedTriangle()];
    const [box, otherBox] = [new Box3(), new Box3()];
    const boxOf = (to, { a, b, c }) => to.setFromPoints([a, b, c]);
    const each = (start, count, otherStart, otherCount, ...nodes) => {
      for (let other = otherStart; other < otherStart + otherCount; other += 1) {
        const face2 = otherBvh.resolveTriangleIndex(other);
        setTriangle(second, otherBvh.geometry, face2);
        for (const corner of [second.a, second.b, second.c]) corner.applyMatrix4(matrixToLocal);
        boxOf(otherBox, second);
        for (let own = start; own < start + count; own += 1) {
          const face = this.resolveTriangleIndex(own);
          if (!boxOf(box, setTriangle(first, this.geometry, face)).intersectsBox(otherBox)) continue;
          if (/** @type {any} */ (intersectsTriangles)(first, second, face, face2, ...nodes)) return true;
        }
      }
      return false;
    };
    return bvhcast(this.nodes, otherBvh.nodes, matrixToLocal, (...ranges) => {
      if (intersectsRanges?.(...ranges)) return true;
      return intersectsTriangles !== undefined && /** @type {any} */ (each)(...ranges);
    });
  }

  /**
   * Calls a function with each node: with its depth, whether it is a leaf, six numbers of its box, and the place and number of
   * a leaf's triangles, or the axis of another node; it returns `true` to leave out what is below.
   * @param {(depth: number, isLeaf: boolean, boundingData: Float64Array, offsetOrSplit: number, count?: number) => boolean | void} callback
   */
  traverse(callback) {
    traverse(this.nodes, callback);
  }

  /** Takes the positions of the geometry as they are now. */
  refit() {
    const { mesh, faces } = meshOf(this.geometry, this.options.range, this.bvh.precision);
    try {
      this.bvh.refit(mesh);
      this.#keep(mesh, faces);
    } finally {
      mesh.free();
    }
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
    const options = Object.entries(bvh.options).filter(([, of]) => typeof of !== "function");
    return { version: 1, tree: bvh.bvh.toBytes(), options: Object.fromEntries(options) };
  }

  /**
   * Returns the tree of a geometry again.
   * @param {{ tree: Uint8Array, options?: object }} data
   * @param {BufferGeometry} geometry
   * @param {object} [options] beside those that it was built with
   */
  static deserialize({ tree, options: built }, geometry, options = {}) {
    const read = Bvh.read(tree);
    read.mesh.free();
    try {
      return new MeshBVH(geometry, { ...built, ...options, tree: read.bvh });
    } catch (error) {
      read.bvh.free();
      throw error;
    }
  }
}
