// Builds trees in a thread of its own; see `Bvh.build`.

import { Bvh } from "./bvh.js";
import { EstocError, init } from "./library.js";
import { Mesh } from "./mesh.js";

// In a variable, so that bundlers do not look for it.
const threads = "node:worker_threads";
const port = typeof postMessage === "function" ? globalThis : (await import(/* @vite-ignore */ threads)).parentPort;

async function work({ module, positions, indices, options }) {
  await init(module);
  const progress = options.hasProgress ? (done, total) => void port.postMessage({ done, total }) : undefined;
  const mesh = new Mesh(positions, indices, options);
  const bytes = new Bvh(mesh, { ...options, progress }).toBytes(mesh);
  port.postMessage({ bytes }, [bytes.buffer]);
}

const failed = (error) => port.postMessage({ message: error.message, code: error instanceof EstocError ? error.code : null });
const take = (data) => void work(data).catch(failed);
if (port === globalThis) globalThis.onmessage = ({ data }) => take(data);
else port.on("message", take);
