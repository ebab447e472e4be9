// Three numbers, as an array or as an object with `x`, `y` and `z`.

/** Writes the numbers of a vector. */
export function put(to, at, vector) {
  if (vector.x === undefined) {
    to[at] = vector[0];
    to[at + 1] = vector[1];
    to[at + 2] = vector[2];
  } else {
    to[at] = vector.x;
    to[at + 1] = vector.y;
    to[at + 2] = vector.z;
  }
}

/** Returns the numbers of a vector. */
export function three(vector) {
  const numbers = new Float64Array(3);
  put(numbers, 0, vector);
  return numbers;
}
