// Exact and fast ray queries on triangle meshes. README.md is the guide.

export { EstocError, init } from "./lib/library.js";
export { Mesh } from "./lib/mesh.js";
export { World } from "./lib/world.js";
export { Bvh } from "./lib/bvh.js";
export { Scene } from "./lib/scene.js";
export { Batch } from "./lib/batch.js";
export { NONE } from "./lib/structs.js";
