// Batches of rays on graphics processors, by WebGPU.

export { GpuBvh } from "./lib/gpu.js";
