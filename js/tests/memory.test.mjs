// The memory of the module does not grow with what is freed or forgotten, in this thread and in workers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { Bvh, Scene, init } from "../index.js";
import { cube, tree } from "./cube.mjs";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
await init();

const memory = () => tree().library.memory.buffer.byteLength;

/** Makes one of each kind of object, and asks. */
function made() {
  const mesh = cube();
  const bvh = new Bvh(mesh);
  const scene = new Scene();
  scene.add(bvh);
  const world = scene.commit();
  world.allHits([0, 0, 9], [0, 0, -1]);
  return [world, scene, bvh, mesh];
}

/** Makes and frees, or forgets, as often. */
async function rounds(count, isForgotten) {
  for (let i = 0; i < count; i += 1) {
    const objects = made();
    if (!isForgotten) for (const object of objects) object.free();
    else if (i % 100 === 99) {
      collect();
      await setImmediate();
    }
  }
}

async function growth(count, isForgotten) {
  await rounds(1000, isForgotten);
  const before = memory();
  await rounds(count, isForgotten);
  return memory() - before;
}

if (isMainThread) {
  // ROUNDS=100000 for as many as a page makes that runs for a day.
  const count = Number(process.env.ROUNDS ?? 5_000);
  for (const isForgotten of [false, true]) {
    const kind = isForgotten ? "forgotten" : "freed";
    test(`what is ${kind}`, async () => assert.equal(await growth(count, isForgotten), 0));
    test(`what is ${kind} in a worker`, async () => {
      const worker = new Worker(new URL(import.meta.url), { workerData: { count, isForgotten } });
      assert.equal(await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject)), 0);
    });
  }
} else {
  parentPort.postMessage(await growth(workerData.count, workerData.isForgotten));
}
