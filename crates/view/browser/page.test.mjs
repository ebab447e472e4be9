// The page in a real browser: it draws what `estoc render` draws, and answers what `estoc pick` answers.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { answer, browse, estoc, frames, framesAfter, link, open, require, screenshot, serve, shown, still } from "./served.mjs";

let browser;
let folder;
const servers = [];

before(async () => {
  browser = await browse();
  folder = mkdtempSync(join(tmpdir(), "estoc-view-"));
});

after(async () => {
  await browser?.close();
  await Promise.all(servers.map((server) => server.end()));
  rmSync(folder, { recursive: true });
});

async function start(...args) {
  const server = await serve(...args);
  servers.push(server);
  return server.address;
}

// Tests the page of a server of these arguments, once its frame is whole: it must have no problems.
function trying(name, args, body, options) {
  test(name, async () => {
    const opened = await open(browser, await start(...args), options);
    await still(opened.page);
    await body(opened);
    assert.deepEqual(opened.problems, []);
    await opened.context.close();
  });
}

const viewOptions = ({ eye, at, up, fov, ortho }) => ["--eye", eye, "--at", at, "--up", up, ...(ortho ? ["--ortho", ortho] : ["--fov", fov])];
const stage = (page) => page.locator("#stage");
const clickAt = (page, x, y) => page.mouse.click(x, y);
const answered = (page, text) => page.waitForFunction(
  (text) => document.getElementById("answer").innerText.includes(text), text);

// Returns where a point of the world is in the window.
const placeOf = (page, point) => page.evaluate(async (point) => {
  const { project } = await import("/view.js");
  const parts = Object.fromEntries(location.hash.slice(1).split("&").map((part) => part.split("=")));
  const numbers = (name) => parts[name].split(",").map(Number);
  const view = { eye: numbers("eye"), at: numbers("at"), up: numbers("up"), fov: Number(parts.fov), ortho: Number(parts.ortho ?? 0) };
  const box = document.getElementById("stage").getBoundingClientRect();
  return project(view, [box.width, box.height], point);
}, point);

const teapot = "demo:teapot?n=6000";
trying("draws the pixels of estoc render, orbits, picks, and picks nothing", [teapot], async ({ page }) => {
  assert.equal(await page.evaluate(() => location.hash.includes("token")), false);
  const view = await link(page);
  const size = await stage(page).getAttribute("data-size");
  assert.equal(size, "640x480");
  const png = await page.evaluate(() => document.getElementById("picture").toDataURL("image/png").split(",")[1]);
  const drawn = join(folder, "drawn.png");
  writeFileSync(drawn, Buffer.from(png, "base64"));
  // Fails unless every pixel is equal.
  await estoc("render", teapot, ...viewOptions(view), "--size", size, "--shade", view.shade, "--compare", drawn);
  await screenshot(page, "1-teapot");

  await page.mouse.move(200, 200);
  await page.mouse.down();
  for (let x = 200; x <= 320; x += 20) await page.mouse.move(x, 220);
  await page.mouse.up();
  await still(page);
  const turned = await link(page);
  assert.notEqual(turned.eye, view.eye);
  assert.equal(turned.at, view.at);
  const from = ({ eye, at }) => Math.hypot(...eye.split(",").map((x, i) => x - at.split(",")[i]));
  assert.ok(Math.abs(from(turned) / from(view) - 1) < 1e-5, "orbits at the same distance");

  await clickAt(page, 320, 250);
  await answered(page, "You clicked");
  await page.mouse.move(300, 260);
  await page.waitForTimeout(300);
  await screenshot(page, "2-picked");
  const told = await answer(page);
  const command = await page.locator("#answer pre").innerText();
  const again = JSON.parse(await shown(command, "--json"));
  assert.equal(told.match(/triangle\s+(\d+)/)[1], String(again.hit.prim));
  for (const word of ["object", "group", "material", "distance", "point", "normal", "side"]) assert.ok(told.includes(word), word);

  await clickAt(page, 12, 12);
  await answered(page, "Nothing is there");
  const missed = JSON.parse(await shown(await page.locator("#answer pre").innerText(), "--json"));
  assert.equal(missed.hit, null);
  await screenshot(page, "3-background");
});

trying("looks by parallel rays, zooms by their height, and keeps both in its link", [teapot], async ({ page }) => {
  const before = await link(page);
  await stage(page).focus();
  await page.keyboard.press("o");
  await still(page);
  const view = await link(page);
  assert.ok(Number(view.ortho) > 0);
  assert.equal(await page.locator("#ortho").isChecked(), true);
  const size = await stage(page).getAttribute("data-size");
  const png = await page.evaluate(() => document.getElementById("picture").toDataURL("image/png").split(",")[1]);
  const drawn = join(folder, "ortho.png");
  writeFileSync(drawn, Buffer.from(png, "base64"));
  await estoc("render", teapot, ...viewOptions(view), "--size", size, "--shade", view.shade, "--compare", drawn);
  await screenshot(page, "2-orthographic");
  await page.keyboard.press("+");
  await still(page);
  const near = await link(page);
  assert.ok(Math.abs(near.ortho / view.ortho - 0.87) < 1e-4);
  assert.equal(near.eye, view.eye);
  await clickAt(page, 320, 250);
  await answered(page, "You clicked");
  const picked = await answer(page);
  const command = await page.locator("#answer pre").innerText();
  assert.ok(command.includes("--ortho"), command);
  const again = JSON.parse(await shown(command, "--json"));
  assert.equal(picked.match(/triangle\s+(\d+)/)[1], String(again.hit.prim));
  // A link holds the height, also that of the pick.
  const fragment = await page.evaluate(() => new Promise((done) => setTimeout(() => done(location.hash), 700)));
  const { page: other } = await open(browser, await start(teapot, "--at", fragment));
  await answered(other, "You clicked");
  assert.equal(await answer(other), picked);
  assert.equal((await link(other)).ortho, near.ortho);
  await other.context().close();
  // And back: the eye moves so that the scale at the middle stays.
  await page.keyboard.press("-");
  await page.keyboard.press("o");
  await still(page);
  const after = await link(page);
  assert.equal(after.ortho, undefined);
  assert.equal(after.fov, before.fov);
});

trying("hits the moving teapot at a given time, and follows it", ["demo:pick", "--at", "#time=2.5"], async ({ page }) => {
  await link(page);
  assert.equal(await page.locator("#pause").innerText(), "Play");
  const angle = (2 * Math.PI * 2.5) / 12;
  const { x, y } = await placeOf(page, [4 * Math.cos(angle), 1.3, 4 * Math.sin(angle)]);
  await clickAt(page, x, y);
  await answered(page, "You clicked the moving teapot.");
  await page.waitForTimeout(300);
  await screenshot(page, "4-moving-teapot");
  const again = JSON.parse(await shown(await page.locator("#answer pre").innerText(), "--json"));
  assert.equal(again.hit.names[0], "teapot");
  // Elsewhere a second later: the same place shows something else, and steps are 1/30 s.
  await stage(page).focus();
  await page.keyboard.press(".");
  assert.match(await page.locator("#time").innerText(), /^2\.533 s$/);
  await page.keyboard.press(" ");
  await page.waitForFunction(() => Number(document.getElementById("stage").dataset.time) > 3.5);
  await page.waitForTimeout(200);
  await screenshot(page, "5-following");
  await page.keyboard.press(" ");
  await clickAt(page, x, y);
  await page.waitForFunction(() => !document.getElementById("answer").innerText.includes("teapot"));
});

test("measures with snapping, and reopens links elsewhere", async () => {
  // A square of side 2 of two triangles.
  const mesh = join(folder, "square.obj");
  writeFileSync(mesh, "o plate\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3\nf 1 3 4\n");
  const address = await start(mesh);
  const { page, problems, context } = await open(browser, address);
  await still(page);
  await link(page);
  await stage(page).focus();
  await page.keyboard.press("m");
  const middle = await placeOf(page, [1, 1, 0]);
  for (const corner of [[0, 0, 0], [2, 0, 0], [2, 2, 0]]) {
    const at = await placeOf(page, corner);
    const inward = (from, to) => from + 4 * Math.sign(to - from);
    const before = await answer(page);
    await clickAt(page, inward(at.x, middle.x), inward(at.y, middle.y));
    await page.waitForFunction((before) => document.getElementById("answer").innerText !== before, before);
  }
  const told = await answer(page);
  await screenshot(page, "6-measured");
  assert.match(told, /distance 1-2\s+2\n/);
  assert.match(told, /angle at 2\s+90 degrees/);
  assert.match(told, /area\s+2\n/);
  assert.equal(told.match(/\(corner\)/g).length, 3);
  await page.keyboard.press("p");
  await clickAt(page, middle.x + 20, middle.y + 10);
  await answered(page, "You clicked plate.");
  const picked = await answer(page);
  const permalink = await page.evaluate(() => new Promise((done) => setTimeout(() => done(location.href), 700)));
  assert.ok(!permalink.includes("token"));

  // A new tab has no token, and says what to do.
  const other = await context.newPage();
  await other.goto(permalink);
  await other.waitForFunction(() => document.getElementById("problem").innerText.includes("no token"));
  await screenshot(other, "7-no-token");
  // Another server shows the same view, points and pick.
  const { page: again } = await open(browser, await start(mesh, "--at", permalink));
  await answered(again, "You clicked plate.");
  assert.equal(await answer(again), picked);
  const [a, b] = [await link(page), await link(again)];
  for (const name of ["eye", "at", "fov", "pick", "measure"]) assert.equal(a[name], b[name], name);
  await again.context().close();
  assert.deepEqual(problems.filter((text) => !text.includes("401")), []);
  await context.close();
});

trying("saves the file of estoc render, selects and cuts", ["demo:sphere?n=3000"], async ({ page }) => {
  await page.locator("#shade").selectOption("depth");
  await still(page);
  await clickAt(page, 320, 240);
  await answered(page, "You clicked");
  const picked = await answer(page);
  // Every share that the progress shows.
  await page.evaluate(() => {
    globalThis.shares = [];
    new MutationObserver(() => {
      const bar = document.querySelector("#notice progress");
      if (bar) globalThis.shares.push(bar.position);
    }).observe(document.getElementById("notice"), { childList: true, subtree: true, attributes: true });
  });
  // The answer of the server waits until its progress was asked for.
  let asked;
  const wasAsked = new Promise((resolve) => (asked = resolve));
  await page.route("**/progress", (route) => (asked(), route.fulfill({ json: { share: 0.25 } })));
  await page.route("**/picture", (route) => wasAsked.then(() => route.continue()));
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save").click()]);
  const saved = join(folder, "saved.png");
  await download.saveAs(saved);
  await page.waitForFunction(() => document.getElementById("notice").innerText.includes("is saved"));
  assert.deepEqual(await page.evaluate(() => [...new Set(globalThis.shares)]), [-1, 0.25]);
  assert.equal(await page.locator("#notice progress").count(), 0);
  assert.equal(await answer(page), picked);
  await screenshot(page, "8-saved");
  const command = await page.locator("#notice pre").innerText();
  const rendered = join(folder, "rendered.png");
  await shown(command.replace("--out picture.png", `--out ${rendered}`), "--quiet");
  assert.ok(readFileSync(saved).equals(readFileSync(rendered)), "the same bytes");

  await page.locator("#modes input[value=rectangle]").check();
  await page.mouse.move(200, 120);
  await page.mouse.down();
  await page.mouse.move(320, 240, { steps: 4 });
  await page.mouse.up();
  await answered(page, "in its frustum");
  await page.locator("#section-on").check();
  await page.waitForFunction(() => document.getElementById("section-told").value.includes("1 polyline"));
  await page.locator("#section-place").focus();
  const cut = await page.locator("#section-told").innerText();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((cut) => document.getElementById("section-told").value !== cut, cut);
  await screenshot(page, "9-rectangle-and-section");

  // A link holds both.
  const told = await page.locator("#section-told").innerText();
  await page.waitForFunction(() => location.hash.includes("rectangle=")
    && location.hash.includes(`section=y${document.getElementById("section-place").value}`));
  const link = await page.evaluate(() => location.hash);
  const counted = await page.locator("#answer").innerText();
  await page.evaluate(() => document.getElementById("answer").replaceChildren());
  await page.locator("#section-on").uncheck();
  await page.waitForFunction(() => !location.hash.includes("section="));
  await page.evaluate((hash) => (location.hash = hash), link);
  await answered(page, "in its frustum");
  assert.equal(await page.locator("#answer").innerText(), counted);
  await page.waitForFunction((told) => document.getElementById("section-told").value === told, told);
  await page.locator("#heat").check();
  await still(page);
  await screenshot(page, "10-heat");
});

test("loads again when the file changes, and keeps the mesh when it cannot", async () => {
  const mesh = join(folder, "watched.obj");
  const put = (text) => {
    writeFileSync(`${mesh}.part`, text);
    renameSync(`${mesh}.part`, mesh);
  };
  const square = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3\n";
  put(square);
  const { page } = await open(browser, await start(mesh, "--watch"));
  await still(page);
  const count = await frames(page);
  put(`${square}f 1 3 4\n`);
  await framesAfter(page, count);
  await still(page);
  put(`${square}f 1 3 9`);
  await page.waitForFunction(() => document.getElementById("problem").innerText.includes("watched.obj"));
  await screenshot(page, "11-half-written");
  await clickAt(page, 320, 240);
  await answered(page, "You clicked");
  put(`${square}f 1 3 4\n`);
  await page.waitForFunction(() => document.getElementById("problem").hidden);
  await page.context().close();
});

trying("the keyboard reaches everything, and axe finds nothing", ["demo:pick", "--at", "#time=1"], async ({ page }) => {
  await stage(page).focus();
  const before = await link(page);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("+");
  await page.keyboard.down("w");
  await page.waitForTimeout(150);
  await page.keyboard.up("w");
  const moved = await link(page);
  assert.notEqual(moved.eye, before.eye);
  assert.notEqual(moved.at, before.at);
  await page.keyboard.press("0");
  assert.equal((await link(page)).eye, before.eye);
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Enter");
  await answered(page, "You clicked");
  await page.keyboard.press("n");
  await still(page);
  await page.keyboard.press("?");
  await page.waitForSelector("#keys[open]");
  await screenshot(page, "12-keys");
  const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(axe);
  const check = () => page.evaluate(async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
  assert.deepEqual(await check(), []);
  await page.keyboard.press("Escape");
  await page.waitForSelector("#keys:not([open])", { state: "attached" });
  assert.deepEqual(await check(), []);
  // Every control is reached by Tab.
  const controls = await page.evaluate(() => [...document.querySelectorAll("aside input, aside select, aside button")]
    .filter((control) => control.offsetParent !== null && (control.type !== "radio" || control.checked)).map(({ id, value }) => id || value));
  await stage(page).focus();
  const reached = new Set();
  for (let i = 0; i < controls.length + 12; i += 1) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.value));
  }
  for (const control of controls) assert.ok(reached.has(control), control);
});

trying("keys mean the same while a clicked control has the focus", ["demo:sphere?n=3000"], async ({ page }) => {
  const focused = () => page.evaluate(() => document.activeElement.id);
  const shade = () => page.locator("#shade").inputValue();
  const eye = async () => (await link(page)).eye;
  for (const control of ["#whole", "#heat", "#section-on", "#section-place", "#modes input[value=measure]"]) {
    await page.locator(control).click();
    assert.notEqual(await focused(), "stage", control);
    const before = await shade();
    await page.keyboard.press("n");
    assert.notEqual(await shade(), before, control);
    assert.equal(await focused(), "stage", control);
  }
  // A key that is held moves until it is released.
  await page.locator("#whole").click();
  const before = await eye();
  await page.keyboard.down("w");
  await page.waitForTimeout(100);
  await page.keyboard.up("w");
  const moved = await eye();
  assert.notEqual(moved, before);
  assert.equal(await eye(), moved);
  await page.locator("#whole").click();
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await eye(), before);
  // Arrows move a slider that was clicked.
  await page.locator("#section-place").click();
  const place = Number(await page.locator("#section-place").inputValue());
  await page.keyboard.press("ArrowRight");
  assert.equal(Number(await page.locator("#section-place").inputValue()), place + 1);
  // A list that was chosen from, and what is no control.
  await page.locator("#shade").click();
  await page.locator("#shade").selectOption("normal");
  await page.keyboard.press("Escape");
  await page.locator("#answer-title").click();
  await page.keyboard.press("p");
  assert.equal(await page.locator("#modes input[value=pick]").isChecked(), true);
  // Where Tab leads, keys are those of the control.
  await page.locator("#save").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "help");
  const kept = await shade();
  await page.keyboard.press("n");
  assert.equal(await shade(), kept);
  for (const key of ["Enter", " ", "?"]) {
    await page.keyboard.press(key);
    await page.waitForSelector("#keys[open]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#keys:not([open])", { state: "attached" });
    assert.equal(await focused(), "help", key);
  }
});

test("the answer is seen on a phone and in a low window, and scenes begin with their placements", async () => {
  const address = await start("demo:pick", "--at", "#time=2.5");
  for (const [name, width, height, isPhone] of [["phone", 390, 844, true], ["low", 800, 300, false], ["usual", 1280, 800, false]]) {
    const options = { viewport: { width, height }, hasTouch: isPhone, isMobile: isPhone };
    const { page, problems, context } = await open(browser, address, options);
    await still(page);
    assert.equal(await page.locator("#shade").inputValue(), "instance");
    await screenshot(page, `15-${name}`);
    await link(page);
    // The controls may have been scrolled to.
    await page.locator("#help").scrollIntoViewIfNeeded();
    const angle = (2 * Math.PI * 2.5) / 12;
    const { x, y } = await placeOf(page, [4 * Math.cos(angle), 1.3, 4 * Math.sin(angle)]);
    if (isPhone) await page.touchscreen.tap(x, y);
    else await clickAt(page, x, y);
    await answered(page, "You clicked the moving teapot.");
    await page.waitForTimeout(100);
    await screenshot(page, `16-${name}-picked`);
    const seen = await page.evaluate(() => {
      const panel = document.getElementById("panel").getBoundingClientRect();
      const isSeen = (shown) => {
        const { top, bottom, left, right } = shown.getBoundingClientRect();
        return top >= panel.top && bottom <= Math.min(panel.bottom, innerHeight) && left >= 0 && right <= innerWidth;
      };
      const rows = [...document.querySelectorAll("#answer dt")].filter(isSeen).map((term) => term.textContent);
      return { first: isSeen(document.querySelector("#answer p")), rows, page: document.documentElement.scrollHeight - innerHeight };
    });
    assert.equal(seen.first, true, name);
    assert.equal(seen.page, 0, name);
    for (const row of ["object", "instance", "triangle", "distance"]) assert.ok(seen.rows.includes(row), `${name}: ${row} of ${seen.rows}`);
    assert.deepEqual(problems, []);
    await context.close();
  }
});

trying("fingers orbit, pinch and tap", ["demo:teapot?n=2000"], async ({ page, context }) => {
  const before = await link(page);
  const client = await context.newCDPSession(page);
  const touch = (type, ...points) => client.send("Input.dispatchTouchEvent",
    { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch("touchStart", [300, 200]);
  for (let x = 300; x <= 400; x += 20) await touch("touchMove", [x, 200]);
  await touch("touchEnd");
  const turned = await link(page);
  assert.notEqual(turned.eye, before.eye);
  assert.equal(turned.at, before.at);
  await touch("touchStart", [280, 240], [360, 240]);
  for (let i = 0; i <= 60; i += 10) await touch("touchMove", [280 - i, 240], [360 + i, 240]);
  await touch("touchEnd");
  const zoomed = await link(page);
  const from = ({ eye, at }) => Math.hypot(...eye.split(",").map((x, i) => x - at.split(",")[i]));
  assert.ok(from(zoomed) < 0.8 * from(turned));
  await page.touchscreen.tap(320, 250);
  await answered(page, "You clicked");
}, { hasTouch: true });

test("a large mesh shows its progress at once, and the end of the server is told", async () => {
  const server = await serve("demo:hall?n=400000");
  const { page } = await open(browser, server.address);
  await page.waitForFunction(() => document.getElementById("doing").innerText.includes("demo:hall"));
  await screenshot(page, "13-loading");
  await still(page);
  await page.keyboard.press("f");
  await screenshot(page, "14-hall");
  await server.end();
  await stage(page).focus();
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.getElementById("problem").innerText.includes("does not answer"));
  await page.context().close();
});
