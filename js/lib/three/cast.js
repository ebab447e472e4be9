// Traversals of trees that call functions of their users.

import { Box3, Matrix4 } from "three";
import { NONE } from "../structs.js";

export const NOT_INTERSECTED = 0;
export const INTERSECTED = 1;
/** Returned by `intersectsBounds` of a box whose triangles all are in the shape. */
export const CONTAINED = 2;

const setBox = (box, { bounds }, node) => {
  box.min.fromArray(bounds, 6 * node);
  box.max.fromArray(bounds, 6 * node + 3);
  return box;
};

/**
 * Visits the nodes whose boxes `intersectsBounds` wants, and of their leaves, or of boxes that it finds contained, the ranges of
 * triangles, until `intersectsRange` returns `true`. Returns whether it did.
 * @param {import("../nodes.js").Nodes} nodes
 * @param {object} callbacks
 * @param {(box: Box3, isLeaf: boolean, score: number | undefined, depth: number, node: number) => number | boolean} callbacks.intersectsBounds
 * @param {(start: number, count: number, isContained: boolean, depth: number, node: number, box: Box3) => boolean | void} callbacks.intersectsRange
 * @param {(box: Box3) => number} [callbacks.boundsTraverseOrder] the children of a node with the least numbers come first
 */
export function shapecast(nodes, { intersectsBounds, intersectsRange, boundsTraverseOrder }) {
  // Boxes of their own, as a function that is called may traverse the tree, too.
  /** @type {Box3[]} */
  const boxes = [];
  const within = (node, depth) => {
    const children = Array.from({ length: nodes.children[node] }, (_, i) => {
      const child = nodes.first[node] + i;
      const box = setBox((boxes[8 * depth + i] ??= new Box3()), nodes, child);
      return { child, box, score: boundsTraverseOrder?.(box) };
    });
    if (boundsTraverseOrder) children.sort((a, b) => /** @type {number} */ (a.score) - /** @type {number} */ (b.score));
    return children.some(({ child, box, score }) => {
      const isLeaf = nodes.first[child] === NONE;
      const found = intersectsBounds(box, isLeaf, score, depth + 1, child);
      if (!found) return false;
      if (!isLeaf && found !== CONTAINED) return within(child, depth + 1);
      return Boolean(intersectsRange(nodes.start[child], nodes.count[child], found === CONTAINED, depth + 1, child, box));
    });
  };
  return nodes.count.length > 0 && within(0, 0);
}

/**
 * Visits the pairs of leaves of two trees whose boxes meet, until `intersectsRanges` returns `true`. Returns whether it did.
 * @param {import("../nodes.js").Nodes} own
 * @param {import("../nodes.js").Nodes} other
 * @param {Matrix4} matrix which places the other tree beside the own
 * @param {(start: number, count: number, otherStart: number, otherCount: number, depth: number, node: number, otherDepth: number, otherNode: number) => boolean | void} intersectsRanges
 */
export function bvhcast(own, other, matrix, intersectsRanges) {
  const [back, box, placed] = [new Matrix4().copy(matrix).invert(), new Box3(), new Box3()];
  const meet = (node, otherNode) => {
    if (!setBox(box, own, node).intersectsBox(setBox(placed, other, otherNode).applyMatrix4(matrix))) return false;
    return setBox(box, other, otherNode).intersectsBox(setBox(placed, own, node).applyMatrix4(back));
  };
  const within = (node, depth, otherNode, otherDepth) => {
    if (!meet(node, otherNode)) return false;
    const isInner = nodeIsInner(own, node);
    if (!isInner && !nodeIsInner(other, otherNode)) {
      const [range, otherRange] = [[own.start[node], own.count[node]], [other.start[otherNode], other.count[otherNode]]];
      return Boolean(intersectsRanges(range[0], range[1], otherRange[0], otherRange[1], depth, node, otherDepth, otherNode));
    }
    const isOwn = isInner && (!nodeIsInner(other, otherNode) || own.count[node] >= other.count[otherNode]);
    const [of, parent] = isOwn ? [own, node] : [other, otherNode];
    for (let child = of.first[parent]; child < of.first[parent] + of.children[parent]; child += 1) {
      if (isOwn ? within(child, depth + 1, otherNode, otherDepth) : within(node, depth, child, otherDepth + 1)) return true;
    }
    return false;
  };
  return own.count.length > 0 && other.count.length > 0 && within(0, 0, 0, 0);
}

const nodeIsInner = ({ first }, node) => first[node] !== NONE;

/**
 * Calls a function with each node, those below it after it, unless it returns `true`: with the depth, whether it is a leaf, its
 * box as six numbers, and the place and number of the triangles of a leaf, or the longest axis of another node's box.
 * @param {import("../nodes.js").Nodes} nodes
 * @param {(depth: number, isLeaf: boolean, bounds: Float64Array, placeOrAxis: number, count?: number) => boolean | void} visit
 */
export function traverse(nodes, visit) {
  const walk = (node, depth) => {
    const isLeaf = !nodeIsInner(nodes, node);
    const bounds = nodes.bounds.subarray(6 * node, 6 * node + 6);
    const sides = [0, 1, 2].map((axis) => bounds[axis + 3] - bounds[axis]);
    const stops = isLeaf
      ? visit(depth, true, bounds, nodes.start[node], nodes.count[node])
      : visit(depth, false, bounds, sides.indexOf(Math.max(...sides)));
    if (isLeaf || stops) return;
    for (let i = 0; i < nodes.children[node]; i += 1) walk(nodes.first[node] + i, depth + 1);
  };
  if (nodes.count.length > 0) walk(0, 0);
}
