// Trees on devices of WebGPU: in Node, which has none, and in a browser, on a device that is computed by the processor.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { init } from "../index.js";
import { GpuBvh } from "../gpu.js";
import { launched, served, skip } from "./browser.mjs";
import { tree } from "./cube.mjs";

await init();

test("where there is no WebGPU", { skip: globalThis.navigator?.gpu ? "there is WebGPU" : false }, async () => {
  await assert.rejects(GpuBvh.create(tree()), { name: "EstocError", code: "ESTOC_DEVICE", message: /^there is no WebGPU here: .*; ask a Batch$/ });
});

test("trees on a device", { skip }, async (context) => {
  const { server, origin } = await served();
  const browser = await launched("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan", "--use-vulkan=swiftshader");
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`${origin}/package.json`);
    const run = (name) => page.evaluate(async (name) => (await import("/tests/gpu-page.mjs"))[name](), name);
    if (!(await run("hasDevice"))) {
      context.skip("the browser has no device of WebGPU");
      return;
    }
    await context.test("answers are those of the tree", async () => assert.ok((await run("answers")) > 10_000));
    await context.test("chunks of any size", () => run("counts"));
    await context.test("triangles in several buffers, and too many", async () => {
      assert.match(await run("parts"), /^EstocError ESTOC_DEVICE: a tree of 257 triangles is too large for the device, .*; ask a Batch, or split the mesh$/);
    });
    await context.test("devices of the page's own", async () => {
      const [freed, ofTree, meanwhile, wide] = await run("devices");
      assert.equal(freed, "EstocError ESTOC_RELEASED: this GpuBvh was freed");
      assert.equal(ofTree, "EstocError ESTOC_RELEASED: this Bvh was freed");
      assert.equal(meanwhile, freed);
      assert.match(wide, /^EstocError ESTOC_UNSUPPORTED: a device takes the tree of a mesh in floats without a frame; ask a Batch/);
    });
    await context.test("devices that are lost", async () => {
      const errors = await run("lost");
      for (const error of errors) assert.match(error, /^EstocError ESTOC_DEVICE: the device was lost: .+; create the GpuBvh again, or ask a Batch$/);
    });
    await context.test("devices that compute wrongly", async () => {
      const errors = await run("refused");
      assert.match(errors.pop(), /^EstocError ESTOC_DEVICE: the device failed: .*; ask a Batch$/s);
      for (const error of errors) assert.match(error, /^EstocError ESTOC_DEVICE: the device computes wrongly, and is not used; /);
    });
    await context.test("the page of the README", async () => {
      const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
      const body = [...readme.matchAll(/```html\n(.*?)\n```/gs)].map(([, page]) => page).find((page) => page.includes("GpuBvh"));
      await page.route("**/readme.html", (route) => route.fulfill({ contentType: "text/html", body: body.replaceAll("./node_modules/estoc/", "/") }));
      await page.goto(`${origin}/readme.html`);
      await page.waitForFunction(() => document.getElementById("hits").textContent !== "");
      assert.match(await page.locator("#hits").textContent(), /^\d+ of a million rays hit$/);
    });
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    server.close();
  }
});
