// Three numbers, as an array or as an object with `x`, `y` and `z`.

/** Writes the numbers of a vector. */
export function put(to, at, vector) {
  const isArray = vector.x === undefined;
  const x = isArray ? vector[0] : vector.x;
  const y = isArray ? vector[1] : vector.y;
  const z = isArray ? vector[2] : vector.z;
  if (typeof x !== "number" || typeof y !== "number" || typeof z !== "number") {
    throw new TypeError("a vector is three numbers, in an array or as x, y and z");
  }
  to[at] = x;
  to[at + 1] = y;
  to[at + 2] = z;
}

/** Returns the numbers of a vector. */
export function three(vector) {
  const numbers = new Float64Array(3);
  put(numbers, 0, vector);
  return numbers;
}
