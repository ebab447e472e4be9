// Geometries of three.js, with names of three-mesh-bvh.

export { AVERAGE, CENTER, MeshBVH, SAH } from "./lib/three/mesh-bvh.js";
export { CONTAINED, INTERSECTED, NOT_INTERSECTED } from "./lib/three/cast.js";
export { ExtendedTriangle } from "./lib/three/extended-triangle.js";
export { InstancesBVH } from "./lib/three/instances-bvh.js";
export { getTriangleHitPointInfo } from "./lib/three/intersection.js";
export {
  acceleratedRaycast, computeBatchedBoundsTree, computeBoundsTree, disposeBatchedBoundsTree, disposeBoundsTree,
} from "./lib/three/extensions.js";
