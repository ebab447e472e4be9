// Rays with answers in exact arithmetic, where the folder `shared` is beside the repository.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { Batch, Bvh, Mesh, NONE, init } from "../index.js";

await init();
const folder = fileURLToPath(new URL("../../../shared/data", import.meta.url));
const unpacked = (program, file) => execFileSync(program, ["-dc", `${folder}/${file}`], { maxBuffer: 2 ** 30 });
const skip = existsSync(`${folder}/reference`) ? false : "../shared is not there";

for (const name of ["utah-teapot", "cad-adis16480", "sponza-dabrovic", "stanford-bunny"]) {
  test(`reference rays at ${name}`, { skip }, () => {
    const bvh = new Bvh(Mesh.read(unpacked("zstd", `meshes/${name}.obj.zst`), `${name}.obj`));
    const [head, ...rows] = unpacked("xz", `reference/${name}.rays.csv.xz`).toString().trim().split("\n");
    const place = Object.fromEntries(head.split(",").map((column, i) => [column, i]));
    const cells = rows.map((row) => row.split(","));
    const column = (key) => Float64Array.from(cells, (row) => Number(row[place[key]].replace("inf", "Infinity")));
    const triples = (...keys) => {
      const columns = keys.map(column);
      return Float32Array.from({ length: 3 * cells.length }, (_, i) => columns[i % 3][Math.floor(i / 3)]);
    };
    const rays = {
      origins: triples("ox", "oy", "oz"),
      directions: triples("dx", "dy", "dz"),
      tMin: column("tmin"),
      tMax: column("tmax"),
    };
    const found = new Batch().closestHits(bvh, rays);
    const [hit, t, prim, u, v, ties] = ["hit", "t", "prim", "u", "v", "ties"].map(column);
    for (let i = 0; i < cells.length; i += 1) {
      const single = bvh.closestHit(...[rays.origins, rays.directions].map((of) => of.subarray(3 * i, 3 * i + 3)), {
        tMin: rays.tMin[i],
        tMax: rays.tMax[i],
      });
      assert.equal(found.prim[i], single?.prim ?? NONE, `ray ${i}`);
      assert.equal(found.prim[i] !== NONE, hit[i] === 1, `ray ${i}`);
      if (hit[i] === 0) continue;
      assert.equal(found.t[i], Math.fround(t[i]), `ray ${i}`);
      if (ties[i] === 1) {
        assert.equal(found.prim[i], prim[i], `ray ${i}`);
        assert.ok(Math.abs(found.u[i] - u[i]) < 1e-6 && Math.abs(found.v[i] - v[i]) < 1e-6, `ray ${i}`);
      }
    }
  });
}
