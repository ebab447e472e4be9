// Types that several files name.

/** @typedef {ArrayLike<number> | { x: number, y: number, z: number }} Vector */
/** @typedef {ArrayLike<number> | { elements: ArrayLike<number> }} Matrix */
/** @typedef {Uint8Array | Uint16Array | Uint32Array | Int32Array} Indices */
/** @typedef {Float32Array | Float64Array | Indices | BigInt64Array | BigUint64Array} Numbers */
/** @typedef {ArrayBuffer | SharedArrayBuffer | ArrayBufferView} Bytes */
/**
 * Answers to many questions, an array for each number.
 * @typedef {Record<string, Float32Array | Float64Array | Uint8Array | Uint32Array>} Columns
 */

export {};
