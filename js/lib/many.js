// Questions about many rays or points.

import { run } from "./run.js";
import { ARRAYS, COLUMN, OUTPUT, POINTS, POINT_OPTIONS, RAYS, RULES, SPHERES, TYPES, constant } from "./structs.js";
import { put } from "./vector.js";
import { pointOptions, rayOptions } from "./world.js";

const HIT = { t: "number", prim: Uint32Array, u: "number", v: "number", path: "path" };
const POINT = {
  distance: "number",
  prim: Uint32Array,
  u: "number",
  v: "number",
  x: Float64Array,
  y: Float64Array,
  z: Float64Array,
  feature: Uint8Array,
  path: "path",
};

const CONTACT = { t: "number", prim: Uint32Array, x: "number", y: "number", z: "number", feature: Uint8Array, is_touching_at_start: Uint8Array };

/** The questions by their numbers in estoc.h, with the columns of their answers, which a test compares with the library's. */
export const QUESTIONS = {
  closestHits: ["rays", 1, HIT],
  anyHits: ["rays", 2, { found: Uint8Array }],
  hitCounts: ["rays", 3, { count: BigInt64Array }],
  crossingCounts: ["rays", 4, { count: BigInt64Array }],
  allHits: ["rays", 5, HIT],
  crossings: ["rays", 6, HIT],
  distinctHits: ["rays", 7, HIT],
  closestPoints: ["points", 11, POINT],
  distances: ["points", 12, { distance: "number" }],
  contains: ["points", 13, { found: Uint8Array }],
  signedDistances: ["points", 14, { signed: "number", inside: Uint8Array }],
  windingNumbers: ["points", 15, { number: BigInt64Array, on_surface: Uint8Array }],
  windingEstimates: ["points", 16, { value: Float64Array, error: Float64Array }],
  within: ["points", 17, { prim: Uint32Array, path: "path" }],
  closestTriangles: ["points", 18, POINT],
  firstContacts: ["spheres", 0, CONTACT],
};

/** Returns the columns of a question at a world, each with the array that holds it and the numbers of each answer. */
export function columnsOf(world, columns) {
  const number = world.precision === "f64" ? Float64Array : Float32Array;
  return Object.entries(columns)
    .filter(([, of]) => of !== "path" || world.depth > 0)
    .map(([name, of]) => ({
      name,
      Numbers: of === "number" ? number : of === "path" ? Uint32Array : of,
      width: of === "path" ? world.depth : 1,
    }));
}

/** How a number is read from memory, by the array that would hold it. */
const READ = new Map(/** @type {[Function, Function][]} */ ([
  [Float32Array, (view, at) => view.getFloat32(at, true)],
  [Float64Array, (view, at) => view.getFloat64(at, true)],
  [Uint8Array, (view, at) => view.getUint8(at)],
  [Uint32Array, (view, at) => view.getUint32(at, true)],
  [BigInt64Array, (view, at) => Number(view.getBigInt64(at, true))],
]));

/** Writes a question about one point, whose memory stays for the next one. */
function prepared(world, question) {
  const { library } = world;
  const key = `${question} ${world.precision} ${world.depth}`;
  const found = library.prepared.get(key);
  if (found) return found;
  const arena = library.arena();
  const [, number, columns] = QUESTIONS[question];
  const [point, most] = [arena.allocate(24), arena.allocate(8)];
  const given = arena.struct(POINTS, {
    count: 1,
    "position.x": point,
    "position.y": point + 8,
    "position.z": point + 16,
    "position.type": 2,
  });
  const outputs = columnsOf(world, columns).map((of) => ({ ...of, start: arena.allocate(8 * of.width) }));
  const table = tableOf(arena, outputs);
  const how = arena.struct(POINT_OPTIONS, { max_distance: most });
  const made = { number, point, most, given, outputs, table, how, run: run(arena, {}) };
  library.prepared.set(key, made);
  return made;
}

/**
 * Answers a question about one point: a number for each column.
 * @param {any} options
 * @returns {any}
 */
export function one(world, question, point, options = {}) {
  const { rule, maxDistance = Infinity } = options;
  const { library } = world;
  const call = prepared(world, question);
  const view = library.view();
  put(library.doubles, call.point >>> 3, point);
  library.doubles[call.most >>> 3] = maxDistance;
  view.setInt32(call.how + POINT_OPTIONS.at.rule, constant(RULES, rule, "rule"), true);
  const { number, given, how, table, outputs } = call;
  library.ask("estoc_ask_points", world.handle, number, given, how, call.run, table, outputs.length);
  const after = library.view();
  const answer = {};
  for (const { name, Numbers, width, start } of outputs) {
    answer[name] = name === "path" ? new Numbers(after.buffer, start, width).slice() : READ.get(Numbers)?.(after, start);
  }
  return answer;
}

/** Writes the table of outputs, with where each starts. */
export function tableOf(arena, outputs) {
  const table = arena.allocate(OUTPUT.size * outputs.length);
  outputs.forEach(({ name, Numbers, width, start }, i) => {
    const text = arena.text(name);
    const view = arena.library.view();
    const values = [text, start, Numbers.BYTES_PER_ELEMENT * width, TYPES.get(Numbers)];
    values.forEach((value, field) => view.setInt32(table + OUTPUT.size * i + 4 * field, value, true));
  });
  return table;
}

/** Writes what is asked about, with options. Returns what the functions take between the world and the run, and the number of items. */
export function asked(world, arena, [kind, number], items, options) {
  if (kind === "points") {
    const { count, fields } = triples(arena, items, "position");
    return { given: [number, arena.struct(POINTS, { count, ...fields }), pointOptions(arena, options)], count };
  }
  if (kind === "spheres") {
    const { count, fields } = triples(arena, items.centers, "center");
    Object.assign(fields, triples(arena, items.velocities, "velocity", count).fields);
    Object.assign(fields, column(arena, "radius", items.radius, count));
    if (items.tMax !== undefined) Object.assign(fields, column(arena, "t_max", items.tMax, count));
    return { given: [arena.struct(SPHERES, { count, ...fields })], count };
  }
  const { count, fields } = triples(arena, items.origins, "origin");
  Object.assign(fields, triples(arena, items.directions, "dir", count).fields);
  for (const [name, of] of [["t_min", items.tMin ?? options.tMin], ["t_max", items.tMax ?? options.tMax]]) {
    if (of !== undefined) Object.assign(fields, column(arena, name, of, count));
  }
  return { given: [number, arena.struct(RAYS, { count, ...fields }), rayOptions(world, arena, options)], count };
}

/** Returns the type of triples of coordinates, of which there are as many as there have to be. */
function typeOfTriples(array, name, wanted) {
  const type = TYPES.get(array?.constructor);
  if (type !== 1 && type !== 2) throw new TypeError("coordinates are no Float32Array or Float64Array");
  if (array.length % 3 !== 0) throw new RangeError(`there are ${array.length} coordinates, not three for each`);
  if (array.length !== 3 * wanted) throw new RangeError(`there are ${array.length / 3} triples for ${name}, not ${wanted}`);
  return type;
}

/** Copies triples of coordinates, as many as there have to be. */
function triples(arena, array, name, wanted = array?.length / 3) {
  const type = typeOfTriples(array, name, wanted);
  const [start, size] = [arena.copy(array), array.BYTES_PER_ELEMENT];
  const fields = {
    [`${name}.x`]: start,
    [`${name}.y`]: start + size,
    [`${name}.z`]: start + 2 * size,
    [`${name}.stride`]: 3 * size,
    [`${name}.type`]: type,
  };
  return { count: array.length / 3, fields };
}

/** Returns the number of rays, after a check that each has all its numbers. */
export function rayCount({ origins, directions, tMin, tMax }) {
  const count = origins?.length / 3;
  typeOfTriples(origins, "origin", count);
  typeOfTriples(directions, "dir", count);
  typeOfColumn("t_min", tMin ?? 0, count);
  typeOfColumn("t_max", tMax ?? 0, count);
  return count;
}

/** Returns the array of a number for each item, or of one for all, and its type. */
function typeOfColumn(name, of, count) {
  const array = typeof of === "number" ? Float64Array.of(of) : of;
  const type = TYPES.get(array?.constructor);
  if (type !== 1 && type !== 2) throw new TypeError(`${name} is no number, Float32Array or Float64Array`);
  if (typeof of !== "number" && array.length !== count) {
    throw new RangeError(`there are ${array.length} numbers ${name} for ${count} items`);
  }
  return { array, type };
}

/** Copies a number for each item, or one for all. */
function column(arena, name, of, count) {
  const { array, type } = typeOfColumn(name, of, count);
  const stride = typeof of === "number" ? 0 : array.BYTES_PER_ELEMENT;
  return { [`${name}.data`]: arena.copy(array), [`${name}.stride`]: stride, [`${name}.type`]: type };
}

/**
 * Answers a question with one answer for each item: an array for each column.
 * @returns {import("./types.js").Columns}
 */
export function many(world, question, items, options) {
  const [about, , columns] = QUESTIONS[question];
  const { library } = world;
  return library.with((arena) => {
    const { given, count } = asked(world, arena, QUESTIONS[question], items, options);
    const outputs = columnsOf(world, columns).map((of) => {
      return { ...of, start: arena.allocate(of.Numbers.BYTES_PER_ELEMENT * of.width * count) };
    });
    const table = tableOf(arena, outputs);
    library.ask(`estoc_ask_${about}`, world.handle, ...given, run(arena, options), table, outputs.length);
    const { buffer } = library.memory;
    const answers = outputs.map(({ name, Numbers, width, start }) => {
      const column = new Numbers(buffer, start, count * width);
      return [name, Numbers === BigInt64Array ? Float64Array.from(column, Number) : column.slice()];
    });
    return Object.fromEntries(answers);
  });
}

/**
 * Answers a question with a list for each item: that of item `i` is from `offsets[i]` to `offsets[i + 1]` in each array.
 * @returns {import("./types.js").Columns}
 */
export function list(world, question, items, options) {
  const [about, , columns] = QUESTIONS[question];
  const { library } = world;
  return library.with((arena) => {
    const all = [world.handle, ...asked(world, arena, QUESTIONS[question], items, options).given, run(arena, options)];
    const [made] = library.make(arena, 1, (made) => library.ask(`estoc_list_${about}`, ...all, made));
    try {
      return read(arena, made, columnsOf(world, columns));
    } finally {
      library.release(made);
    }
  });
}

function read(arena, lists, columns) {
  const { library } = arena;
  const [count, start, column] = [arena.allocate(4), arena.allocate(4), arena.allocate(COLUMN.size)];
  library.ask("estoc_lists_offsets", lists, count, start);
  const view = library.view();
  const items = view.getUint32(count, true);
  const offsets = Uint32Array.from(new BigUint64Array(library.memory.buffer, view.getUint32(start, true), items + 1), Number);
  const values = offsets[items];
  const answers = { offsets };
  for (const { name, width } of columns) {
    library.ask("estoc_lists_column", lists, arena.text(name), column);
    const { data, stride, type } = COLUMN.read(library.view(), column);
    const Numbers = /** @type {any} */ (ARRAYS[Number(type) - 1]);
    const step = Number(stride) / Numbers?.BYTES_PER_ELEMENT;
    if (!Number.isInteger(step)) throw new Error(`"${name}" in lists has the type ${type} and the stride ${stride}`);
    const all = values === 0 ? new Numbers(0) : new Numbers(library.memory.buffer, data, step * (values - 1) + width);
    const dense = step === width ? all.slice() : new Numbers(values * width);
    for (let i = 0; step !== width && i < dense.length; i += 1) {
      dense[i] = all[Math.floor(i / width) * step + (i % width)];
    }
    answers[name] = dense;
  }
  return answers;
}
