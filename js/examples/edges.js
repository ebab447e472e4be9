// Rays through edges that two triangles share, which arithmetic with rounding loses.

/** How many rays there are in a row and a column of a picture. */
export const SIDE = 96;

/** Numbers that look random, the same in every run, from 0 to 1. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns the corners and triangles of a rough square, from -1 to 1. */
export function surface(cells) {
  const next = random(1);
  const positions = new Float32Array(3 * (cells + 1) ** 2);
  for (let i = 0; i < positions.length / 3; i += 1) {
    const place = (at) => (2 * at) / cells - 1 + (next() - 0.5) / (2 * cells);
    positions.set([place(i % (cells + 1)), place(Math.floor(i / (cells + 1))), 0.02 * next()], 3 * i);
  }
  const indices = [];
  for (let i = 0; i < cells * cells; i += 1) {
    const at = i + Math.floor(i / cells);
    indices.push(at, at + cells + 1, at + 1, at + cells + 1, at + cells + 2, at + 1);
  }
  return [positions, Uint32Array.from(indices)];
}

/**
 * Calls a function with each ray of a picture: its number, its origin, and its direction to a point of an edge inside. In the
 * upper half they are oblique; in the lower one they go straight down, through the exact middle of an edge.
 */
export function castThroughEdges([positions, indices], cast) {
  const next = random(2);
  const faces = indices.length / 3;
  const corner = (at) => Array.from(positions.subarray(3 * indices[at], 3 * indices[at] + 3));
  for (let ray = 0; ray < SIDE * SIDE; ) {
    const isOblique = ray < (SIDE * SIDE) / 2;
    const [face, side, part] = [Math.floor(faces * next()), Math.floor(3 * next()), isOblique ? next() : 0.5];
    const [a, b] = [corner(3 * face + side), corner(3 * face + ((side + 1) % 3))];
    const point = a.map((x, axis) => x + part * (b[axis] - x));
    const origin = isOblique ? [3 * next(), 2 * next(), 5] : [point[0], point[1], 5];
    if (Math.abs(point[0]) < 0.9 && Math.abs(point[1]) < 0.9) {
      const way = point.map((x, axis) => x - origin[axis]);
      cast(ray, origin, way.map((x) => x / Math.hypot(...way)));
      ray += 1;
    }
  }
}
