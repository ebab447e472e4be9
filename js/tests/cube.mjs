// The cube from -1 to 1, which faces outward.

import { Bvh, Mesh } from "../index.js";

export const CORNERS = [-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1];
export const FACES = [
  [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 2, 3], [0, 3, 1], [4, 5, 7],
  [4, 7, 6],
].flat();

export const cube = (Numbers = Float32Array, options = {}) =>
  new Mesh(Numbers.from(CORNERS), Uint16Array.from(FACES), options);
export const tree = (Numbers) => new Bvh(cube(Numbers, Numbers === Float64Array ? { precision: "f64" } : {}));

/** Numbers that look random, the same in every run, from 0 to 1. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
