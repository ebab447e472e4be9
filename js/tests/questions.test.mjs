// Answers to single questions and to many.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Batch, Bvh, Mesh, NONE, Scene, init } from "../index.js";
import { QUESTIONS, list, many } from "../lib/many.js";
import { CORNERS, FACES, cube, random, tree } from "./cube.mjs";

await init();

for (const Numbers of [Float32Array, Float64Array]) {
  test(`rays at a mesh in ${Numbers.name}`, () => {
    const bvh = tree(Numbers);
    assert.equal(bvh.triangleCount, 12);
    assert.equal(bvh.depth, 0);
    const down = [[0.25, 0.5, 9], [0, 0, -2]];
    assert.deepEqual(bvh.closestHit(...down), { t: 4, prim: 11, u: 0.625, v: 0.125 });
    assert.equal(bvh.anyHit(...down), true);
    assert.equal(bvh.anyHit([0.25, 0.5, 9], { x: 0, y: 0, z: 1 }), false);
    assert.equal(bvh.closestHit([0, 0, NaN], [0, 0, 1]), null);
    assert.deepEqual(bvh.allHits(...down).map((hit) => hit.t), [4, 5]);
    assert.deepEqual(bvh.allHits(...down, { maxHits: 1 }).map((hit) => hit.prim), [11]);
    // Down the diagonal of a face, which two triangles share.
    assert.equal(bvh.hitCount([0, 0, 9], [0, 0, -1]), 4);
    assert.equal(bvh.crossingCount([0, 0, 9], [0, 0, -1]), 2);
    assert.equal(bvh.crossings([0, 0, 9], [0, 0, -1]).length, 2);
  });

  test(`points at a mesh in ${Numbers.name}`, () => {
    const bvh = tree(Numbers);
    const { distance, point, feature, prim } = bvh.closestPoint([0.25, 0.5, 3]);
    assert.deepEqual([distance, point, feature, prim], [2, [0.25, 0.5, 1], "face", 11]);
    assert.equal(bvh.closestPoint([0, 0, 3], { maxDistance: 1.5 }), null);
    assert.equal(bvh.closestPoint([2, 2, 2]).feature.split(" ")[0], "vertex");
    assert.equal(bvh.distance([0, 0, 3]), 2);
    assert.equal(bvh.contains([0, 0, 0]), true);
    assert.equal(bvh.contains([1, 1, 1], { rule: "winding" }), true);
    assert.equal(bvh.contains([0, 0, 2], { rule: "estimate" }), false);
    assert.equal(bvh.signedDistance([0, 0, 0.5]), -0.5);
    assert.equal(bvh.windingNumber([0, 0, 0.5]), 1);
    assert.equal(bvh.windingNumber([0, 0, 1]), null);
    assert.ok(Math.abs(bvh.windingEstimate([0, 0, 0.5]).value - 1) < 0.01);
    assert.deepEqual(Array.from(bvh.within([0, 0, 2.5], 1.5)), [10, 11]);
    assert.deepEqual(bvh.closestTriangles([0.25, 0.5, 3], 2).map((found) => found.prim), [11, 10]);
  });

  test(`what surrounds a mesh in ${Numbers.name}`, () => {
    const bvh = tree(Numbers);
    const contact = bvh.firstContact([0.25, 0.5, 9], [0, 0, -2], 0.5);
    assert.deepEqual(contact, { t: 3.75, prim: 11, point: [0.25, 0.5, 1], feature: "face", isTouchingAtStart: false });
    assert.equal(bvh.firstContact([0, 0, 9], [0, 0, -2], 0.5, { tMax: 3 }), null);
    const spheres = { centers: Float64Array.of(0, 0, 9, 0, 0, 2), velocities: new Float64Array(6).fill(-1), radius: 1 };
    const { prim, is_touching_at_start } = new Batch().firstContacts(bvh, spheres);
    assert.deepEqual(Array.from(prim, (of) => of === NONE), [true, false]);
    assert.deepEqual(Array.from(is_touching_at_start), [0, 1]);
    assert.throws(() => new Batch().firstContacts(bvh, { ...spheres, velocities: new Float64Array(3) }), /1 triples for velocity, not 2/);
    const other = new Bvh(new Mesh(Numbers.from(CORNERS, (x, i) => x + (i % 3 === 0 ? 5 : 0)), Uint16Array.from(FACES), { precision: bvh.precision }));
    const least = bvh.leastDistance(other);
    assert.equal(least.distance, 3);
    assert.deepEqual(least.sides.map(({ point }) => point[0]), [1, 4]);
    assert.equal(bvh.leastDistance(new Bvh(new Mesh(Numbers.of(), null, { precision: bvh.precision }))), null);
    assert.throws(() => bvh.leastDistance(tree(Numbers === Float32Array ? Float64Array : Float32Array)), { code: "ESTOC_BAD_ARGUMENT" });
    assert.equal(bvh.distinctHits([0, 0, 9], [0, 0, -1]).length, 2);
  });

  test(`nodes of a tree in ${Numbers.name}`, () => {
    const next = random(8);
    const positions = Numbers.from({ length: 900 }, (_, i) => 10 * Math.floor(i / 9) * next());
    const bvh = new Bvh(new Mesh(positions, null, { precision: Numbers === Float64Array ? "f64" : "f32" }));
    const { bounds, first, children, start, count, prims } = bvh.nodes();
    assert.deepEqual(Array.from(prims).sort((a, b) => a - b), Array.from({ length: 100 }, (_, i) => i));
    assert.deepEqual([start[0], count[0]], [0, 100]);
    for (let node = 0; node < count.length; node += 1) {
      assert.equal(first[node] === NONE, children[node] === 0);
      for (const prim of prims.subarray(start[node], start[node] + count[node])) {
        for (let i = 0; i < 9; i += 1) {
          const [x, axis] = [positions[9 * prim + i], i % 3];
          assert.ok(bounds[6 * node + axis] <= x && x <= bounds[6 * node + 3 + axis]);
        }
      }
      const below = Array.from(count.subarray(first[node], first[node] + children[node])).reduce((sum, of) => sum + of, 0);
      assert.equal(below, children[node] === 0 ? 0 : count[node]);
    }
    assert.equal(new Bvh(new Mesh(Numbers.of())).nodes().count.length, 0);
  });

  test(`regions at a mesh in ${Numbers.name}`, () => {
    const bvh = tree(Numbers);
    assert.deepEqual(Array.from(bvh.overlaps({ ball: { center: [0, 0, 1], radius: 0.5 } })), [10, 11]);
    assert.deepEqual(Array.from(bvh.overlaps({ box: { min: [-0.5, -0.5, 0.5], max: [0.5, 0.5, 1.5] } })), [10, 11]);
    assert.equal(bvh.overlaps({ plane: { normal: [0, 0, 1], point: [0, 0, 0] } }).length, 8);
    assert.equal(bvh.overlaps({ triangle: [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0]] }).length, 0);
    let visited = 0;
    bvh.visitOverlaps({ plane: { normal: [0, 0, 1], point: [0, 0, 0] } }, () => ++visited < 3);
    assert.equal(visited, 3);
    const [line, ...others] = bvh.section({ plane: { normal: [0, 0, 1], point: [0, 0, 0.25] } });
    assert.deepEqual([others.length, line.isClosed, line.isHole, line.area], [0, true, false, 4]);
    assert.equal(line.points.length, 3 * line.prims.length);
    assert.ok(line.points.every((x, i) => i % 3 !== 2 || x === 0.25));
    const pairs = [];
    bvh.visitIntersections((...pair) => void pairs.push(pair));
    assert.deepEqual(pairs, []);
    const moved = new Bvh(new Mesh(Numbers.from(CORNERS, (x) => x + 0.5), Uint32Array.from(FACES), { precision: bvh.precision }));
    bvh.visitIntersections((first, second, kind) => void pairs.push(kind), moved);
    assert.ok(pairs.length > 0 && pairs.every((kind) => ["crossing", "touching"].includes(kind)));
  });
}

test("options of rays", () => {
  const bvh = tree();
  const down = [[0.25, 0.5, 9], [0, 0, -1]];
  assert.equal(bvh.closestHit(...down, { tMin: 8.5 }).t, 10);
  assert.equal(bvh.closestHit(...down, { tMax: 7 }), null);
  assert.equal(bvh.closestHit(...down, { tMin: 8, openEnds: true }).t, 10);
  assert.equal(bvh.closestHit(...down, { cull: "front" }).t, 10);
  assert.equal(bvh.closestHit(...down, { skip: 11 }).t, 10);
  assert.equal(bvh.closestHit(...down, { after: { prim: 11 } }).t, 10);
  assert.equal(bvh.closestHit(...down, { filter: (hit) => hit.t > 9 }).t, 10);
  assert.throws(() => bvh.closestHit(...down, { after: 0 }), { code: "ESTOC_BAD_QUERY" });
  assert.throws(() => bvh.closestHit(...down, { cull: "left" }), /cull is left, not one of none, back, front/);
  const thrown = new Error("by the filter");
  const filter = () => {
    throw thrown;
  };
  assert.throws(() => bvh.closestHit(...down, { filter }), (error) => error === thrown);
  assert.equal(bvh.closestHit(...down).t, 8);
});

test("masks", () => {
  const bvh = new Bvh(cube(), { masks: Uint32Array.from({ length: 12 }, (_, i) => (i < 10 ? 1 : 2)) });
  assert.equal(bvh.closestHit([0.25, 0.5, 9], [0, 0, -1], { mask: 1 }).t, 10);
  assert.equal(bvh.closestHit([0.25, 0.5, 9], [0, 0, -1], { mask: 3 }).t, 8);
  const rays = { origins: Float32Array.of(0.25, 0.5, 9, 0.25, 0.5, 9), directions: Float32Array.of(0, 0, -1, 0, 0, -1) };
  const scene = new Scene();
  scene.add(bvh);
  for (const world of [bvh, tree(Float64Array), scene.commit()]) {
    assert.equal(world.closestHit([0.25, 0.5, 9], [0, 0, -1], { mask: 0 }), null);
    assert.equal(world.anyHit([0.25, 0.5, 9], [0, 0, -1], { mask: 0 }), false);
    assert.deepEqual(world.allHits([0.25, 0.5, 9], [0, 0, -1], { mask: 0 }), []);
    assert.equal(world.hitCount([0.25, 0.5, 9], [0, 0, -1], { mask: 0 }), 0);
    assert.deepEqual(Array.from(new Batch({ mask: 0 }).closestHits(world, rays).prim), [NONE, NONE]);
    assert.equal(new Batch({ mask: 0 }).allHits(world, rays).prim.length, 0);
  }
  assert.throws(() => scene.add(bvh, undefined, { mask: 0 }), RangeError);
  scene.add(bvh, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 5], { mask: 4 });
  assert.equal(scene.commit().closestHit([0.25, 0.5, 9], [0, 0, -1], { mask: 3 }).t, 8);
});

test("scenes", () => {
  const bvh = tree();
  const scene = new Scene();
  const first = scene.add(bvh, [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0]);
  // As three.js has it: column by column.
  const second = scene.add(bvh, { elements: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -5, 0, 0, 1] });
  const world = scene.commit();
  assert.deepEqual([world.depth, world.triangleCount], [1, 24]);
  const hit = world.closestHit([20, 0.25, 0.5], [-1, 0, 0]);
  assert.deepEqual([hit.t, hit.path], [14, [first]]);
  assert.deepEqual(world.allHits([20, 0.25, 0.5], [-1, 0, 0]).map(({ t, path }) => [t, path[0]]), [
    [14, first], [16, first], [24, second], [26, second],
  ]);
  assert.deepEqual(world.closestPoint([9, 0, 0]).path, [first]);
  const skip = { prim: hit.prim, path: hit.path };
  assert.equal(world.closestHit([20, 0.25, 0.5], [-1, 0, 0], { skip }).t, 16);
  scene.move(first, [1, 0, 0, 9, 0, 1, 0, 0, 0, 0, 1, 0]);
  scene.remove(second);
  assert.deepEqual(scene.commit().allHits([20, 0.25, 0.5], [-1, 0, 0]).map(({ t }) => t), [10, 12]);
  // What was committed stays as it was.
  assert.equal(world.closestHit([20, 0.25, 0.5], [-1, 0, 0]).t, 14);
  assert.throws(() => scene.add(bvh, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), { code: "ESTOC_BAD_SCENE" });
  assert.throws(() => scene.add(bvh, [1, 0, 0]), /12 or 16 numbers, not 3/);
});

test("many rays have the answers of single ones", () => {
  const next = random(7);
  const origins = Float32Array.from({ length: 3000 }, () => 6 * next() - 3);
  const directions = Float32Array.from({ length: 3000 }, () => 2 * next() - 1);
  const scene = new Scene();
  scene.add(tree(), [1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0]);
  const at = (array, i) => array.subarray(3 * i, 3 * i + 3);
  for (const world of [tree(Float32Array), tree(Float64Array), scene.commit()]) {
    const batch = new Batch({ cull: "back" });
    const [found, any] = [batch.closestHits(world, { origins, directions }), batch.anyHits(world, { origins, directions })];
    const counts = batch.hitCounts(world, { origins, directions }).count;
    const lists = batch.allHits(world, { origins, directions });
    let hits = 0;
    for (let i = 0; i < 1000; i += 1) {
      const single = world.closestHit(at(origins, i), at(directions, i), { cull: "back" });
      assert.equal(found.prim[i], single?.prim ?? NONE);
      assert.equal(any.found[i], Number(single !== null));
      const list = world.allHits(at(origins, i), at(directions, i), { cull: "back" });
      assert.equal(counts[i], list.length);
      const range = [lists.offsets[i], lists.offsets[i + 1]];
      assert.deepEqual(Array.from(lists.t.subarray(...range)), list.map(({ t }) => t));
      assert.deepEqual(Array.from(lists.prim.subarray(...range)), list.map(({ prim }) => prim));
      if (!single) continue;
      hits += 1;
      assert.deepEqual([found.t[i], found.u[i], found.v[i]], [single.t, single.u, single.v]);
    }
    assert.ok(hits > 50 && hits < 950);
  }
});

test("many points have the answers of single ones", () => {
  const next = random(8);
  const points = Float32Array.from({ length: 300 }, () => 4 * next() - 2);
  for (const world of [tree(Float32Array), tree(Float64Array)]) {
    const batch = new Batch();
    const [closest, inside] = [batch.closestPoints(world, points), batch.contains(world, points)];
    const signed = batch.signedDistances(world, points);
    const near = batch.within(world, points, { maxDistance: 1 });
    for (let i = 0; i < 100; i += 1) {
      const point = points.subarray(3 * i, 3 * i + 3);
      const single = world.closestPoint(point);
      assert.deepEqual([closest.distance[i], closest.prim[i], closest.x[i]], [single.distance, single.prim, single.point[0]]);
      assert.equal(inside.found[i] === 1, world.contains(point));
      assert.equal(signed.signed[i], inside.found[i] ? -single.distance : single.distance);
      assert.deepEqual(near.prim.subarray(near.offsets[i], near.offsets[i + 1]), world.within(point, 1));
    }
  }
});

test("lists of many points have the numbers of single ones", () => {
  const next = random(9);
  for (const Numbers of [Float32Array, Float64Array]) {
    const world = tree(Numbers);
    const points = Float32Array.from({ length: 300 }, () => 4 * next() - 2);
    const lists = new Batch().closestTriangles(world, points, { maxTriangles: 1 });
    const closest = new Batch().closestPoints(world, points);
    for (const name of ["x", "y", "z"]) {
      assert.ok(lists[name] instanceof Numbers);
      assert.deepEqual(Array.from(lists[name]), Array.from(Numbers.from(closest[name])));
    }
    assert.deepEqual(lists.feature, closest.feature);
    const [single] = world.closestTriangles([0.25, 0.5, 3], 1);
    assert.deepEqual(single, world.closestPoint([0.25, 0.5, 3]));
  }
  // Scenes in scenes, whose paths have two numbers.
  const [inner, outer] = [new Scene(), new Scene()];
  inner.add(tree());
  const number = inner.add(tree(), [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0]);
  outer.add(inner.commit());
  const found = new Batch().closestTriangles(outer.commit(), Float32Array.of(5.25, 0.5, 3), { maxTriangles: 2 });
  assert.deepEqual([found.path.length, found.path[1], found.path[3]], [4, number, number]);
  assert.deepEqual([found.x[0], found.y[0], found.z[0], found.distance[0]], [5.25, 0.5, 1, 2]);
});

test("numbers that are no floats", () => {
  const [point, floats] = [[0.1, 0.2, 0.3], [0.1, 0.2, 0.3].map(Math.fround)];
  const needFloats = {
    signedDistance: (world, at) => world.signedDistance(at),
    windingNumber: (world, at) => world.windingNumber(at),
    windingEstimate: (world, at) => world.windingEstimate(at),
    winding: (world, at) => world.contains(at, { rule: "winding" }),
    estimate: (world, at) => world.contains(at, { rule: "estimate" }),
    section: (world, at) => world.section({ plane: { normal: [0, 0, 1], point: at } }),
  };
  const message = /no floats.*; round each number by Math\.fround, or make the mesh with precision: "f64"$/;
  for (const ask of Object.values(needFloats)) {
    assert.throws(() => ask(tree(), point), { code: "ESTOC_NOT_F32", message });
    ask(tree(), floats);
    ask(tree(Float64Array), point);
  }
  for (const world of [tree(), tree(Float64Array)]) {
    const inBall = (center) => world.overlaps({ ball: { center, radius: 1 } });
    assert.throws(() => inBall(point), { code: "ESTOC_NOT_F32", message: /; round each number by Math\.fround$/ });
    assert.equal(inBall(floats).length, 6);
    assert.equal(world.contains(point), true);
    assert.equal(world.closestPoint(point).feature, "face");
    assert.ok(Math.abs(world.distance(point) - 0.7) < 1e-6);
    assert.notEqual(world.closestHit(point, point), null);
  }
  const framed = new Bvh(cube(Float32Array, { frame: [1, 1, 1] }));
  assert.throws(() => framed.section({ plane: { normal: [0, 0, 1], point: [0, 0, 0] } }), {
    code: "ESTOC_UNSUPPORTED",
    message: /make it with precision: "f64"$/,
  });
});

test("intervals of many rays", () => {
  const origins = Float64Array.of(0.25, 0.5, 9, 0.25, 0.5, 9);
  const directions = Float64Array.of(0, 0, -1, 0, 0, -1);
  const t = (rays) => Array.from(new Batch().closestHits(tree(), { origins, directions, ...rays }).t);
  assert.deepEqual(t({ tMin: 8.5 }), [10, 10]);
  assert.deepEqual(t({ tMin: Float32Array.of(0, 8.5) }), [8, 10]);
  assert.deepEqual(t({ tMax: Float64Array.of(7, Infinity) }), [Infinity, 8]);
  assert.throws(() => t({ tMax: Float64Array.of(7) }), /1 numbers t_max for 2 items/);
});

test("the columns of answers are those of the library", () => {
  const one = { origins: new Float32Array(3), directions: new Float32Array(3), centers: new Float32Array(3), velocities: new Float32Array(3), radius: 1 };
  const lists = ["allHits", "crossings", "distinctHits", "within", "closestTriangles"];
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const [kind, number, columns] = question;
    const known = Object.keys(columns).filter((column) => column !== "path").sort();
    // A column that no question has is refused by a sentence with those that there are.
    QUESTIONS.test = [kind, number, { nothing: Uint8Array }];
    const ask = lists.includes(name) ? list : many;
    const options = name === "within" ? { maxDistance: 9 } : name === "closestTriangles" ? { maxTriangles: 1 } : {};
    assert.throws(() => ask(tree(), "test", kind === "points" ? new Float32Array(3) : one, options), (error) => {
      assert.deepEqual(error.message.match(/ here, but (.*)$| no "nothing", but (.*)$/)?.slice(1).join("").split(", ").sort(), known, name);
      return true;
    });
    delete QUESTIONS.test;
  }
});
