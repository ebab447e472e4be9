// Vectors of three numbers.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a) => Math.hypot(...a);
export const distance = (a, b) => length(sub(a, b));
export const normalize = (a) => {
  const size = length(a);
  return size > 0 ? scale(a, 1 / size) : a;
};

// Rotates a vector about an axis of length 1 (Rodrigues' formula).
export function rotate(a, axis, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = scale(axis, dot(axis, a) * (1 - cos));
  return add(add(scale(a, cos), scale(cross(axis, a), sin)), along);
}

// Rounds to the numbers that the server computes with.
export const f32 = (a) => a.map(Math.fround);

// Writes an f32 with the fewest digits that read back as the same f32.
export function short(x) {
  for (let digits = 6; digits < 10; digits += 1) {
    const text = Number(x.toPrecision(digits));
    if (Math.fround(text) === Math.fround(x)) return String(text);
  }
  return String(x);
}

// Writes a number for people.
export const told = (x) => String(Number(x.toPrecision(7)));

// Writes a coordinate relative to an origin for people, as the file has it: with more digits far from 0.
export const toldFrom = (x, origin) => (origin === 0 ? told(x) : String(Number((x + origin).toPrecision(12))));

export const toldPoint = (point, origin) => point.map((x, axis) => toldFrom(x, origin[axis])).join(", ");

// Writes the coordinates of a point relative to an origin as the file has them; they read back as the same point.
export const written = (point, origin) =>
  point.map((x, axis) => (origin[axis] === 0 ? short(x) : String(Math.fround(x) + origin[axis]))).join(",");
