// Trees over the triangles of meshes.

import { library } from "./library.js";
import { Made } from "./handle.js";
import { Mesh } from "./mesh.js";
import { run } from "./run.js";
import { BUILD, QUALITIES, TYPES, constant } from "./structs.js";
import { World } from "./world.js";

/**
 * @typedef {object} BuildOptions
 * @property {import("./structs.js").Quality} [quality]
 * @property {number} [memoryBudget] the most bytes of the tree, which is then slower to ask
 * @property {Uint32Array} [masks] the groups of each triangle, as bits; see `mask` of {@link RayOptions}
 */

/** A tree over the triangles of a mesh. */
export class Bvh extends World {
  /**
   * Builds the tree, in this thread; {@link Bvh.build} builds it in another.
   * @param {Mesh} mesh
   * @param {BuildOptions & import("./run.js").RunOptions} [options]
   */
  constructor(mesh, options = {}) {
    super(mesh instanceof Made ? mesh : built(mesh, options));
  }

  /**
   * Returns a tree that {@link Bvh.toBytes} or the command `estoc build` wrote, and its mesh.
   * @param {import("./types.js").Bytes} bytes
   * @param {import("./run.js").RunOptions} [options]
   */
  static read(bytes, options = {}) {
    const lib = library();
    const [ofWorld, ofMesh] = lib.with((arena) => {
      const given = [...arena.bytes(bytes), arena.text("tree"), run(arena, options)];
      return lib.make(arena, 2, (...made) => lib.ask("estoc_world_read", ...given, ...made));
    });
    const mesh = new Mesh(/** @type {any} */ (new Made(lib, ofMesh)));
    return { bvh: new Bvh(/** @type {any} */ (new Made(lib, ofWorld))), mesh };
  }

  /**
   * Takes the triangles of another mesh in place of its own, moved: in a fraction of the time of a build. Returns whether a
   * new tree would answer much faster. Scenes that hold the tree keep the triangles that it had when it was added.
   * @param {Mesh} mesh with as many triangles
   */
  refit(mesh) {
    const { library: lib } = this;
    return lib.with((arena) => {
      const [given, rebuild] = [[this.handle, mesh.of(lib), run(arena, {})], arena.allocate(4)];
      const [handle] = lib.make(arena, 1, (made) => lib.ask("estoc_world_refit", ...given, made, rebuild));
      this.replace(handle);
      return lib.view().getUint32(rebuild, true) === 1;
    });
  }

  /**
   * Returns the bytes of a tree file.
   * @param {Mesh} [mesh] that of which the tree was built, for its names
   * @param {import("./run.js").RunOptions} [options]
   */
  toBytes(mesh, options = {}) {
    const { library: lib } = this;
    /** @type {Uint8Array[]} */
    const pieces = [];
    const write = (start, size) => void pieces.push(new Uint8Array(lib.memory.buffer, start >>> 0, size >>> 0).slice());
    lib.with((arena) => {
      const [ofMesh, how] = [mesh ? mesh.of(lib) : 0, run(arena, options)];
      lib.ask("estoc_world_write", this.handle, ofMesh, how, ...lib.callback(4, write));
    });
    const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    pieces.reduce((at, piece) => (bytes.set(piece, at), at + piece.length), 0);
    return bytes;
  }
}

function built(mesh, options) {
  const lib = library();
  const ofMesh = mesh.of(lib);
  const { masks } = options;
  if (masks && TYPES.get(/** @type {any} */ (masks.constructor)) !== 6) throw new TypeError("masks are no Uint32Array");
  if (masks && masks.length !== mesh.triangleCount) {
    throw new RangeError(`there are ${masks.length} masks for ${mesh.triangleCount} triangles`);
  }
  const [handle] = lib.with((arena) => {
    const build = arena.struct(BUILD, {
      quality: constant(QUALITIES, options.quality, "quality"),
      memory_budget: options.memoryBudget ?? 0,
      "masks.data": masks ? arena.copy(masks) : 0,
      "masks.stride": 4,
      "masks.type": 6,
    });
    const how = run(arena, options);
    return lib.make(arena, 1, (made) => lib.ask("estoc_world_build", ofMesh, build, how, made));
  });
  return new Made(lib, handle);
}
