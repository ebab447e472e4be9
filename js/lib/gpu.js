// Trees on graphics processors.

import { library } from "./library.js";
import { Handle, Made } from "./handle.js";
import { deviceError, opened, started, watched, why } from "./gpu-device.js";
import { QUESTIONS, asked, columnsOf, many, rayCount, tableOf } from "./many.js";
import { ASKED } from "./structs.js";
import { World } from "./world.js";

/** A `GPUDevice` of WebGPU. @typedef {any} Device */
/** @typedef {Omit<import("./world.js").RayOptions, "filter" | "after">} GpuRayOptions */

// Of WebGPU, whose names for them not every program has at hand.
const [COPY_SRC, COPY_DST, UNIFORM, STORAGE, MAP_READ, FOR_READING] = [4, 8, 64, 128, 1, 1];

/** The rays that are sent at a time: enough to keep a device busy. */
const CHUNK = 1 << 17;
/** The bytes of a triangle, and the buffers that hold all. */
const [TRIANGLE_BYTES, PARTS] = [48, 4];
const PARAM_BYTES = 48;

/**
 * A tree whose nodes and triangles are on a graphics processor, too, for batches of rays. Answers are those of
 * {@link Batch}, to the bit: the device finds what each ray may hit, and the WebAssembly decides exactly.
 */
export class GpuBvh extends Handle {
  /** A world of our own with the same tree, for what the device does not do. */
  #world;
  #started;
  #isOurs;
  #isFreed = false;
  /** The buffers of the tree, in the order of the kernel, and the logarithm of the number of triangles in each. */
  #buffers;
  #part;
  /** Buffers for a chunk that no chunk uses. */
  #lanes = /** @type {any[]} */ ([]);

  /** @internal */
  constructor(made, world, uploaded, begun, isOurs) {
    super(made.library, made.handle);
    this.#world = world;
    this.#buffers = uploaded.buffers;
    this.#part = uploaded.part;
    this.#started = begun;
    this.#isOurs = isOurs;
  }

  /**
   * Copies the tree of a mesh in floats to a device. It keeps these triangles when the tree is freed or refitted.
   * @param {import("./bvh.js").Bvh} bvh
   * @param {{ device?: Device }} [options] a device of the page's own, such as that of `gpu.device`; a new one without it
   * @returns {Promise<GpuBvh>}
   */
  static async create(bvh, options = {}) {
    bvh.of(library());
    const isOurs = !options.device;
    const device = options.device ?? (await opened());
    try {
      const begun = await started(device, upload);
      return await upload(bvh, begun, isOurs);
    } catch (error) {
      if (isOurs) device.destroy();
      throw error;
    }
  }

  /** The device, for other trees. @returns {Device} */
  get device() {
    return this.#started.device;
  }

  /**
   * Returns the first hits: `t`, `prim`, `u`, `v`. The rays must not change until then.
   * @param {import("./batch.js").Rays} rays
   * @param {GpuRayOptions} [options]
   * @returns {Promise<import("./types.js").Columns>}
   */
  closestHits(rays, options = {}) {
    return this.#ask("closestHits", rays, options);
  }

  /**
   * Returns which rays hit anything: `found`, 1 or 0. The rays must not change until then.
   * @param {import("./batch.js").Rays} rays
   * @param {GpuRayOptions} [options]
   * @returns {Promise<import("./types.js").Columns>}
   */
  anyHits(rays, options = {}) {
    return this.#ask("anyHits", rays, options);
  }

  /** Gives the memory back, here and on the device, which ends if it is not the page's own. Answers on their way fail. */
  free() {
    super.free();
    this.#isFreed = true;
    this.#world.free();
    for (const buffer of [...this.#buffers, ...this.#lanes.flatMap(({ all }) => all)]) buffer.destroy();
    this.#lanes.length = 0;
    if (this.#isOurs) this.device.destroy();
  }

  async #ask(question, rays, options) {
    const { filter, after } = /** @type {any} */ (options);
    if (filter || (after ?? null) !== null) throw new TypeError("a GpuBvh takes no filter and no after; ask a Batch");
    const count = rayCount(rays);
    const columns = columnsOf(this.#world, QUESTIONS[question][2]).map(({ name, Numbers, width }) => [name, new Numbers(count * width)]);
    const answers = Object.fromEntries(columns);
    // While the answers of one chunk are decided, the device traces the next one.
    let [sent, last] = /** @type {any[]} */ ([]);
    for (let first = 0; first < count || sent; first += CHUNK) {
      try {
        last = sent;
        sent = first < count ? this.#send(question, part(rays, first, Math.min(first + CHUNK, count)), options, first) : undefined;
        if (last) this.#decide(question, last, await last.words, answers);
      } catch (error) {
        sent?.release();
        // Buffers that were destroyed are no fault of the device: this throws then.
        void this.handle;
        throw error;
      } finally {
        last?.release();
      }
    }
    return answers;
  }

  /** Sends a chunk of rays to the device. */
  #send(question, rays, options, first) {
    const { library: lib } = this;
    const arena = lib.arena();
    const release = () => {
      if (lib.fault === undefined) arena.free();
    };
    try {
      const { given, count } = asked(this.#world, arena, QUESTIONS[question], rays, options);
      const outputs = columnsOf(this.#world, QUESTIONS[question][2]).map((of) => {
        return { ...of, start: arena.allocate(of.Numbers.BYTES_PER_ELEMENT * of.width * count) };
      });
      const [number, ofRays, how] = given;
      const table = tableOf(arena, outputs);
      const ask = arena.struct(ASKED, { question: number, rays: ofRays, options: how, outputs: table, output_count: outputs.length });
      const [words, params] = [arena.allocate(36 * count), arena.copy(new Uint32Array(PARAM_BYTES / 4))];
      lib.ask("estoc_js_gpu_rays", this.handle, ask, this.#part, words, params);
      const [traced, rayWords, answerWords] = [3, 8, 9].map((at) => lib.view().getUint32(params + 4 * at, true));
      const sent = { ask, outputs, arena, release, first, count, rays, options };
      // Such as rays in doubles.
      if (traced === 0) return { ...sent, words: Promise.resolve(undefined) };
      const bytes = { rays: 4 * traced * rayWords, answers: 4 * traced * answerWords };
      const told = this.#traced(words, params, traced, bytes);
      // Where the chunk before fails, nobody waits for this one.
      told.catch(() => {});
      return { ...sent, words: told };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Traces rays whose words are in the memory of the module, and returns the words of their answers. */
  async #traced(words, params, count, bytes) {
    const { device, pipeline } = this.#started;
    const { buffer: memory } = this.library.memory;
    try {
      const { made: lane, errors } = watched(device, () => {
        const lane = this.#lane(bytes);
        device.queue.writeBuffer(lane.params, 0, memory, params, PARAM_BYTES);
        device.queue.writeBuffer(lane.rays, 0, memory, words, bytes.rays);
        const encoder = device.createCommandEncoder();
        // What is not written is no answer.
        encoder.clearBuffer(lane.answers, 0, bytes.answers);
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, lane.group);
        pass.dispatchWorkgroups(Math.ceil(count / 64));
        pass.end();
        encoder.copyBufferToBuffer(lane.answers, 0, lane.read, 0, bytes.answers);
        device.queue.submit([encoder.finish()]);
        return lane;
      });
      await Promise.all([errors, lane.read.mapAsync(FOR_READING, 0, bytes.answers)]);
      const answers = new Uint32Array(lane.read.getMappedRange(0, bytes.answers)).slice();
      lane.read.unmap();
      if (this.#lanes.length < 2 && !this.#isFreed) this.#lanes.push(lane);
      else for (const buffer of lane.all) buffer.destroy();
      return answers;
    } catch (error) {
      throw await why(device, error);
    }
  }

  /** Returns buffers for a chunk. */
  #lane(bytes) {
    const { device, pipeline } = this.#started;
    const kept = this.#lanes.pop();
    if (kept && kept.rays.size >= bytes.rays && kept.answers.size >= bytes.answers) return kept;
    for (const buffer of kept?.all ?? []) buffer.destroy();
    const buffer = (size, usage) => device.createBuffer({ size, usage });
    const params = buffer(PARAM_BYTES, UNIFORM | COPY_DST);
    const rays = buffer(bytes.rays, STORAGE | COPY_DST);
    const answers = buffer(bytes.answers, STORAGE | COPY_SRC | COPY_DST);
    const read = buffer(bytes.answers, MAP_READ | COPY_DST);
    const entries = [params, ...this.#buffers, rays, answers].map((buffer, binding) => ({ binding, resource: { buffer } }));
    const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
    return { params, rays, answers, read, group, all: [params, rays, answers, read] };
  }

  /** Decides what the rays of a chunk hit, by the words that the device has written of them. */
  #decide(question, { ask, outputs, arena, first, count, rays, options }, words, answers) {
    const { library: lib } = this;
    if (!words) {
      const found = many(this.#world, question, rays, options);
      for (const [name, column] of Object.entries(found)) answers[name].set(column, first);
      return;
    }
    lib.ask("estoc_js_gpu_answer", this.handle, ask, arena.copy(words), words.length);
    for (const { name, Numbers, width, start } of outputs) {
      answers[name].set(new Numbers(lib.memory.buffer, start, count * width), first * width);
    }
  }
}

/** Returns some of the rays. */
function part({ origins, directions, tMin, tMax }, from, to) {
  const each = (of) => (typeof of === "object" ? of?.subarray(from, to) : of);
  return { origins: origins.subarray(3 * from, 3 * to), directions: directions.subarray(3 * from, 3 * to), tMin: each(tMin), tMax: each(tMax) };
}

/** Copies a tree to a device. */
async function upload(bvh, begun, isOurs) {
  const { library: lib } = bvh;
  const { device } = begun;
  const most = Math.min(device.limits.maxBufferSize, device.limits.maxStorageBufferBindingSize);
  // A part has a power of two of triangles.
  const part = Math.min(30, Math.floor(Math.log2(most / TRIANGLE_BYTES)));
  const check = (isTooLarge) => {
    if (!isTooLarge) return;
    const sentence = `a tree of ${bvh.triangleCount} triangles is too large for the device, whose buffers have at most ${most} bytes`;
    throw deviceError(`${sentence}; ask a Batch, or split the mesh`);
  };
  check(bvh.triangleCount > PARTS * 2 ** part);
  const { tree, uploads, places } = lib.with((arena) => {
    const places = arena.allocate(16);
    const [tree, uploads] = lib.make(arena, 2, (...made) => lib.ask("estoc_js_gpu_tree", bvh.handle, ...made, places));
    return { tree, uploads, places: [0, 4, 8, 12].map((at) => lib.view().getUint32(places + at, true)) };
  });
  const made = new Made(lib, tree);
  /** @type {any[]} */
  const buffers = [];
  /** @type {World | undefined} */
  let world;
  try {
    const [nodes, nodeWords, triangles, triangleWords] = places;
    check(4 * nodeWords > most);
    // Now, as it may be refitted while the device is waited for.
    lib.ask("estoc_retain", bvh.handle);
    world = new World(new Made(lib, bvh.handle));
    const { errors } = watched(device, () => {
      const put = (start, bytes) => {
        // A buffer may not be empty.
        const buffer = device.createBuffer({ size: Math.max(bytes, 80), usage: STORAGE | COPY_DST });
        buffers.push(buffer);
        if (bytes > 0) device.queue.writeBuffer(buffer, 0, lib.memory.buffer, start, bytes);
      };
      put(nodes, 4 * nodeWords);
      const [all, step] = [4 * triangleWords, TRIANGLE_BYTES * 2 ** part];
      for (let i = 0; i < PARTS; i += 1) put(triangles + i * step, Math.max(0, Math.min(step, all - i * step)));
      device.queue.submit([]);
    });
    lib.release(uploads);
    await errors.catch(async (error) => {
      throw await why(device, error);
    });
    return new GpuBvh(made, world, { buffers, part }, begun, isOurs);
  } catch (error) {
    lib.release(tree);
    world?.free();
    for (const buffer of buffers) buffer.destroy();
    throw error;
  }
}
