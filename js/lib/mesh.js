// Meshes.

import { library } from "./library.js";
import { Handle, Made } from "./handle.js";
import { FRAMES, MESH_ARRAYS, MESH_INFO, MESH_OPTIONS, PRECISIONS, TYPES, WELDS, constant } from "./structs.js";
import { run } from "./run.js";
import { three } from "./vector.js";

/**
 * @typedef {object} MeshOptions
 * @property {import("./structs.js").Precision} [precision] `"f32"` to round coordinates to floats, `"f64"` to keep doubles,
 *   from which trees answer exactly and in doubles; without it they are rounded only where that changes nothing
 * @property {number} [stride] the numbers from one corner to the next in `positions`: 3 without it
 * @property {boolean} [skipBadFaces] leaves out faces that cannot be used, in place of an error
 * @property {"none" | "auto" | import("./types.js").Vector} [frame] where the coordinates have their origin; questions are
 *   asked in the coordinates that were given
 * @property {"none" | "auto" | number} [weld] which corners are joined: those within a distance, if it is a number
 */

/** Triangles, which were checked once. */
export class Mesh extends Handle {
  /**
   * Makes a mesh of arrays, which are copied.
   * @param {Float32Array | Float64Array} positions the coordinates of the corners: for `n` corners, at least
   *   `stride * (n - 1) + 3` numbers and at most `stride * n`
   * @param {import("./types.js").Indices | null} [indices] the numbers of each triangle's corners; without them each three
   *   corners are a triangle
   * @param {MeshOptions} [options]
   */
  constructor(positions, indices, options = {}) {
    if (positions instanceof Made) {
      super(positions.library, positions.handle);
      return;
    }
    const lib = library();
    const type = TYPES.get(/** @type {any} */ (positions?.constructor));
    if (type !== 1 && type !== 2) throw new TypeError("positions are no Float32Array or Float64Array");
    const kind = indices ? TYPES.get(/** @type {any} */ (indices.constructor)) : 6;
    if (kind === undefined || kind < 3) throw new TypeError("indices are no typed array of whole numbers");
    const stride = options.stride ?? 3;
    if (!Number.isInteger(stride) || stride < 3) throw new RangeError(`stride is ${stride}, not a number from 3`);
    const size = positions.BYTES_PER_ELEMENT;
    const rest = positions.length % stride;
    if (rest === 1 || rest === 2) {
      throw new RangeError(`there are ${positions.length} positions, of which the last ${rest} are no whole corner`);
    }
    const vertices = Math.ceil(positions.length / stride);
    const count = indices ? indices.length : vertices;
    if (count % 3 !== 0) throw new RangeError(`there are ${count} corners of triangles, not three for each`);
    super(
      lib,
      lib.with((arena) => {
        const start = arena.copy(positions);
        const values = {
          vertices,
          "positions.x": start,
          "positions.y": start + size,
          "positions.z": start + 2 * size,
          "positions.stride": stride * size,
          "positions.type": type,
          triangles: count / 3,
          "indices.data": indices ? arena.copy(indices) : 0,
          "indices.stride": indices ? 3 * indices.BYTES_PER_ELEMENT : 0,
          "indices.type": kind,
        };
        const given = [arena.struct(MESH_ARRAYS, values), optionsOf(arena, options)];
        return lib.make(arena, 1, (made) => lib.ask("estoc_mesh_from_arrays", ...given, made))[0];
      }),
    );
  }

  /**
   * Reads a file: OBJ, PLY, STL or OFF.
   * @param {import("./types.js").Bytes} bytes
   * @param {string} [name] its name, which tells the format if the bytes do not, and is in messages
   * @param {MeshOptions & import("./run.js").RunOptions} [options]
   */
  static read(bytes, name = "mesh", options = {}) {
    const lib = library();
    const [handle] = lib.with((arena) => {
      const given = [...arena.bytes(bytes), arena.text(name), optionsOf(arena, options), run(arena, options)];
      return lib.make(arena, 1, (made) => lib.ask("estoc_mesh_read", ...given, made));
    });
    return new Mesh(/** @type {any} */ (new Made(lib, handle)));
  }

  #info() {
    const { library: lib, handle } = this;
    return lib.with((arena) => {
      const at = arena.struct(MESH_INFO, {});
      lib.ask("estoc_mesh_get_info", handle, at);
      const info = MESH_INFO.read(lib.view(), at);
      const word = (name) => Number(info[name]) >>> 0;
      const triple = (name) => [0, 1, 2].map((axis) => Number(info[`${name}.${axis}`]));
      return { word, triple };
    });
  }

  /** The number of corners. */
  get vertexCount() {
    return this.#info().word("vertices");
  }

  /** The number of triangles. */
  get triangleCount() {
    return this.#info().word("triangles");
  }

  /** The type of the coordinates. @returns {import("./structs.js").Precision} */
  get precision() {
    return this.#info().word("positions.type") === 2 ? "f64" : "f32";
  }

  /** The origin of the coordinates. */
  get origin() {
    return this.#info().triple("origin");
  }

  /** The corners of the smallest box around all triangles, relative to the origin; `null` without triangles. */
  get bounds() {
    const { triple } = this.#info();
    const [min, max] = [triple("min"), triple("max")];
    return min[0] <= max[0] ? { min, max } : null;
  }

  /** A copy of the coordinates of the corners, relative to the origin. @returns {Float32Array | Float64Array} */
  get positions() {
    const { word } = this.#info();
    const Numbers = word("positions.type") === 2 ? Float64Array : Float32Array;
    const [count, stride] = [word("vertices"), word("positions.stride") / Numbers.BYTES_PER_ELEMENT];
    if (count === 0) return new Numbers(0);
    const all = new Numbers(this.library.memory.buffer, word("positions.x"), stride * (count - 1) + 3);
    if (stride === 3) return all.slice();
    return new Numbers(3 * count).map((_, i) => all[Math.floor(i / 3) * stride + (i % 3)]);
  }

  /** A copy of the numbers of the corners, three for each triangle. */
  get indices() {
    const { word } = this.#info();
    const count = 3 * word("triangles");
    return count === 0 ? new Uint32Array(0) : new Uint32Array(this.library.memory.buffer, word("indices"), count).slice();
  }
}

/**
 * Writes options of meshes.
 * @param {any} arena
 * @param {MeshOptions} options
 */
function optionsOf(arena, { precision, skipBadFaces, frame, weld }) {
  const at = typeof frame === "object" ? three(frame) : [0, 0, 0];
  return arena.struct(MESH_OPTIONS, {
    precision: precision === undefined ? 0 : constant(PRECISIONS, precision, "precision"),
    skip_bad_faces: Number(Boolean(skipBadFaces)),
    frame: typeof frame === "object" ? 2 : constant(FRAMES, frame, "frame"),
    "origin.0": at[0],
    "origin.1": at[1],
    "origin.2": at[2],
    weld: typeof weld === "number" ? 2 : constant(WELDS, weld, "weld"),
    weld_distance: typeof weld === "number" ? weld : 0,
  });
}
