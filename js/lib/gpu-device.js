// Devices of WebGPU, and whether they compute as they have to.

import { EstocError } from "./library.js";
import { Bvh } from "./bvh.js";
import { KERNEL } from "./kernel.js";
import { many } from "./many.js";
import { Mesh } from "./mesh.js";

/** Returns an error about a device. */
export const deviceError = (sentence) => new EstocError("ESTOC_DEVICE", sentence);

/** Returns a new device. */
export async function opened() {
  const { gpu } = /** @type {any} */ (globalThis.navigator ?? {});
  if (!gpu) {
    throw deviceError("there is no WebGPU here: it needs a browser that has it, and a page by https or of localhost; ask a Batch");
  }
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw deviceError("WebGPU finds no graphics processor here that it can use; ask a Batch");
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  try {
    return await adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
  } catch (error) {
    throw deviceError(`the graphics processor cannot be used: ${/** @type {any} */ (error).message}; ask a Batch`);
  }
}

/**
 * Does work with a device. Returns what it returns, and a promise that fails with the first error of the device.
 * @template T
 * @param {any} device
 * @param {() => T} work
 */
export function watched(device, work) {
  const filters = ["validation", "internal", "out-of-memory"];
  for (const filter of filters) device.pushErrorScope(filter);
  const end = async () => {
    const found = await Promise.all(filters.map(() => device.popErrorScope()));
    // All goes well with a device that is lost.
    const error = found.find((error) => error) ?? (await Promise.race([device.lost, undefined]));
    if (error) throw new Error(error.message || "there is no memory for its buffers");
  };
  try {
    const made = work();
    return { made, errors: end() };
  } catch (error) {
    end().catch(() => {});
    throw error;
  }
}

/** Returns the error for a failure of a device: that it was lost, where that is why. */
export async function why(device, error) {
  // What was lost is told a little later than what fails by it.
  const lost = await Promise.race([device.lost, new Promise((resolve) => setTimeout(resolve, 500))]);
  if (!lost) return deviceError(`the device failed: ${error.message}; ask a Batch`);
  return deviceError(`the device was lost: ${lost.message || lost.reason}; create the GpuBvh again, or ask a Batch`);
}

/** What devices have begun with. @type {WeakMap<any, Promise<{ device: any, pipeline: any }>>} */
const STARTED = new WeakMap();

/** Returns a device with its kernel, after a check, which is done once. */
export function started(device, upload) {
  let begun = STARTED.get(device);
  if (!begun) {
    begun = start(device, upload);
    STARTED.set(device, begun);
    begun.catch(() => STARTED.delete(device));
  }
  return begun;
}

async function start(device, upload) {
  let begun;
  try {
    const { made: module, errors } = watched(device, () => device.createShaderModule({ code: KERNEL }));
    const compute = { module, entryPoint: "trace" };
    const [pipeline] = await Promise.all([device.createComputePipelineAsync({ layout: "auto", compute }), errors]);
    begun = { device, pipeline };
  } catch (error) {
    throw await why(device, error);
  }
  const bvh = new Bvh(new Mesh(hostileCorners()));
  const gpu = await upload(bvh, begun, false);
  try {
    const rays = hostileRays();
    for (const question of ["closestHits", "anyHits"]) {
      const [found, wanted] = [await gpu[question](rays), many(bvh, question, rays, {})];
      for (const [name, column] of Object.entries(wanted)) {
        const bytes = [found[name], column].map(({ buffer }) => new Uint8Array(buffer));
        if (bytes[0].some((byte, i) => byte !== bytes[1][i])) {
          throw deviceError("the device computes wrongly, and is not used; update the browser and the driver, or ask a Batch");
        }
      }
    }
  } finally {
    gpu.free();
    bvh.free();
  }
  return begun;
}

/** The squares on each side of the mesh of the check. */
const SIDE = 8;
const heightOf = (x, y) => ((3 * x + 5 * y + x * y) % 7) / 4;

/** Returns the corners of an uneven sheet, with long thin triangles below it. */
function hostileCorners() {
  const corners = [];
  const push = (...points) => points.forEach(([x, y]) => corners.push(x, y, heightOf(x, y)));
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      push([x, y], [x + 1, y], [x, y + 1]);
      push([x + 1, y + 1], [x, y + 1], [x + 1, y]);
    }
    corners.push(0, y, -1, SIDE, y, -1, SIDE, y + 2 ** -20, -1, 0, y, -2, SIDE, y, -2, SIDE, y + 1, -2);
  }
  return Float32Array.from(corners);
}

/** Returns rays through corners, middles of edges and other points, from near and far, by directions of any length. */
function hostileRays() {
  const [origins, directions] = /** @type {number[][]} */ ([[], []]);
  const ways = [[0, 0, -1], [1, 0, 0], [0, 1, 0], [1, 1, 0], [1, -2, -4], [-0.25, 0.125, -1], [1, 0, 2 ** -30], [0.3, 0.7, -0.2]];
  for (let y = 0; y <= 2 * SIDE; y += 1) {
    for (let x = 0; x <= 2 * SIDE; x += 1) {
      const corner = [Math.floor(x / 2), Math.floor(y / 2)];
      const point = [x / 2, y / 2, heightOf(...corner)];
      const [way, far, length] = [ways[(x + 3 * y) % 8], [1, 3, 64, 2 ** 14][(x + y) % 4], [1, 2 ** -60, 2 ** 60, 3][(x * y + x) % 4]];
      for (const from of [far, -far, 0]) {
        point.forEach((at, axis) => origins.push(at - from * way[axis]));
        for (const at of way) directions.push(at * length);
      }
    }
  }
  return { origins: Float32Array.from(origins), directions: Float32Array.from(directions) };
}
