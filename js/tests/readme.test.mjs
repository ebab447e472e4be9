// The programs of the README run.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const programs = [...readme.matchAll(/```js\n(import [^`]*)```/g)].map(([, program]) => program);
const places = { estoc: "../index.js", "estoc/three": "../three.js", three: "../node_modules/three/build/three.module.js" };

assert.ok(programs.length >= 3);
programs.forEach((program, i) => {
  const needsThree = program.includes('"three"') && !existsSync(new URL(places.three, import.meta.url));
  test(`program ${i + 1}`, { skip: needsThree ? "three is not installed" : false }, async (context) => {
    context.mock.method(console, "log", () => {});
    const text = program.replace(/from "([^"]+)"/g, (_, name) => `from "${new URL(places[name], import.meta.url)}"`);
    await import(`data:text/javascript,${encodeURIComponent(text)}`);
  });
});
