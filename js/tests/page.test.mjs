// The example in a real browser: it builds in a worker, draws, turns, picks and reads files.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { launched, served, skip } from "./browser.mjs";

test("the example page", { skip }, async () => {
  const { server, origin } = await served();
  const address = `${origin}/examples/index.html`;
  const browser = await launched("--disable-gpu");
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(origin)) problems.push(`foreign: ${request.url()}`);
    });
    await page.goto(address);
    await page.waitForFunction(() => document.getElementById("speed").textContent.includes("120,000 triangles"));
    const drawn = () => page.evaluate(() => {
      const { data } = document.getElementById("picture").getContext("2d").getImageData(0, 0, 320, 240);
      return data.reduce((sum, x, i) => (sum * 31 + x * (i % 7)) % 1_000_003, 0);
    });
    const before = await drawn();
    const box = await page.locator("#picture").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 10, { steps: 4 });
    await page.mouse.up();
    assert.notEqual(await drawn(), before);
    await page.mouse.click(box.x + 2, box.y + 2);
    assert.equal(await page.locator("#answer").textContent(), "No triangle is there.");
    await page.mouse.click(x + 0.2 * box.width, y);
    assert.match(await page.locator("#answer").textContent(), /^Triangle \d+ at t = /);
    const choose = (name, text) => page.locator("#file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await choose("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    await page.waitForFunction(() => document.getElementById("speed").textContent.startsWith("1 triangles"));
    await choose("b.obj", "v 0 0\n");
    await page.waitForFunction(() => document.getElementById("answer").textContent.includes("b.obj"));
    const captions = () => page.locator("#edges figcaption").allTextContents();
    if (existsSync(new URL("../node_modules/three", import.meta.url))) await page.locator("#edges figcaption").nth(1).waitFor();
    assert.equal((await captions())[0], "estoc: 0 of 9216 wrong");
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    server.close();
  }
});
