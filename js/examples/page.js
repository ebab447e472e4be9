// Draws a mesh by rays, measures how many there are a second, and tells what is under the pointer.

import { Batch, Bvh, Mesh, NONE, init } from "../index.js";

const canvas = document.getElementById("picture");
const [speed, answer] = ["speed", "answer"].map((id) => document.getElementById(id));
const { width, height } = canvas;
const picture = canvas.getContext("2d");
const pixels = picture.createImageData(width, height);
const origins = new Float32Array(3 * width * height);
const directions = new Float32Array(3 * width * height);
const batch = new Batch();
const view = { angle: 0.5, tilt: 0.4, bvh: null, normals: null, center: [0, 0, 0], size: 1 };

/** Returns a torus. */
function torus(around, across) {
  const positions = new Float32Array(3 * around * across);
  const indices = new Uint32Array(6 * around * across);
  for (let i = 0; i < around; i += 1) {
    for (let j = 0; j < across; j += 1) {
      const [a, b] = [(2 * Math.PI * i) / around, (2 * Math.PI * j) / across];
      const radius = 1 + 0.4 * Math.cos(b);
      positions.set([radius * Math.cos(a), radius * Math.sin(a), 0.4 * Math.sin(b)], 3 * (i * across + j));
      const at = (di, dj) => ((i + di) % around) * across + ((j + dj) % across);
      indices.set([at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1)], 6 * (i * across + j));
    }
  }
  return [positions, indices];
}

/** Shows a tree and its mesh. */
function show({ bvh, mesh }) {
  const { positions, indices, bounds } = mesh;
  if (!bounds) {
    answer.textContent = "The mesh has no triangles.";
    return;
  }
  view.bvh?.free();
  view.bvh = bvh;
  view.center = [0, 1, 2].map((axis) => (bounds.min[axis] + bounds.max[axis]) / 2 + mesh.origin[axis]);
  view.size = Math.hypot(...[0, 1, 2].map((axis) => bounds.max[axis] - bounds.min[axis]));
  view.normals = new Float32Array(indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => positions.subarray(3 * indices[i + corner], 3 * indices[i + corner] + 3));
    const [u, v] = [b, c].map((end) => end.map((x, axis) => x - a[axis]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...normal) || 1;
    view.normals.set(normal.map((x) => x / length), i);
  }
  mesh.free();
  draw();
}

/** Returns where the eye is, and the axes of the picture. */
function camera() {
  const [sin, cos] = [Math.sin(view.angle), Math.cos(view.angle)];
  const [up, along] = [Math.sin(view.tilt), Math.cos(view.tilt)];
  const back = [along * cos, along * sin, up];
  const right = [-sin, cos, 0];
  const above = [-up * cos, -up * sin, along];
  const eye = back.map((x, axis) => view.center[axis] + 1.1 * view.size * x);
  return { eye, back, right, above };
}

/** Returns the direction of the ray through a place of the picture. */
function directionAt({ back, right, above }, x, y) {
  const [across, upward] = [(0.8 * (x - width / 2)) / height, (0.8 * (height / 2 - y)) / height];
  return back.map((z, axis) => across * right[axis] + upward * above[axis] - z);
}

function draw() {
  const of = camera();
  for (let i = 0; i < width * height; i += 1) {
    origins.set(of.eye, 3 * i);
    directions.set(directionAt(of, (i % width) + 0.5, Math.floor(i / width) + 0.5), 3 * i);
  }
  const start = performance.now();
  const { prim } = batch.closestHits(view.bvh, { origins, directions });
  const time = performance.now() - start;
  const { data } = pixels;
  for (let i = 0; i < prim.length; i += 1) {
    const is = prim[i] !== NONE;
    const normal = 3 * prim[i];
    const facing = is ? Math.abs([0, 1, 2].reduce((sum, axis) => sum + view.normals[normal + axis] * of.back[axis], 0)) : 0;
    data.set(is ? [60 + 150 * facing, 90 + 120 * facing, 120 + 110 * facing, 255] : [0, 0, 0, 0], 4 * i);
  }
  picture.putImageData(pixels, 0, 0);
  speed.textContent = `${view.bvh.triangleCount.toLocaleString("en")} triangles, ${(prim.length / time / 1000).toFixed(2)} million rays a second`;
}

/** Tells the triangle at a place of the window. */
function pick({ clientX, clientY }) {
  const box = canvas.getBoundingClientRect();
  const of = camera();
  const place = [((clientX - box.left) * width) / box.width, ((clientY - box.top) * height) / box.height];
  const hit = view.bvh.closestHit(of.eye, directionAt(of, ...place));
  answer.textContent = hit ? `Triangle ${hit.prim} at t = ${hit.t}, u = ${hit.u}, v = ${hit.v}` : "No triangle is there.";
}

let dragged = 0;
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  dragged = 0;
});
canvas.addEventListener("pointermove", (event) => {
  if (event.buttons !== 1) return;
  dragged += Math.abs(event.movementX) + Math.abs(event.movementY);
  view.angle -= event.movementX / 100;
  view.tilt = Math.min(1.5, Math.max(-1.5, view.tilt + event.movementY / 100));
  draw();
});
canvas.addEventListener("pointerup", (event) => {
  if (dragged < 3) pick(event);
});
document.getElementById("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  try {
    const mesh = Mesh.read(await file.arrayBuffer(), file.name);
    show({ bvh: new Bvh(mesh), mesh });
    answer.textContent = "";
  } catch (error) {
    answer.textContent = error.message;
  }
});

await init();
show(await Bvh.build(...torus(400, 150)));
