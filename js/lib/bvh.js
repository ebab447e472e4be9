// Trees over the triangles of meshes.

import { EstocError, library } from "./library.js";
import { Made } from "./handle.js";
import { Mesh } from "./mesh.js";
import { nodesOf } from "./nodes.js";
import { run } from "./run.js";
import { BUILD, QUALITIES, TYPES, constant } from "./structs.js";
import { World } from "./world.js";

/**
 * @typedef {object} BuildOptions
 * @property {import("./structs.js").Quality} [quality]
 * @property {number} [memoryBudget] the most bytes of the tree, which is then slower to ask
 * @property {Uint32Array} [masks] the groups of each triangle, as bits; see `mask` of {@link RayOptions}
 */

/**
 * @typedef {object} BuildElsewhere
 * @property {(done: number, total: number) => void} [progress] told the units of work that are done, and of all
 * @property {AbortSignal} [signal] ends the build, which then fails with the signal's reason
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
   * Makes a mesh of arrays, which are copied, and builds its tree, both in another thread. Answers may be asked meanwhile.
   * @param {Float32Array | Float64Array} positions
   * @param {import("./types.js").Indices | null} [indices]
   * @param {import("./mesh.js").MeshOptions & BuildOptions & BuildElsewhere} [options]
   * @returns {Promise<{ bvh: Bvh, mesh: Mesh }>}
   */
  static async build(positions, indices, options = {}) {
    const { progress, signal, ...others } = options;
    const given = { positions, indices, module: library().module, options: { ...others, hasProgress: Boolean(progress) } };
    return Bvh.read(await inWorker(given, progress, signal));
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

  /** Returns the nodes of the tree, to traverse it in other ways or to draw it. How it is split may change with any version. */
  nodes() {
    return nodesOf(this);
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

/**
 * Returns what a worker makes.
 * @param {object} given
 * @param {((done: number, total: number) => void) | undefined} progress
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Uint8Array>}
 */
async function inWorker(given, progress, signal) {
  signal?.throwIfAborted();
  /** @type {any} */
  let worker;
  if (typeof Worker === "function") worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  else {
    // In variables, so that bundlers do not look for them.
    const [threads, here] = ["node:worker_threads", import.meta.url];
    worker = new (await import(/* @vite-ignore */ threads)).Worker(new URL("./worker.js", here));
  }
  try {
    return await new Promise((resolve, reject) => {
      const take = ({ bytes, message, code, done, total }) => {
        if (bytes) resolve(bytes);
        else if (message !== undefined) reject(code ? new EstocError(code, message) : new Error(message));
        else progress?.(done, total);
      };
      const fail = (error) => reject(new Error(`the worker that builds a tree fails: ${error.message ?? error}`));
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      if (worker.on) worker.on("message", take).on("error", fail);
      else Object.assign(worker, { onmessage: ({ data }) => take(data), onerror: fail });
      worker.postMessage(given);
    });
  } finally {
    worker.terminate();
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
