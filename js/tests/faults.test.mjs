// What happens after a trap, which no input should lead to: here one is made by the memory of the module itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Bvh, EstocError, init } from "../index.js";
import { cube, tree } from "./cube.mjs";

test("nothing works before init", () => {
  assert.throws(() => cube(), /await init\(\) before anything else/);
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
  await init();
});
