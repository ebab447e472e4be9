// Draws which rays through edges estoc and three-mesh-bvh hit:
//
//     npm install --prefix peers three three-mesh-bvh
//     PEERS=$PWD/peers node js/bench/edges.mjs js/examples/edges.png
//
// Each square of the picture is a ray through a point of an edge that two triangles inside of a surface share: at the left
// by estoc, then by three-mesh-bvh in each folder of PEERS, which are separated by colons. Light ones cross the surface once,
// which is right; grey ones twice, and black ones not at all.

import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { Bvh, Mesh, init } from "../index.js";
import { SIDE, castThroughEdges, surface } from "../examples/edges.js";

await init();
const mesh = surface(32);
const bvh = new Bvh(new Mesh(...mesh));
const counts = [["estoc", (origin, direction) => bvh.crossingCount(origin, direction)]];
for (const folder of process.env.PEERS.split(":")) {
  const load = (file) => import(pathToFileURL(`${folder}/node_modules/${file}`));
  const THREE = await load("three/build/three.module.js");
  const { MeshBVH } = await load("three-mesh-bvh/src/index.js");
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(mesh[0], 3)).setIndex(new THREE.BufferAttribute(mesh[1].slice(), 1));
  const peer = new MeshBVH(geometry);
  const vector = (of) => new THREE.Vector3(...of);
  counts.push([`three-mesh-bvh with three.js r${THREE.REVISION}`, (origin, direction) => {
    return peer.raycast(new THREE.Ray(vector(origin), vector(direction)), THREE.DoubleSide).length;
  }]);
}

const [scale, gap] = [2, 12];
const [width, height] = [counts.length * (SIDE * scale + gap) - gap, SIDE * scale];
const rows = new Uint8Array(height * (width + 1)).fill(255);
for (let y = 0; y < height; y += 1) rows[y * (width + 1)] = 0;
counts.forEach(([name, count], of) => {
  const found = new Map();
  castThroughEdges(mesh, (ray, origin, direction) => {
    const times = count(origin, direction);
    found.set(times, (found.get(times) ?? 0) + 1);
    const [x, y] = [(ray % SIDE) * scale + of * (SIDE * scale + gap), Math.floor(ray / SIDE) * scale];
    for (let i = 0; i < scale * scale; i += 1) {
      rows[(y + Math.floor(i / scale)) * (width + 1) + 1 + x + (i % scale)] = [0, 220, 120][Math.min(times, 2)];
    }
  });
  console.log(`${name}: ${[...found].map(([times, rays]) => `${rays} rays cross ${times} times`).join(", ")}`);
});

const chunk = (type, data) => {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)]);
  bytes.writeUInt32BE(data.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
};
const header = Buffer.alloc(13);
header.writeUInt32BE(width);
header.writeUInt32BE(height, 4);
header[8] = 8; // bits of a grey value
const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const data = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))];
await writeFile(process.argv[2], Buffer.concat([signature, ...data]));
