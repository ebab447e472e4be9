// Hits as three.js has them.

import { BackSide, DoubleSide, FrontSide, Matrix4, Triangle, Vector2, Vector3 } from "three";
import { cornersOf, setTriangle } from "./faces.js";

/** Which side of triangles is not hit where these are. @type {Record<any, "back" | "front" | "none">} */
export const CULLS = { [FrontSide]: "back", [BackSide]: "front", [DoubleSide]: "none" };

const TRIANGLE = new Triangle();
const [PLACE, DIRECTION] = [new Vector2(), new Vector3()];

/**
 * Returns what is at a point of a face.
 * @param {import("three").BufferGeometry} geometry
 * @param {number[]} corners the numbers of its corners
 * @param {number} materialIndex
 * @param {Vector3} point
 * @param {Vector3} barycoord its weights of the corners
 */
function surfaceAt({ attributes: { uv, uv1, normal } }, [a, b, c], materialIndex, point, barycoord) {
  const between = (attribute, target, part) => [a, b, c].reduce((sum, corner, i) => {
    return sum.addScaledVector(part.fromBufferAttribute(attribute, corner), barycoord.getComponent(i));
  }, target);
  const face = { a, b, c, normal: TRIANGLE.getNormal(new Vector3()), materialIndex };
  /** @type {any} */
  const found = { distance: 0, point, face, barycoord };
  if (uv) found.uv = between(uv, new Vector2(), PLACE);
  if (uv1) found.uv1 = between(uv1, new Vector2(), PLACE);
  if (normal) found.normal = between(normal, new Vector3(), DIRECTION);
  return found;
}

/**
 * Returns a hit with the numbers that three.js computes for its face, in doubles; where its test misses the face, which is hit
 * all the same, with those of the hit.
 * @param {import("three").BufferGeometry} geometry
 * @param {{ origin: Vector3, direction: Vector3 }} ray
 * @param {import("../world.js").Hit} hit
 * @param {number} faceIndex
 * @param {import("three").Side} side
 * @param {number} materialIndex
 */
export function intersection(geometry, ray, { t, u, v }, faceIndex, side, materialIndex) {
  const { a, b, c } = setTriangle(TRIANGLE, geometry, faceIndex);
  const point = new Vector3();
  const [first, last] = side === BackSide ? [c, a] : [a, c];
  let barycoord = /** @type {any} */ (ray).intersectTriangle?.(first, b, last, side !== DoubleSide, point)
    ? TRIANGLE.getBarycoord(point, new Vector3())
    : null;
  if (!barycoord) {
    point.copy(ray.origin).addScaledVector(ray.direction, t);
    barycoord = new Vector3(1 - u - v, u, v);
  }
  const found = surfaceAt(geometry, cornersOf(geometry, faceIndex), materialIndex, point, barycoord);
  found.distance = ray.origin.distanceTo(point);
  found.faceIndex = faceIndex;
  if (found.normal?.dot(ray.direction) > 0) found.normal.multiplyScalar(-1);
  return found;
}

/**
 * Returns the face, the place in textures and the weights of the corners at a point of a face, such as the closest one.
 * @param {Vector3} point
 * @param {import("three").BufferGeometry} geometry
 * @param {number} triangleIndex
 * @param {any} [target] which is filled
 */
export function getTriangleHitPointInfo(point, geometry, triangleIndex, target = {}) {
  const corners = cornersOf(geometry, triangleIndex);
  const barycoord = setTriangle(TRIANGLE, geometry, triangleIndex).getBarycoord(point, new Vector3()) ?? new Vector3();
  const isIn = ({ start, count }) => 3 * triangleIndex >= start && 3 * triangleIndex < start + count;
  const { face, uv = null } = surfaceAt(geometry, corners, geometry.groups.find(isIn)?.materialIndex ?? 0, point, barycoord);
  return Object.assign(target, { face, uv, barycoord });
}

/**
 * Returns a ray in the coordinates of what a matrix places, and the length of its direction in the world.
 * @param {import("three").Ray} worldRay
 * @param {Matrix4} matrixWorld
 */
export function localRay(worldRay, matrixWorld) {
  const ray = worldRay.clone().applyMatrix4(new Matrix4().copy(matrixWorld).invert());
  const end = ray.origin.clone().add(ray.direction).applyMatrix4(matrixWorld);
  return { ray, scale: ray.origin.clone().applyMatrix4(matrixWorld).distanceTo(end) };
}
