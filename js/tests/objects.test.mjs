// Meshes and trees as objects: how they are made, read, written, freed, and what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Batch, Bvh, EstocError, Mesh, Scene, init } from "../index.js";
import { CORNERS, FACES, cube, tree } from "./cube.mjs";

await init();

test("a mesh tells what it has", () => {
  for (const [Numbers, precision] of [[Float32Array, "f32"], [Float64Array, "f64"]]) {
    const mesh = cube(Numbers, { precision });
    assert.deepEqual([mesh.vertexCount, mesh.triangleCount, mesh.precision], [8, 12, precision]);
    assert.deepEqual(mesh.bounds, { min: [-1, -1, -1], max: [1, 1, 1] });
    assert.deepEqual(Array.from(mesh.positions), CORNERS);
    assert.ok(mesh.positions instanceof Numbers);
    assert.deepEqual(Array.from(mesh.indices), FACES);
  }
  const empty = new Mesh(new Float32Array(0));
  assert.deepEqual([empty.triangleCount, empty.bounds], [0, null]);
  assert.equal(new Bvh(empty).closestHit([0, 0, 0], [0, 0, 1]), null);
});

test("arrays of any layout make the same mesh", () => {
  const soup = new Mesh(Float32Array.from(FACES.flatMap((i) => CORNERS.slice(3 * i, 3 * i + 3))));
  assert.equal(soup.triangleCount, 12);
  const wide = new Float32Array(8 * 5);
  CORNERS.forEach((x, i) => (wide[5 * Math.floor(i / 3) + (i % 3)] = x));
  for (const Indices of [Uint8Array, Uint16Array, Uint32Array, Int32Array]) {
    const mesh = new Mesh(wide, Indices.from(FACES), { stride: 5 });
    assert.deepEqual(Array.from(mesh.positions), CORNERS);
  }
  const shared = new Float32Array(new SharedArrayBuffer(4 * CORNERS.length));
  shared.set(CORNERS);
  assert.deepEqual(Array.from(new Mesh(shared, Uint32Array.from(FACES)).positions), CORNERS);
});

test("local frames and welding", () => {
  const far = Float64Array.from(CORNERS, (x) => x + 5_000_000.25);
  const mesh = new Mesh(far, Uint32Array.from(FACES), { precision: "f32", frame: "auto" });
  const [x, y, z] = mesh.origin;
  assert.ok(x > 4_000_000);
  const bvh = new Bvh(mesh);
  const hit = bvh.closestHit([5_000_000.5, 5_000_000.75, 5_000_009.25], [0, 0, -1]);
  assert.equal(hit.t, 8);
  for (const frame of [[x, y, z], { x, y, z }]) {
    assert.deepEqual(new Mesh(far, Uint32Array.from(FACES), { frame }).origin, [x, y, z]);
  }
  assert.throws(() => new Mesh(far, Uint32Array.from(FACES), { frame: {} }), TypeError);
  const soup = Float32Array.from(FACES.flatMap((i) => CORNERS.slice(3 * i, 3 * i + 3)));
  soup[0] += 0.0001;
  assert.throws(() => new Bvh(new Mesh(soup)).contains([0, 0, 0]), { code: "ESTOC_OPEN_SURFACE" });
  assert.equal(new Bvh(new Mesh(soup, null, { weld: 0.001 })).contains([0, 0, 0]), true);
});

test("what cannot be a mesh is refused with a sentence", () => {
  const bad = (positions, indices, options) => () => new Mesh(positions, indices, options);
  const corners = Float32Array.from(CORNERS);
  assert.throws(bad(corners, Uint32Array.of(0, 1, 99)), { code: "ESTOC_BAD_MESH", message: /99/ });
  assert.equal(new Mesh(corners, Uint32Array.of(0, 1, 99, 0, 1, 2), { skipBadFaces: true }).triangleCount, 1);
  assert.throws(bad(corners, Uint32Array.of(0, 1)), /2 corners of triangles, not three for each/);
  assert.throws(bad(CORNERS, Uint32Array.of(0, 1, 2)), /no Float32Array or Float64Array/);
  assert.throws(bad(corners, [0, 1, 2]), /no typed array of whole numbers/);
  assert.throws(bad(corners, Float32Array.of(0, 1, 2)), /no typed array of whole numbers/);
  assert.throws(bad(corners, Uint32Array.of(0, 1, 2), { stride: 2 }), /stride is 2/);
  assert.throws(bad(Float32Array.of(0, 0, NaN, 1, 0, 0, 0, 1, 0)), EstocError);
  assert.throws(bad(corners, Uint32Array.from(FACES), { precision: "f16" }), /not one of f32, f64/);
  for (const [length, stride] of [[8, 3], [10, 3], [1, 3], [11, 5], [12, 5]]) {
    assert.throws(bad(new Float32Array(length), Uint8Array.of(), { stride }), (error) => {
      return error instanceof RangeError && /are no whole corner/.test(error.message);
    });
  }
  for (const [length, vertices] of [[0, 0], [3, 1], [4, 1], [5, 1], [8, 2], [10, 2]]) {
    assert.equal(new Mesh(new Float32Array(length), Uint8Array.of(), { stride: 5 }).vertexCount, vertices);
  }
});

test("files are read", () => {
  const text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const mesh = Mesh.read(new TextEncoder().encode(text), "a.obj");
  assert.deepEqual(Array.from(mesh.positions), [0, 0, 0, 1, 0, 0, 0, 1, 0]);
  assert.throws(() => Mesh.read(new TextEncoder().encode("v 0 0\nf 1 2 3\n"), "b.obj"), { message: /b\.obj/ });
});

test("files are read from buffers and views", () => {
  const file = new TextEncoder().encode("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const [bytes, shared] = [tree().toBytes(), new SharedArrayBuffer(file.length)];
  new Uint8Array(shared).set(file);
  for (const given of [file, file.slice().buffer, shared, new DataView(file.buffer), Buffer.from(file)]) {
    assert.equal(Mesh.read(given, "a.obj").triangleCount, 1);
  }
  for (const given of [bytes.buffer, new DataView(bytes.buffer)]) assert.equal(Bvh.read(given).bvh.triangleCount, 12);
  for (const given of ["v 0 0 0", [1, 2], null, undefined, {}]) {
    assert.throws(() => Mesh.read(given), TypeError);
    assert.throws(() => Bvh.read(given), TypeError);
  }
});

/** Returns the coordinates of the corners of all triangles. */
const corners = ({ positions, indices }) => Array.from(indices).flatMap((i) => Array.from(positions.subarray(3 * i, 3 * i + 3)));

test("a tree is written, read and refitted", () => {
  for (const Numbers of [Float32Array, Float64Array]) {
    const [mesh, bvh] = [cube(Numbers, Numbers === Float64Array ? { precision: "f64" } : {}), tree(Numbers)];
    const bytes = bvh.toBytes(mesh);
    const again = Bvh.read(bytes);
    assert.equal(again.bvh.closestHit([0.25, 0.5, 9], [0, 0, -1]).t, 8);
    assert.deepEqual(corners(again.mesh), corners(mesh));
    assert.throws(() => Bvh.read(bytes.subarray(0, 200)), { code: "ESTOC_BAD_TREE_FILE" });
    const larger = new Mesh(Numbers.from(CORNERS, (x) => 3 * x), Uint16Array.from(FACES), { precision: mesh.precision });
    assert.equal(bvh.refit(larger), false);
    assert.equal(bvh.closestHit([0.25, 0.5, 9], [0, 0, -1]).t, 6);
    assert.throws(() => bvh.refit(new Mesh(Numbers.from(CORNERS), Uint8Array.of(0, 1, 2), { precision: mesh.precision })), {
      code: "ESTOC_BAD_MESH",
    });
    assert.equal(bvh.closestHit([0.25, 0.5, 9], [0, 0, -1]).t, 6);
  }
});

test("freed objects are told", () => {
  const mesh = cube();
  const bvh = new Bvh(mesh);
  mesh.free();
  mesh.free();
  assert.throws(() => mesh.triangleCount, { code: "ESTOC_RELEASED", message: "this Mesh was freed" });
  assert.throws(() => new Bvh(mesh), { code: "ESTOC_RELEASED" });
  assert.equal(bvh.closestHit([0.25, 0.5, 9], [0, 0, -1]).t, 8);
  if (Symbol.dispose) bvh[Symbol.dispose]();
  else bvh.free();
  assert.throws(() => bvh.closestHit([0, 0, 9], [0, 0, -1]), { message: "this Bvh was freed" });
});

test("a tree is built in another thread", async () => {
  const [positions, indices] = [Float32Array.from(CORNERS), Uint16Array.from(FACES)];
  let calls = 0;
  const masks = new Uint32Array(12).fill(2);
  const { bvh, mesh } = await Bvh.build(positions, indices, { quality: "best", masks, progress: () => (calls += 1) });
  assert.ok(calls > 0);
  assert.equal(mesh.triangleCount, 12);
  assert.equal(bvh.closestHit([0.25, 0.5, 9], [0, 0, -1]).t, 8);
  assert.equal(bvh.closestHit([0.25, 0.5, 9], [0, 0, -1], { mask: 1 }), null);
  assert.equal(positions.length, CORNERS.length);
  const far = Float64Array.from(CORNERS, (x) => x + 5_000_000.25);
  const there = await Bvh.build(far, indices, { precision: "f32", frame: "auto" });
  assert.equal(there.bvh.closestHit([5_000_000.5, 5_000_000.75, 5_000_009.25], [0, 0, -1]).t, 8);
  await assert.rejects(Bvh.build(positions, Uint16Array.of(0, 1, 99)), { code: "ESTOC_BAD_MESH" });
  await assert.rejects(Bvh.build(positions, Uint16Array.of(0, 1)), /not three for each/);
  const stopped = new AbortController();
  stopped.abort(new Error("not wanted"));
  await assert.rejects(Bvh.build(positions, indices, { signal: stopped.signal }), /not wanted/);
  const later = new AbortController();
  const count = 40_000;
  const many = Float32Array.from({ length: 9 * count }, (_, i) => Math.sin(i * i));
  const build = Bvh.build(many, null, { signal: later.signal, progress: () => later.abort(new Error("too late")) });
  await assert.rejects(build, /too late/);
});

test("progress is told and ends work", () => {
  const count = 40_000;
  const corners = Float32Array.from({ length: 9 * count }, (_, i) => Math.sin(i * i));
  const mesh = new Mesh(corners);
  let calls = 0;
  const bvh = new Bvh(mesh, { progress: () => void (calls += 1) });
  assert.ok(calls > 0 && bvh.triangleCount === count);
  assert.throws(() => new Bvh(mesh, { progress: () => false }), { code: "ESTOC_CANCELLED" });
  const thrown = new Error("by the progress");
  const progress = () => {
    throw thrown;
  };
  assert.throws(() => new Bvh(mesh, { progress }), (error) => error === thrown);
  assert.throws(
    () => new Batch({ maxValues: 3 }).allHits(tree(), { origins: Float32Array.of(0, 0, 9), directions: Float32Array.of(0, 0, -1) }),
    { code: "ESTOC_TOO_MANY" },
  );
});

test("what is freed inside callbacks is released after the call", () => {
  const [down, box] = [[[0.25, 0.5, 9], [0, 0, -1]], { box: { min: [-9, -9, -9], max: [9, 9, 9] } }];
  const uses = {
    filter: (bvh, free) => assert.equal(bvh.closestHit(...down, { filter: free }).t, 8),
    lists: (bvh, free) => assert.equal(bvh.allHits(...down, { filter: free }).length, 2),
    overlaps: (bvh, free) => bvh.visitOverlaps(box, free),
    nested: (bvh, free) => bvh.visitOverlaps(box, () => {
      free();
      return tree().anyHit(...down);
    }),
    thrown: (bvh, free) => assert.throws(() => bvh.visitOverlaps(box, () => {
      free();
      throw new Error("by the visit");
    }), /by the visit/),
  };
  for (const use of Object.values(uses)) {
    const bvh = tree();
    const { handle, library } = bvh;
    use(bvh, () => {
      bvh.free();
      // Memory that would be used again.
      new Mesh(new Float32Array(9 * 12).fill(1));
      assert.throws(() => bvh.anyHit(...down), { code: "ESTOC_RELEASED" });
      return true;
    });
    assert.throws(() => library.ask("estoc_retain", handle), { code: "ESTOC_RELEASED" });
    assert.deepEqual([library.depth, library.freed], [0, []]);
  }
  // What was made inside a callback, as the lists of answers, is given back at once.
  const outer = tree();
  outer.visitOverlaps(box, () => {
    outer.allHits(...down);
    assert.deepEqual(outer.library.freed, []);
  });
  const moved = new Mesh(Float32Array.from(CORNERS, (x) => 3 * x), Uint16Array.from(FACES));
  const bvh = tree();
  let count = 0;
  bvh.visitOverlaps(box, () => {
    if (count === 0) bvh.refit(moved);
    count += 1;
  });
  assert.equal(count, 12);
  assert.equal(bvh.closestHit(...down).t, 6);
  const large = new Mesh(Float32Array.from({ length: 9 * 40_000 }, (_, i) => Math.sin(i * i)));
  assert.equal(new Bvh(large, { progress: () => large.free() }).triangleCount, 40_000);
});

test("failures leave nothing behind", () => {
  const bvh = tree();
  const bytes = bvh.toBytes();
  const large = new Mesh(Float32Array.from({ length: 9 * 40_000 }, (_, i) => Math.sin(i * i)));
  /** The index of the next handle: free ones are used again. */
  const next = () => {
    const mesh = cube();
    const { handle } = mesh;
    mesh.free();
    return handle % 2 ** 22;
  };
  const fail = () => {
    throw new Error("by a callback");
  };
  const failures = [
    () => bvh.allHits([0.25, 0.5, 9], [0, 0, -1], { filter: fail }),
    () => new Bvh(large, { progress: fail }),
    () => Bvh.read(bytes, { progress: fail }),
    () => Mesh.read(new TextEncoder().encode("v 0 0 0\n".repeat(100_000)), "a.obj", { progress: fail }),
  ];
  for (const work of failures) {
    const before = next();
    for (let i = 0; i < 3; i += 1) assert.throws(work, /by a callback/);
    assert.equal(next(), before, String(work));
  }
});
