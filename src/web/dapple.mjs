#!/usr/bin/env node
// The program on the files of this machine: node dapple.mjs stipple photo.png -o out.svg
import { readFileSync, readSync, readdirSync, statSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import createDapple from "./engine.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
// The engine asks for node's modules by these names of CommonJS.
globalThis.require ??= createRequire(import.meta.url);
globalThis.__dirname ??= folder;

// Collects the bytes that the program writes one by one; a pipe may take only a part at a time.
class Output {
  #bytes = Buffer.alloc(1 << 16);
  #count = 0;
  constructor(descriptor) {
    this.descriptor = descriptor;
  }
  put(byte) {
    if (byte === null) return;
    this.#bytes[this.#count++] = byte;
    if (byte === 10 || this.#count === this.#bytes.length) this.flush();
  }
  flush() {
    for (let rest = this.#bytes.subarray(0, this.#count); rest.length > 0; ) {
      try {
        rest = rest.subarray(writeSync(this.descriptor, rest));
      } catch (error) {
        if (error.code === "EPIPE") break;
        if (error.code !== "EAGAIN") throw error;
      }
    }
    this.#count = 0;
  }
}
const outputs = [new Output(1), new Output(2)];

let input = Buffer.alloc(0);
let place = 0;
function inputByte() {
  if (place === input.length) {
    const bytes = Buffer.alloc(1 << 16);
    let count = 0;
    try {
      count = readSync(0, bytes);
    } catch (error) {
      if (error.code !== "EOF") throw error;
    }
    input = bytes.subarray(0, count);
    place = 0;
    if (count === 0) return null;
  }
  return input[place++];
}

// Shows the folders of this machine at their own places.
function mount(module) {
  const { FS } = module;
  for (const name of readdirSync("/")) {
    if (["dev", "proc", "sys"].includes(name)) continue;
    try {
      if (!statSync("/" + name).isDirectory()) continue;
      if (!FS.analyzePath("/" + name).exists) FS.mkdir("/" + name);
      FS.mount(FS.filesystems.NODEFS, { root: "/" + name }, "/" + name);
    } catch {
      // A folder that cannot be read cannot be shown either.
    }
  }
  FS.chdir(process.cwd());
  Object.assign(module.ENV, process.env);
  module.ENV.DAPPLE_PRESET_PATH ||= join(folder, "presets");
}

if (process.platform === "win32") {
  process.stderr.write("dapple: this program for Node needs Linux or macOS, whose paths begin with /; on Windows, open the page\n");
  process.exit(2);
}
const module = await createDapple({
  wasmBinary: readFileSync(join(folder, "dapple.wasm")),
  thisProgram: "dapple",
  noInitialRun: true,
  quit: (code, why) => {
    throw why;  // the engine expects not to go on
  },
  stdin: inputByte,
  stdout: (byte) => outputs[0].put(byte),
  stderr: (byte) => outputs[1].put(byte),
  preRun: [mount],
});
try {
  process.exitCode = module.callMain(process.argv.slice(2));
} catch (error) {
  if (error?.name !== "ExitStatus") {
    outputs[1].flush();
    process.stderr.write(
      `dapple: the program stopped (${error?.message ?? error}); WebAssembly has 4 GB of memory at most: use a smaller picture or fewer points, or Dapple on a desktop\n`,
    );
    process.exitCode = 5;
  }
}
for (const output of outputs) output.flush();
