// Triangles that shapes are compared with.

import { Line3, Triangle, Vector3 } from "three";
import { Bvh } from "../bvh.js";
import { Mesh } from "../mesh.js";

const clamped = (x) => Math.min(1, Math.max(0, x));

/** Sets two points to where two segments are nearest, and returns their squared distance. */
function betweenSegments(first, second, onFirst, onSecond) {
  const [along, other] = [first.delta(new Vector3()), second.delta(new Vector3())];
  const gap = new Vector3().subVectors(first.start, second.start);
  const [aa, bb, ab] = [along.lengthSq(), other.lengthSq(), along.dot(other)];
  const [ag, bg] = [along.dot(gap), other.dot(gap)];
  const across = aa * bb - ab * ab;
  let s = across > 0 ? clamped((ab * bg - bb * ag) / across) : 0;
  let t = bb > 0 ? (ab * s + bg) / bb : 0;
  if (t < 0 || t > 1 || bb === 0) {
    t = clamped(t);
    s = aa > 0 ? clamped((ab * t - ag) / aa) : 0;
  }
  first.at(s, onFirst);
  second.at(t, onSecond);
  return onFirst.distanceToSquared(onSecond);
}

/** A triangle with the questions of three-mesh-bvh's class of this name. `needsUpdate` has no effect: nothing is kept. */
export class ExtendedTriangle extends Triangle {
  needsUpdate = true;

  get isExtendedTriangle() {
    return true;
  }

  /** The sides. */
  get #sides() {
    return [[this.a, this.b], [this.b, this.c], [this.c, this.a]].map(([from, to]) => new Line3(from, to));
  }

  /** Returns where a segment passes the triangle; `null` if it does not, or lies in its plane. */
  #crossing({ start, end }) {
    const normal = this.getNormal(new Vector3());
    const [from, to] = [start, end].map((point) => new Vector3().subVectors(point, this.a).dot(normal));
    if (from === to || from * to > 0) return null;
    const point = new Vector3().lerpVectors(start, end, from / (from - to));
    return this.containsPoint(point) ? point : null;
  }

  /**
   * Returns the distance from a segment, and sets `target1` to the closest point of the triangle and `target2` to that of the
   * segment.
   * @param {Line3} segment
   * @param {Vector3} [target1]
   * @param {Vector3} [target2]
   */
  closestPointToSegment(segment, target1 = new Vector3(), target2 = new Vector3()) {
    const crossing = this.#crossing(segment);
    if (crossing) {
      target1.copy(crossing);
      target2.copy(crossing);
      return 0;
    }
    let least = Infinity;
    const take = (square, own, other) => {
      if (square >= least) return;
      least = square;
      target1.copy(own);
      target2.copy(other);
    };
    const [own, other] = [new Vector3(), new Vector3()];
    for (const side of this.#sides) take(betweenSegments(side, segment, own, other), own, other);
    for (const end of [segment.start, segment.end]) {
      this.closestPointToPoint(end, own);
      take(own.distanceToSquared(end), own, end);
    }
    return Math.sqrt(least);
  }

  /** @param {Vector3} point */
  distanceToPoint(point) {
    return this.closestPointToPoint(point, new Vector3()).distanceTo(point);
  }

  /**
   * Returns the distance from another triangle, and sets the points where both are nearest.
   * @param {Triangle} other
   * @param {Vector3 | null} [target1]
   * @param {Vector3 | null} [target2]
   */
  distanceToTriangle(other, target1, target2) {
    const second = new ExtendedTriangle(other.a, other.b, other.c);
    let least = Infinity;
    const [own, their] = [new Vector3(), new Vector3()];
    const take = (distance) => {
      if (distance >= least) return;
      least = distance;
      target1?.copy(own);
      target2?.copy(their);
    };
    for (const side of second.#sides) take(this.closestPointToSegment(side, own, their));
    for (const side of this.#sides) take(second.closestPointToSegment(side, their, own));
    return least;
  }

  /** @param {import("three").Sphere} sphere */
  intersectsSphere({ center, radius }) {
    return this.distanceToPoint(center) <= radius;
  }

  /**
   * Returns whether this triangle and another one have a point in common, decided exactly for their corners in doubles. Sets
   * `target` to the line that they have in common, in rounded numbers, if their planes cross.
   * @param {Triangle} other
   * @param {Line3 | null} [target]
   */
  intersectsTriangle(other, target) {
    const mesh = new Mesh(Float64Array.from([this.a, this.b, this.c].flatMap((corner) => corner.toArray())), null, { precision: "f64" });
    const bvh = new Bvh(mesh);
    const meets = bvh.overlaps({ triangle: [other.a, other.b, other.c] }).length > 0;
    bvh.free();
    mesh.free();
    if (!meets || !target) return meets;
    const second = new ExtendedTriangle(other.a, other.b, other.c);
    const line = this.getNormal(new Vector3()).cross(second.getNormal(new Vector3()));
    const ends = [...this.#sides.map((side) => second.#crossing(side)), ...second.#sides.map((side) => this.#crossing(side))];
    const points = /** @type {Vector3[]} */ (ends.filter(Boolean)).sort((a, b) => a.dot(line) - b.dot(line));
    target.start.copy(points[0] ?? target.start.set(0, 0, 0));
    target.end.copy(points.at(-1) ?? target.start);
    return meets;
  }
}
