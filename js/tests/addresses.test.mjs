// Addresses from 2^31 on, which are negative as they come from the module.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Batch, Bvh, Mesh, Scene, init } from "../index.js";
import { CORNERS, FACES, cube, tree } from "./cube.mjs";

await init();
const HALF = 2 ** 31;

/** Takes all memory below 2^31, which the system does not give as long as nothing is written there. */
function fill({ memory, functions }) {
  try {
    memory.grow(Math.ceil((HALF - memory.buffer.byteLength) / 65536));
  } catch {
    return false;
  }
  for (let size = 2 ** 20; size >= 16; size /= 2) {
    for (let at = 0; at < HALF; ) {
      at = functions.estoc_js_allocate(size) >>> 0;
      if (at === 0) return false;
    }
  }
  return true;
}

test("everything works above 2^31", (context) => {
  const { library } = cube();
  if (!fill(library)) return context.skip("there is no memory for it");
  assert.ok(library.arena().allocate(16) >= HALF);
  const [mesh, bvh] = [cube(), tree()];
  assert.deepEqual(Array.from(mesh.positions), CORNERS);
  assert.deepEqual(Array.from(mesh.indices), FACES);
  assert.throws(() => new Mesh(new Float32Array(9), Uint8Array.of(0, 1, 99)), { code: "ESTOC_BAD_MESH", message: /99/ });
  const down = [[0.25, 0.5, 9], [0, 0, -1]];
  assert.equal(bvh.closestHit(...down, { filter: ({ t }) => t > 9 }).t, 10);
  assert.deepEqual(bvh.allHits(...down).map(({ t }) => t), [8, 10]);
  assert.equal(bvh.closestPoint([0.25, 0.5, 3]).distance, 2);
  assert.equal(bvh.closestTriangles([0.25, 0.5, 3], 1)[0].point[0], 0.25);
  const rays = { origins: Float32Array.from(down[0]), directions: Float32Array.from(down[1]) };
  assert.deepEqual(Array.from(new Batch().closestHits(bvh, rays).t), [8]);
  assert.equal(bvh.section({ plane: { normal: [0, 0, 1], point: [0, 0, 0.25] } })[0].area, 4);
  assert.equal(Bvh.read(bvh.toBytes(mesh)).mesh.triangleCount, 12);
  const scene = new Scene();
  scene.add(bvh);
  assert.deepEqual(scene.commit().closestHit(...down).path, [0]);
  // The sentence of a panic is there as well.
  assert.throws(() => library.call("estoc_js_callback", 99), { code: "ESTOC_FAULT", message: /index out of bounds/ });
});
