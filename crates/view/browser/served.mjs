// Starts `estoc view` and the browser, for tests.

import { execFile, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

// PAGE names a folder whose files stand in for those in the command, to try changes without building it.
const { ESTOC, BROWSER, MODULES, SCREENSHOTS, PAGE } = process.env;
export const require = createRequire(`${MODULES}/package.json`);
const { chromium } = require("playwright-core");
const run = promisify(execFile);

// Runs `estoc` and returns what it prints.
export async function estoc(...args) {
  const { stdout } = await run(ESTOC, args, { maxBuffer: 1 << 28 });
  return stdout;
}

// Runs a command that the page shows. It begins with `estoc`.
export async function shown(command, ...more) {
  const { stdout } = await run("sh", ["-c", `"$ESTOC" ${command.replace(/^estoc /, "")} ${more.join(" ")}`]);
  return stdout;
}

// Starts a server; returns its address and what ends it.
export async function serve(...args) {
  const server = spawn(ESTOC, ["view", "--quiet", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: server.stdout });
  const address = await new Promise((resolve, reject) => {
    lines.once("line", resolve);
    server.once("exit", (status) => reject(new Error(`estoc view ended with status ${status}`)));
  });
  const end = () => new Promise((resolve) => {
    server.once("exit", resolve);
    server.kill("SIGTERM");
  });
  return { address, end };
}

export async function browse() {
  return chromium.launch({
    executablePath: BROWSER,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
      "--disable-background-networking", "--disable-component-update"],
  });
}

// The picture has 640 by 480 pixels beside the panel of 21 rem.
export const WINDOW = { width: 640 + 336, height: 480 };

// Opens an address in a window of its own; fails on errors of the page and on foreign requests.
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: WINDOW, acceptDownloads: true, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(address).origin });
  if (PAGE) {
    await context.route(/\/([a-z]+\.(js|css))?(#.*)?$/, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1) || "index.html";
      return route.fulfill({ path: join(PAGE, name) });
    });
  }
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== new URL(address).origin) problems.push(request.url());
  });
  await page.goto(address);
  return { page, context, problems };
}

// Waits until the frame is as fine as it gets.
export async function still(page) {
  await page.waitForFunction(() => {
    const { samples, whole } = document.getElementById("stage").dataset;
    return samples === "16" && whole === "true";
  }, null, { timeout: 120000 });
}

// Waits for a frame after a number of them.
export async function framesAfter(page, count) {
  await page.waitForFunction((count) => Number(document.getElementById("stage").dataset.frames) > count, count);
}

export const frames = (page) => page.evaluate(() => Number(document.getElementById("stage").dataset.frames ?? 0));
export const answer = (page) => page.locator("#answer").innerText();

// Returns the view in the address bar, once it is written.
export async function link(page) {
  // A timer of the page, so that it runs after the one that writes the address, however slow the page is.
  const hash = await page.evaluate(() => new Promise((done) => setTimeout(() => done(location.hash.slice(1)), 600)));
  return Object.fromEntries(hash.split("&").map((part) => part.split(/=(.*)/s)));
}

// Keeps a picture of the page, if a folder for them is named.
export async function screenshot(page, name) {
  if (!SCREENSHOTS) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}
