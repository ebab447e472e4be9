// The nodes of trees.

import { CHILD, NONE } from "./structs.js";

/**
 * The nodes of a tree, by number: 0 is the root, the children of each follow each other, and so do the triangles below it.
 * @typedef {object} Nodes
 * @property {Float64Array} bounds six numbers of each: the lowest and the highest corner of a box around its triangles
 * @property {Uint32Array} first the first child of each, and `NONE` for leaves
 * @property {Uint8Array} children how many there are: 0 for leaves
 * @property {Uint32Array} start where its triangles begin in `prims`
 * @property {Uint32Array} count how many there are
 * @property {Uint32Array} prims the numbers of the triangles
 */

/**
 * Returns the nodes of a tree; none if it has no triangles.
 * @param {import("./bvh.js").Bvh} bvh
 * @returns {Nodes}
 */
export function nodesOf(bvh) {
  const { library } = bvh;
  // The root, and then the children of one node of the tree after the other.
  const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  /** What each is: the number of a node of the tree, or the triangles of a leaf. @type {(number | number[])[]} */
  const contents = [0];
  /** @type {[number, number][]} */
  const childrenOf = [];
  const visit = (at, count) => {
    const view = library.view();
    childrenOf.push([contents.length, count]);
    for (let child = at >>> 0; count > 0; count -= 1, child += CHILD.size) {
      for (let i = 0; i < 6; i += 1) bounds.push(view.getFloat64(child + 8 * i, true));
      const node = view.getUint32(child + CHILD.at.node, true);
      const prims = Array.from({ length: view.getUint32(child + CHILD.at.count, true) });
      contents.push(node === NONE ? prims.map((_, i) => view.getUint32(child + CHILD.at["prims.0"] + 4 * i, true)) : node);
    }
  };
  library.with(() => library.ask("estoc_nodes", bvh.handle, ...library.callback(5, visit)));
  const size = childrenOf.length > 0 ? contents.length : 0;
  const nodes = {
    bounds: Float64Array.from(bounds).subarray(0, 6 * size),
    first: new Uint32Array(size).fill(NONE),
    children: new Uint8Array(size),
    start: new Uint32Array(size),
    count: new Uint32Array(size),
    prims: new Uint32Array(bvh.triangleCount),
  };
  let placed = 0;
  const place = (node) => {
    const content = contents[node];
    nodes.start[node] = placed;
    if (Array.isArray(content)) {
      nodes.prims.set(content, placed);
      placed += content.length;
    } else {
      [nodes.first[node], nodes.children[node]] = childrenOf[content];
      for (let i = 0; i < nodes.children[node]; i += 1) place(nodes.first[node] + i);
    }
    nodes.count[node] = placed - nodes.start[node];
  };
  if (size > 0) place(0);
  for (let child = 1; child <= nodes.children[0]; child += 1) {
    for (let i = 0; i < 6; i += 1) nodes.bounds[i] = Math[i < 3 ? "min" : "max"](nodes.bounds[i], nodes.bounds[6 * child + i]);
  }
  return nodes;
}
