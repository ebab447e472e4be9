// How long work runs.

import { RUN } from "./structs.js";

/**
 * @typedef {object} RunOptions
 * @property {(done: number, total: number) => boolean | void} [progress] told the units of work that are done, and of all,
 *   or 0 where that is not known; ends the work by returning `false`, which is then an error
 * @property {number} [maxValues] the most answers in all lists of a call; more are an error
 */

/**
 * Writes how a call runs: in this thread, as the module has no other.
 * @param {any} arena
 * @param {RunOptions} options
 */
export function run(arena, options) {
  const { progress, maxValues = 0 } = options;
  const told = (done, total) => progress?.(Number(done), Number(total));
  const [called, user] = progress ? arena.library.callback(0, told) : [0, 0];
  return arena.struct(RUN, { threads: 1, max_values: BigInt(maxValues), progress: called, user });
}
