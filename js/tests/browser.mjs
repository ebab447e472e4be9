// The package in a real browser. Tests skip without a browser or the package playwright-core, whose folder MODULES names
// (`crates/view/browser/install` installs both).

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const { BROWSER, MODULES } = process.env;
const KINDS = { html: "text/html", js: "text/javascript", mjs: "text/javascript", wasm: "application/octet-stream" };

/** Why there is no browser. */
export const skip = BROWSER && existsSync(`${MODULES}/node_modules/playwright-core`) ? false : "there is no browser or playwright-core";

/** Starts the browser. */
export function launched(...args) {
  const { chromium } = createRequire(`${MODULES}/package.json`)("playwright-core");
  return chromium.launch({ executablePath: BROWSER, headless: true, args: ["--no-sandbox", ...args] });
}

/** Serves the package as any static server does, without the type of WebAssembly. */
export async function served() {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
      const body = await readFile(fileURLToPath(new URL(`..${path}`, import.meta.url)));
      response.writeHead(200, { "content-type": KINDS[path.split(".").pop()] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}
