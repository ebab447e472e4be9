// What happens after a trap, which no input should lead to: here one is made by the memory of the module itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readFile } from "node:fs/promises";
import { Bvh, EstocError, Mesh, Scene, init } from "../index.js";
import { cube, tree } from "./cube.mjs";

test("nothing works before init", () => {
  assert.throws(() => cube(), /await init\(\) before anything else/);
});

test("starts at the same time make one instance, and a failed one is forgotten", async () => {
  const no = new URL("./no.wasm", import.meta.url);
  const failed = await Promise.allSettled([init(no), init(no)]);
  assert.deepEqual(failed.map(({ status }) => status), ["rejected", "rejected"]);
  const starts = Array.from({ length: 3 }, async () => {
    await init();
    return cube().library;
  });
  const [first, ...others] = await Promise.all(starts);
  assert.ok(others.every((library) => library === first));
});

test("objects of two instances do not meet", async () => {
  await init();
  const [mesh, bvh] = [cube(), tree()];
  const { library } = bvh;
  library.fault = "test";
  await init();
  const [scene, other] = [new Scene(), tree()];
  const uses = () => [
    () => scene.add(bvh),
    () => new Bvh(mesh),
    () => other.refit(mesh),
    () => other.toBytes(mesh),
    () => other.visitIntersections(() => {}, bvh),
  ];
  for (const use of uses()) assert.throws(use, { code: "ESTOC_FAULT", message: "test" });
  library.fault = undefined;
  for (const use of uses()) assert.throws(use, { name: "EstocError", message: /^this (Mesh|Bvh) belongs to another instance/ });
  assert.equal(other.closestHit([0.25, 0.5, 9], [0, 0, -1]).t, 8);
  assert.equal(bvh.closestHit([0.25, 0.5, 9], [0, 0, -1]).t, 8);
});

test("a module is instantiated asynchronously, as browsers want it", async () => {
  cube().library.fault = "test";
  const bytes = await readFile(new URL("../estoc.wasm", import.meta.url));
  const { Instance } = WebAssembly;
  WebAssembly.Instance = class {
    constructor() {
      throw new RangeError("WebAssembly.Instance is disallowed on the main thread");
    }
  };
  try {
    await init(bytes);
  } finally {
    WebAssembly.Instance = Instance;
  }
  assert.equal(new Mesh(new Float32Array(9)).triangleCount, 1);
});

test("after a trap every call fails with the same sentence, until a new start", async () => {
  await init();
  await init();
  const [mesh, bvh] = [cube(), tree()];
  const { library } = bvh;
  assert.throws(() => library.call("estoc_js_callback", 99), (error) => {
    return error instanceof EstocError && error.code === "ESTOC_FAULT" && /index out of bounds/.test(error.message);
  });
  const sentence = library.fault;
  for (const use of [() => bvh.closestHit([0, 0, 9], [0, 0, -1]), () => new Bvh(mesh), () => mesh.triangleCount, () => cube()]) {
    assert.throws(use, { code: "ESTOC_FAULT", message: sentence });
  }
  bvh.free();
  await init();
  assert.equal(tree().closestHit([0.25, 0.5, 9], [0, 0, -1]).t, 8);
  assert.throws(() => new Bvh(mesh), { message: sentence });
});

test("a module that is not there is told", async () => {
  await init();
  tree().library.fault = "test";
  await assert.rejects(init(new URL("./no.wasm", import.meta.url)), /no\.wasm/);
  await assert.rejects(init("data:text/html,<!doctype html>"), /is no WebAssembly; tell init\(\) where estoc\.wasm is/);
  await init();
});
