// What gpu.test.mjs runs in a page: each function throws, or returns what it has found.

import { Batch, Bvh, Mesh, init } from "../index.js";
import { GpuBvh } from "../gpu.js";
import { cube, random, tree } from "./cube.mjs";

await init();

const batch = new Batch();

function assert(holds, sentence) {
  if (!holds) throw new Error(sentence);
}

/** Fails unless all columns have the same bits. */
function assertSame(found, wanted, what) {
  assert(Object.keys(found).join() === Object.keys(wanted).join(), `${what}: ${Object.keys(found)}, not ${Object.keys(wanted)}`);
  for (const [name, column] of Object.entries(wanted)) {
    assert(found[name].constructor === column.constructor && found[name].length === column.length, `${what}: ${name} is another array`);
    const [a, b] = [found[name], column].map(({ buffer }) => new Uint8Array(buffer));
    const at = a.findIndex((byte, i) => byte !== b[i]);
    assert(at < 0, `${what}: ${name} differs at byte ${at}`);
  }
}

/** Fails unless a GpuBvh has the answers of the tree. Returns the number of hits. */
async function assertAnswers(gpu, bvh, rays, options, what) {
  const wanted = batch.closestHits(bvh, rays, options);
  assertSame(await gpu.closestHits(rays, options), wanted, `closest hits, ${what}`);
  assertSame(await gpu.anyHits(rays, options), batch.anyHits(bvh, rays, options), `any hits, ${what}`);
  return wanted.prim.filter((prim) => prim !== 0xffffffff).length;
}

async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    return `${error.name} ${error.code}: ${error.message}`;
  }
  throw new Error("there is no error");
}

/** A closed uneven box of many squares, whose corners have few bits. */
function hull(side) {
  const corners = [];
  const put = (axis, sign, u, v) => {
    const point = [0, 0, 0];
    point[axis] = sign;
    point[(axis + 1) % 3] = (2 * u) / side - 1;
    point[(axis + 2) % 3] = (2 * v) / side - 1;
    corners.push(...point.map((x) => x * (1 + Math.round(8 * point[0] * point[1]) / 32)));
  };
  for (let axis = 0; axis < 3; axis += 1) {
    for (const sign of [-1, 1]) {
      for (let u = 0; u < side; u += 1) {
        for (let v = 0; v < side; v += 1) {
          for (const [du, dv] of [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]) put(axis, sign, u + du, v + dv);
        }
      }
    }
  }
  return Float32Array.from(corners);
}

function soup(count) {
  const next = random(5);
  return Float32Array.from({ length: 9 * count }, (_, i) => (i % 9 < 3 ? 1 : 0.9) * (2 * next() - 1) + (Math.floor(i / 9) % 7) / 3);
}

/** Rays at a mesh: random, through corners and middles of edges, undefined, far, short, long, along axes. */
function raysAt(corners, count, seed) {
  const next = random(seed);
  const [origins, directions] = [new Float32Array(3 * count), new Float32Array(3 * count)];
  for (let i = 0; i < count; i += 1) {
    const kind = i % 8;
    const triangle = corners.length < 9 ? [] : corners.subarray(9 * Math.floor((corners.length / 9) * next())).subarray(0, 9);
    const at = [0, 1, 2].map((axis) => {
      const [a, b, c] = [0, 3, 6].map((corner) => triangle[corner + axis] ?? 0);
      return kind === 1 ? a : kind === 2 ? (a + b) / 2 : a + (b - a) * next() * 0.5 + (c - a) * next() * 0.5;
    });
    const way = [0, 1, 2].map((axis) => (kind === 3 ? Number(axis === i % 3) : Math.round(64 * next() - 32) / 16));
    const [far, length] = [[1, 4, 2 ** 12, 2 ** 30][(i >> 3) % 4], [1, 2 ** -100, 2 ** 100, 2 ** -140][(i >> 5) % 4]];
    for (let axis = 0; axis < 3; axis += 1) {
      origins[3 * i + axis] = kind === 0 ? 4 * next() - 2 : at[axis] - far * way[axis];
      directions[3 * i + axis] = way[axis] * length;
    }
    if (kind === 4 && i % 3 === 0) directions.fill(0, 3 * i, 3 * i + 3);
    if (kind === 5 && i % 5 === 0) origins[3 * i + 1] = [NaN, Infinity, -3e38, 1e-42, -0][Math.floor(5 * next())];
  }
  return { origins, directions };
}

/** Whether there is a device. */
export const hasDevice = async () => Boolean(await navigator.gpu?.requestAdapter());

/** Answers at several meshes, with options. */
export async function answers() {
  const meshes = { hull: hull(12), soup: soup(900), one: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), empty: new Float32Array(0) };
  let hits = 0;
  let device;
  for (const [name, corners] of Object.entries(meshes)) {
    const bvh = new Bvh(new Mesh(corners), { masks: Uint32Array.from({ length: corners.length / 9 }, (_, i) => 1 + (i % 3)) });
    const gpu = await GpuBvh.create(bvh, { device });
    device ??= gpu.device;
    const rays = raysAt(corners, 5003, 11);
    const next = random(3);
    const tMin = Float32Array.from({ length: 5003 }, () => (next() < 0.5 ? 0 : next()));
    for (const options of [{}, { cull: "back" }, { skip: 0 }, { mask: 1 }, { mask: 0 }, { tMin: 0.5, tMax: 4, openEnds: true }]) {
      hits += await assertAnswers(gpu, bvh, rays, options, `${name}, ${JSON.stringify(options)}`);
    }
    hits += await assertAnswers(gpu, bvh, { ...rays, tMin, tMax: Float64Array.from(tMin, (t) => 2 * t + 1) }, {}, `${name}, own ends`);
    const inDoubles = { origins: Float64Array.from(rays.origins, (x) => x + 1e-9), directions: Float64Array.from(rays.directions) };
    hits += await assertAnswers(gpu, bvh, inDoubles, {}, `${name}, in doubles`);
    for (const options of [{ filter: () => true }, { after: 0 }]) {
      const error = await errorOf(gpu.closestHits(rays, options));
      assert(error.startsWith("TypeError undefined: a GpuBvh takes no filter and no after"), error);
    }
    const wrong = await errorOf(gpu.anyHits({ ...rays, directions: new Float32Array(3) }));
    assert(wrong.endsWith("there are 1 triples for dir, not 5003"), wrong);
  }
  return hits;
}

/** Answers of numbers of rays around those of groups and chunks, and of questions at the same time. */
export async function counts() {
  const corners = hull(6);
  const bvh = new Bvh(new Mesh(corners));
  const gpu = await GpuBvh.create(bvh);
  for (const count of [0, 1, 63, 64, 65, 1000, 2 ** 17 + 1, 2 ** 18 + 77]) {
    const rays = raysAt(corners, count, count);
    await assertAnswers(gpu, bvh, { ...rays, tMax: Float32Array.from({ length: count }, (_, i) => 2 ** (i % 9)) }, {}, `${count} rays`);
  }
  const several = [1, 100, 2 ** 17 + 5, 7].map((count) => raysAt(corners, count, count));
  const found = await Promise.all(several.map((rays) => gpu.closestHits(rays)));
  several.forEach((rays, i) => assertSame(found[i], batch.closestHits(bvh, rays), `question ${i}`));
  gpu.free();
  bvh.free();
}

/** Devices of the page's own, and trees that change or end. */
export async function devices() {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const corners = soup(200);
  const rays = raysAt(corners, 999, 1);
  const bvh = new Bvh(new Mesh(corners));
  const gpu = await GpuBvh.create(bvh, { device });
  assert(gpu.device === device, "it is another device");
  const wanted = batch.closestHits(bvh, rays);
  bvh.refit(new Mesh(corners.map((x) => x + 9)));
  assertSame(await gpu.closestHits(rays), wanted, "after a refit");
  const other = await GpuBvh.create(bvh, { device });
  await assertAnswers(other, bvh, rays, {}, "refitted");
  bvh.free();
  assertSame(await gpu.closestHits(rays), wanted, "after an end of the tree");
  gpu.free();
  gpu.free();
  const errors = [await errorOf(gpu.closestHits(rays)), await errorOf(GpuBvh.create(bvh, { device }))];
  // The page's own device goes on.
  const asked = other.closestHits(raysAt(corners, 2 ** 17 + 5, 2));
  other.free();
  errors.push(await errorOf(asked));
  (await GpuBvh.create(tree(), { device })).free();
  errors.push(await errorOf(GpuBvh.create(tree(Float64Array), { device })));
  return errors;
}

/** Buffers that hold few triangles, by a device that tells other limits. */
export async function parts() {
  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
  const limited = changed(device, { limits: { maxBufferSize: 48 * 100, maxStorageBufferBindingSize: 2 ** 30 } });
  const corners = soup(1);
  const gpu = await GpuBvh.create(new Bvh(new Mesh(corners)), { device });
  gpu.free();
  for (const side of [2, 3, 4]) {
    const bvh = new Bvh(new Mesh(hull(side)));
    await assertAnswers(await GpuBvh.create(bvh, { device: limited }), bvh, raysAt(hull(side), 1003, side), {}, `${bvh.triangleCount}`);
  }
  return errorOf(GpuBvh.create(new Bvh(new Mesh(soup(257))), { device: limited }));
}

/** A device in the place of another one. */
function changed(device, properties) {
  return new Proxy(device, {
    get(of, name) {
      if (name in properties) return properties[name];
      const found = of[name];
      return typeof found === "function" ? found.bind(of) : found;
    },
  });
}

/** Devices that go away. */
export async function lost() {
  const bvh = new Bvh(new Mesh(hull(12)));
  const gpu = await GpuBvh.create(bvh);
  const rays = raysAt(hull(12), 2 ** 18 + 1, 3);
  const asked = gpu.closestHits(rays);
  gpu.device.destroy();
  const errors = [await errorOf(asked), await errorOf(gpu.anyHits(rays)), await errorOf(GpuBvh.create(bvh, { device: gpu.device }))];
  gpu.free();
  // One that goes away while chunks are decided.
  const second = await GpuBvh.create(bvh);
  setTimeout(() => second.device.destroy(), 20);
  errors.push(await errorOf((async () => {
    for (;;) await second.closestHits(rays);
  })()));
  await assertAnswers(await GpuBvh.create(bvh), bvh, raysAt(hull(12), 1000, 4), {}, "a new device");
  return errors;
}

/** Devices that compute wrongly: they lose hits, or are certain of hits that are none. */
export async function refused() {
  const errors = [];
  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
  const wrongs = [
    ["const ROUNDINGS = 10.0", "const ROUNDINGS = -10.0"],
    ["const BOX_ROUNDINGS = 14.0", "const BOX_ROUNDINGS = -1e4"],
    ["hit.low > limit", "hit.low > limit - 0.5"],
    ["all(lows > vec3<f32>(0.0)) ||", "all(lows > vec3<f32>(-1.0)) ||"],
    ["fn trace(", "fn trace(("],
  ];
  for (const [right, wrong] of wrongs) {
    const createShaderModule = ({ code }) => {
      assert(code.includes(right), `the kernel has no ${right}`);
      return device.createShaderModule({ code: code.replace(right, wrong) });
    };
    errors.push(await errorOf(GpuBvh.create(tree(), { device: changed(device, { createShaderModule }) })));
  }
  (await GpuBvh.create(new Bvh(cube()), { device })).free();
  return errors;
}
