// Measures frames with a plain client while the view orbits: `node frame-rate.mjs ESTOC MESH [FRAMES]`.
// Prints the time to the first picture, and the frames of 640 by 480 in the shade of depth each second.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";

const [command, mesh, count = "200", ...more] = process.argv.slice(2);
const start = performance.now();
const server = spawn(command, ["view", mesh, "--quiet", ...more], { stdio: ["ignore", "pipe", "inherit"] });
const address = new URL(await new Promise((resolve) => createInterface({ input: server.stdout }).once("line", resolve)));
const agent = new Agent({ keepAlive: true });
const token = address.hash.slice("#token=".length);

function ask(path, body) {
  const headers = { authorization: `Bearer ${token}` };
  const options = { host: "127.0.0.1", port: address.port, path, agent, headers, method: body ? "POST" : "GET" };
  return new Promise((resolve, reject) => {
    const asked = request(options, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => (response.statusCode === 200 ? resolve(Buffer.concat(parts)) : reject(new Error(Buffer.concat(parts).toString()))));
    });
    asked.on("error", reject);
    asked.end(body && JSON.stringify(body));
  });
}

// Returns the ms of processor time that the server took, on Linux: on a busy machine they tell more than
// the clock.
function processorTime() {
  try {
    const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return NaN;
  }
}

let shown = null;
while (!shown) {
  ({ shown } = JSON.parse(await ask("/about")));
  if (!shown) await new Promise((resolve) => setTimeout(resolve, 10));
}
const { view } = shown;
const offset = view.eye.map((x, axis) => x - view.at[axis]);
const frame = (angle) => {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const [x, y, z] = offset;
  const turned = [x * cos + z * sin, y, z * cos - x * sin];
  const eye = turned.map((part, axis) => part + view.at[axis]);
  return ask("/frame", { client: "rate", ...view, eye, size: [640, 480], shade: "depth", samples: 1, legend: true });
};
await frame(0);
const first = performance.now() - start;
const times = [];
const taken = processorTime();
for (let i = 1; i <= Number(count); i += 1) {
  const before = performance.now();
  const bytes = await frame((i * 2 * Math.PI) / Number(count));
  if (bytes.length !== 640 * 480 * 4) throw new Error("a frame has another size");
  times.push(performance.now() - before);
}
const each = (processorTime() - taken) / times.length;
times.sort((a, b) => a - b);
const mean = times.reduce((a, b) => a + b) / times.length;
const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1);
console.log(`${mesh}: first picture after ${(first / 1000).toFixed(2)} s, ${(1000 / mean).toFixed(1)} frames/s; `
  + `ms per frame: median ${at(0.5)}, 95 % ${at(0.95)}, least ${at(0)}, processor ${each.toFixed(1)}`);
server.kill("SIGTERM");
agent.destroy();
