// Runs a WebAssembly program with WASI in Node. For tests in Rust:
//
//     rustup target add wasm32-wasip1
//     RUSTFLAGS="-C target-feature=+simd128" CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/js/tests/wasi.mjs" \
//       cargo test -p estoc --no-default-features --test suite stored_results --target wasm32-wasip1

import { readFile } from "node:fs/promises";
import { argv, env, exit } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: argv.slice(2), env, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(await readFile(argv[2]), wasi.getImportObject());
exit(wasi.start(instance));
