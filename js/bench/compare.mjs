// Compares with three-mesh-bvh on the same rays, alternating, in this thread: medians of millions of rays a second.
//
//     npm install --prefix peers three three-mesh-bvh
//     PEERS=$PWD/peers node js/bench/compare.mjs mesh.obj...

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { Batch, Bvh, Mesh, init } from "../index.js";
import { MeshBVH as OwnMeshBVH } from "../three.js";

const load = (file) => import(pathToFileURL(`${process.env.PEERS}/node_modules/${file}`));
const THREE = await load("three/build/three.module.js");
const { MeshBVH, CENTER, SAH } = await load("three-mesh-bvh/src/index.js");
await init();

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const RAYS = Number(process.env.RAYS ?? 100_000);

let state = 1;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/** Returns the median time of each function, which take turns. */
function times(functions) {
  const all = functions.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    functions.forEach((run, i) => {
      const start = performance.now();
      run();
      all[i].push(performance.now() - start);
    });
  }
  return all.map(median);
}

function report(name, [ours, ...others], unit) {
  const text = others.map(([what, time]) => `${what} ${unit(time)} (${(time / ours[1]).toFixed(2)} times)`);
  console.log(`  ${name.padEnd(16)} ${ours[0]} ${unit(ours[1])}; ${text.join("; ")}`);
}

for (const path of process.argv.slice(2)) {
  const mesh = Mesh.read(await readFile(path), path);
  const [positions, indices] = [mesh.positions, mesh.indices];
  console.log(`${path}: ${mesh.triangleCount} triangles`);
  const geometry = () => {
    const made = new THREE.BufferGeometry();
    made.setAttribute("position", new THREE.BufferAttribute(positions.slice(), 3));
    made.setIndex(new THREE.BufferAttribute(indices.slice(), 1));
    return made;
  };
  const builds = {
    "estoc fast": () => new Bvh(mesh, { quality: "fast" }).free(),
    "three CENTER": () => new MeshBVH(geometry(), { strategy: CENTER }),
    "estoc balanced": () => new Bvh(mesh).free(),
    "three SAH": () => new MeshBVH(geometry(), { strategy: SAH }),
  };
  const build = times(Object.values(builds));
  const ms = (time) => `${time.toFixed(0)} ms`;
  const named = Object.keys(builds).map((name, i) => [name, build[i]]);
  report("build", named.slice(0, 2), ms);
  report("build", named.slice(2), ms);

  const bvh = new Bvh(mesh);
  const peer = new MeshBVH(geometry(), { strategy: SAH, indirect: true });
  const own = new OwnMeshBVH(geometry());
  const { min, max } = mesh.bounds;
  const origins = new Float32Array(3 * RAYS);
  const directions = new Float32Array(3 * RAYS);
  for (let i = 0; i < 3 * RAYS; i += 1) {
    origins[i] = min[i % 3] + (max[i % 3] - min[i % 3]) * random();
    directions[i] = 2 * random() - 1;
  }
  const at = (array, i) => array.subarray(3 * i, 3 * i + 3);
  const rays = Array.from({ length: RAYS }, (_, i) => {
    return new THREE.Ray(new THREE.Vector3(...at(origins, i)), new THREE.Vector3(...at(directions, i)));
  });
  const [origin, direction] = [new Float32Array(3), new Float32Array(3)];
  const each = (ask) => () => {
    let sum = 0;
    for (let i = 0; i < RAYS; i += 1) {
      for (let axis = 0; axis < 3; axis += 1) {
        origin[axis] = origins[3 * i + axis];
        direction[axis] = directions[3 * i + axis];
      }
      sum += ask(i) ? 1 : 0;
    }
    return sum;
  };
  const batch = new Batch();
  const rate = (time) => `${(RAYS / time / 1000).toFixed(3)} M/s`;
  const questions = {
    "first hits": {
      "estoc": each(() => bvh.closestHit(origin, direction)),
      "three-mesh-bvh": each((i) => peer.raycastFirst(rays[i], THREE.DoubleSide)),
      "estoc in a batch": () => batch.closestHits(bvh, { origins, directions }),
      "estoc/three": each((i) => own.raycastFirst(rays[i], THREE.DoubleSide)),
    },
    // It has no other call that answers this.
    "any hits": {
      "estoc": each(() => bvh.anyHit(origin, direction)),
      "three-mesh-bvh": each((i) => peer.raycastFirst(rays[i], THREE.DoubleSide)),
      "estoc in a batch": () => batch.anyHits(bvh, { origins, directions }),
    },
    "closest points": {
      "estoc": each(() => bvh.closestPoint(origin)),
      "three-mesh-bvh": each((i) => peer.closestPointToPoint(rays[i].origin)),
      "estoc in a batch": () => batch.closestPoints(bvh, origins),
    },
  };
  for (const [name, engines] of Object.entries(questions)) {
    const found = times(Object.values(engines));
    report(name, Object.keys(engines).map((engine, i) => [engine, found[i]]), rate);
  }
}
