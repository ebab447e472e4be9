// Shows how often rays through edges cross a surface: by estoc, and by three.js if it is installed beside the package.

import { Bvh, Mesh, init } from "../index.js";
import { SIDE, castThroughEdges, surface } from "./edges.js";

const mesh = surface(32);

/** Draws how often rays cross the surface, and tells how many do not cross it once. */
function show(name, count) {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const picture = canvas.getContext("2d");
  const pixels = picture.createImageData(SIDE, SIDE);
  let wrong = 0;
  castThroughEdges(mesh, (ray, origin, direction) => {
    const times = count(origin, direction);
    const shade = [0, 220, 120][Math.min(times, 2)];
    pixels.data.set([shade, shade, shade, 255], 4 * ray);
    if (times !== 1) wrong += 1;
  });
  picture.putImageData(pixels, 0, 0);
  const caption = Object.assign(document.createElement("figcaption"), { textContent: `${name}: ${wrong} of ${SIDE * SIDE} wrong` });
  const figure = document.createElement("figure");
  figure.append(canvas, caption);
  document.getElementById("edges").append(figure);
}

await init();
const bvh = new Bvh(new Mesh(...mesh));
show("estoc", (origin, direction) => bvh.crossingCount(origin, direction));
const THREE = await import("three").catch(() => null);
if (THREE) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(mesh[0], 3)).setIndex(new THREE.BufferAttribute(mesh[1], 1));
  const object = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
  const vector = (of) => new THREE.Vector3(...of);
  show(`three.js r${THREE.REVISION}`, (origin, direction) => {
    return new THREE.Raycaster(vector(origin), vector(direction)).intersectObject(object).length;
  });
}
