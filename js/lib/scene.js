// Scenes of placed meshes.

import { library } from "./library.js";
import { Handle, Made } from "./handle.js";
import { run } from "./run.js";
import { PLACEMENT } from "./structs.js";
import { World } from "./world.js";

/**
 * @typedef {object} PlacementOptions
 * @property {number} [mask] the groups of the placement, as bits: rays see those with which their `mask` shares one; all
 *   without it
 * @property {boolean} [reversed] turns all triangles around
 */

/** Trees and scenes, placed by matrices. */
export class Scene extends Handle {
  constructor() {
    const lib = library();
    super(lib, lib.with((arena) => lib.make(arena, 1, (made) => lib.ask("estoc_scene_create", made))[0]));
  }

  /**
   * Places a tree, or what a scene committed, and returns the number of the placement.
   * @param {World} world
   * @param {import("./types.js").Matrix} [matrix] 16 numbers column by column, as three.js has them, 12 row by row, or an
   *   object with such `elements`
   * @param {PlacementOptions} [options]
   */
  add(world, matrix = IDENTITY, { mask, reversed } = {}) {
    const { library: lib } = this;
    // In C that is all groups.
    if (mask !== undefined && mask >>> 0 === 0) throw new RangeError("a mask of 0 is seen by no ray; leave it out for all");
    return lib.with((arena) => {
      const values = { ...rows(matrix), mask: mask ?? 0, reversed: Number(Boolean(reversed)) };
      const number = arena.allocate(4);
      lib.ask("estoc_scene_add", this.handle, world.of(lib), arena.struct(PLACEMENT, values), number);
      return lib.view().getUint32(number, true);
    });
  }

  /**
   * Moves a placement, from the next commit on.
   * @param {number} number
   * @param {import("./types.js").Matrix} matrix
   */
  move(number, matrix) {
    const { library: lib } = this;
    lib.with((arena) => lib.ask("estoc_scene_move", this.handle, number, arena.struct(PLACEMENT, rows(matrix))));
  }

  /**
   * Removes a placement, from the next commit on.
   * @param {number} number
   */
  remove(number) {
    this.library.ask("estoc_scene_remove", this.handle, number);
  }

  /** Returns what answers questions about the scene as it is now. */
  commit() {
    const { library: lib } = this;
    const [world] = lib.with((arena) => {
      const given = [this.handle, run(arena, {})];
      return lib.make(arena, 1, (made) => lib.ask("estoc_scene_commit", ...given, made));
    });
    return new World(new Made(lib, world));
  }
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** Returns the fields of a matrix. */
function rows(matrix) {
  const numbers = matrix.elements ?? matrix;
  const at = numbers.length === 16 ? (row, column) => 4 * column + row : (row, column) => 4 * row + column;
  if (numbers.length !== 12 && numbers.length !== 16) throw new RangeError(`a matrix has 12 or 16 numbers, not ${numbers.length}`);
  const isAffine = numbers.length === 12 || (numbers[3] === 0 && numbers[7] === 0 && numbers[11] === 0 && numbers[15] === 1);
  if (!isAffine) throw new RangeError("the last row of the matrix is not 0, 0, 0, 1");
  /** @type {Record<string, number>} */
  const values = {};
  for (let i = 0; i < 12; i += 1) values[`matrix.${i}`] = numbers[at(Math.floor(i / 4), i % 4)];
  return values;
}
