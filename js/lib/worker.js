// Builds trees in a thread of its own; see `Bvh.build`.

import { Bvh } from "./bvh.js";
import { EstocError, init } from "./library.js";
import { Mesh } from "./mesh.js";

async function work(port, { module, positions, indices, options }) {
  await init(module);
  const progress = options.hasProgress ? (done, total) => void port.postMessage({ done, total }) : undefined;
  const mesh = new Mesh(positions, indices, options);
  const bytes = new Bvh(mesh, { ...options, progress }).toBytes(mesh);
  port.postMessage({ bytes }, [bytes.buffer]);
}

const take = (port, data) => void work(port, data).catch((error) => {
  port.postMessage({ message: error.message, code: error instanceof EstocError ? error.code : null });
});
if (typeof postMessage === "function") {
  globalThis.onmessage = ({ data }) => take(globalThis, data);
} else {
  // In a variable, so that bundlers do not look for it.
  const threads = "node:worker_threads";
  void import(/* @vite-ignore */ threads).then(({ parentPort }) => parentPort.on("message", (data) => take(parentPort, data)));
}
