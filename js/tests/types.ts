// The types of the package, as a program in TypeScript sees them.

import { BufferGeometry, Matrix4, Ray, Vector3 } from "three";
import { MeshBVH, acceleratedRaycast } from "estoc/three";
import { GpuBvh } from "estoc/gpu";
import { Batch, Bvh, Mesh, NONE, Scene, World, init } from "estoc";

await init();
const mesh = new Mesh(new Float32Array(9), null, { precision: "f32", weld: 0.1, frame: [0, 0, 0] });
const bvh: World = new Bvh(mesh, { quality: "fast", progress: (done, total) => done < total });
const hit = bvh.closestHit([0, 0, 0], { x: 0, y: 0, z: 1 }, { cull: "back", filter: ({ t }) => t > 1 });
const t: number | undefined = hit?.t;
const point: number[] | undefined = bvh.closestPoint([0, 0, 0], { maxDistance: 2 })?.point;
const scene = new Scene();
const number: number = scene.add(bvh, { elements: [] }, { mask: 1 });
const found = new Batch().closestHits(scene.commit(), { origins: new Float64Array(3), directions: new Float64Array(3), tMax: 1 });
const ts: Float32Array | Float64Array | Uint8Array | Uint32Array = found.t;
// @ts-expect-error: an array is no text
const text: string = found.t;
// @ts-expect-error: there is no progress
scene.commit({ progress: () => true });
const framed = new Mesh(new Float32Array(9), null, { frame: { x: 0, y: 0, z: 0 } });
const read: Mesh[] = [Mesh.read(new ArrayBuffer(9)), Bvh.read(new DataView(new ArrayBuffer(9))).mesh, framed];
const near: Uint32Array = bvh.within([0, 0, 0], 1);
// @ts-expect-error: there is no such side
bvh.anyHit([0, 0, 0], [0, 0, 1], { cull: "left" });
// @ts-expect-error: an array of numbers is no typed array
new Mesh([0, 0, 0]);
const built: { bvh: Bvh; mesh: Mesh } = await Bvh.build(new Float64Array(9), null, { signal: new AbortController().signal });
console.log(built.mesh.triangleCount);
console.log(t, point, number, found, NONE, ts, text, read, near);
const gpu = await GpuBvh.create(built.bvh);
const columns = await gpu.closestHits({ origins: new Float32Array(3), directions: new Float32Array(3) }, { cull: "back" });
// @ts-expect-error: a device takes no filter
await gpu.anyHits({ origins: new Float32Array(3), directions: new Float32Array(3) }, { filter: () => true });
gpu.free();
console.log(columns.t, columns.prim);
const ofThree = new MeshBVH(new BufferGeometry(), { strategy: 1 });
const faceIndex: number | null | undefined = ofThree.raycastFirst(new Ray())?.faceIndex;
const near2: { distance?: number } | null = ofThree.closestPointToPoint(new Vector3());
const isMet: boolean = ofThree.shapecast({ intersectsBounds: (box) => box.isEmpty(), intersectsTriangle: (triangle) => triangle.a.x > 0 });
// @ts-expect-error: there is no geometry
ofThree.intersectsGeometry(new Matrix4());
console.log(faceIndex, near2, isMet, acceleratedRaycast);
