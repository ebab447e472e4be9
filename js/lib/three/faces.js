// The triangles of geometries of three.js.

import { EstocError } from "../library.js";
import { Mesh } from "../mesh.js";

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
  const all = Math.floor((geometry.index ?? geometry.attributes.position).count / 3);
  const within = (face) => Math.min(Math.max(face, 0), all);
  const { start, count } = range ?? geometry.drawRange;
  const first = within(Math.floor(start / 3));
  const end = Math.max(first, within(Math.floor((start + count) / 3)));
  if (geometry.groups.length === 0 && first === 0 && end === all) return { faces: null, count: all };
  const isDrawn = new Uint8Array(end).fill(geometry.groups.length > 0 ? 0 : 1);
  for (const group of geometry.groups) {
    isDrawn.fill(1, within(Math.ceil(group.start / 3)), within(Math.ceil((group.start + group.count) / 3)));
  }
  isDrawn.fill(0, 0, first);
  const faces = new Uint32Array(isDrawn.reduce((sum, is) => sum + is, 0));
  isDrawn.reduce((at, is, face) => (is ? ((faces[at] = face), at + 1) : at), 0);
  return { faces, count: faces.length };
}

/** The typed arrays that an index may be in. */
const INDICES = [Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, Int32Array];

/**
 * Makes the mesh of what a geometry is now. Returns it with the faces that its triangles are, or `null` for all.
 * @param {import("three").BufferGeometry} geometry
 * @param {{ start: number, count: number } | null} [range]
 * @param {import("../structs.js").Precision} [precision] without it that of the positions: floats, or doubles of whatever else
 *   they are
 */
export function meshOf(geometry, range, precision) {
  const { position } = geometry.attributes;
  if (!position) throw new TypeError("the geometry has no positions");
  /** @type {any} */
  const index = geometry.index?.array;
  if (index && !INDICES.includes(index.constructor)) {
    throw new TypeError(`the index is a ${index.constructor.name}, not whole numbers such as a Uint32Array`);
  }
  const { positions, stride } = positionsOf(position);
  const { faces, count } = facesOf(geometry, range);
  const options = { stride, precision: precision ?? (positions instanceof Float32Array ? "f32" : "f64") };
  const corner = index ? (i) => index[i] : (i) => i;
  const make = (of) => {
    if (of === null) {
      // Corners behind the last whole face are none of a face.
      const used = index ? positions : positions.subarray(0, count > 0 ? stride * (3 * count - 1) + 3 : 0);
      return { mesh: new Mesh(used, index ? index.subarray(0, 3 * count) : null, options), faces: of };
    }
    const indices = new (index ? index.constructor : Uint32Array)(3 * of.length);
    of.forEach((face, i) => {
      for (let side = 0; side < 3; side += 1) indices[3 * i + side] = corner(3 * face + side);
    });
    return { mesh: new Mesh(positions, indices, options), faces: of };
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

/**
 * Returns the numbers of the corners of a face.
 * @param {import("three").BufferGeometry} geometry
 * @param {number} face
 */
export function cornersOf({ index }, face) {
  const first = 3 * face;
  return index ? [index.getX(first), index.getX(first + 1), index.getX(first + 2)] : [first, first + 1, first + 2];
}

/**
 * Sets a triangle to a face.
 * @template {import("three").Triangle} T
 * @param {T} triangle
 * @param {import("three").BufferGeometry} geometry
 * @param {number} face
 * @returns {T}
 */
export function setTriangle(triangle, geometry, face) {
  const [a, b, c] = cornersOf(geometry, face);
  const { position } = geometry.attributes;
  triangle.a.fromBufferAttribute(position, a);
  triangle.b.fromBufferAttribute(position, b);
  triangle.c.fromBufferAttribute(position, c);
  return triangle;
}
