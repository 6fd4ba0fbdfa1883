#!/usr/bin/env node
// The program on the files of this machine: node dapple.mjs stipple photo.png -o out.svg
import { readFileSync, readSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort } from "node:worker_threads";
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

// Shows the folders of this machine at their own places. Tells the main thread about temporary files.
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
  const { open } = FS;
  FS.open = (path, ...how) => {
    if (/\.dapple-[^/]*\.tmp$/.test(path)) parentPort.postMessage(resolve(FS.cwd(), path));
    return open(path, ...how);
  };
  Object.assign(module.ENV, process.env);
  module.ENV.DAPPLE_PRESET_PATH ||= join(folder, "presets");
}

async function run() {
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
  let code = 5;
  try {
    code = module.callMain(process.argv.slice(2));
  } catch (error) {
    const text = `dapple: the program stopped (${error?.message ?? error}); WebAssembly has 4 GB of memory at most: use a smaller picture or fewer points, or Dapple on a desktop\n`;
    for (const byte of Buffer.from(text)) outputs[1].put(byte);
  }
  for (const output of outputs) output.flush();
  process.exit(code);
}

// Runs the program in another thread, which hears no signal while it computes. A signal ends it here, and its temporary
// files are removed.
function watch() {
  const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) });
  const temporary = new Set();
  worker.on("message", (path) => temporary.add(path));
  worker.on("exit", (code) => {
    process.exitCode = code;
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, async () => {
      await worker.terminate();
      for (const path of temporary) rmSync(path, { force: true });
      process.kill(process.pid, signal);
    });
  }
}

if (process.platform === "win32") {
  process.stderr.write("dapple: this program for Node needs Linux or macOS, whose paths begin with /; on Windows, open the page\n");
  process.exit(2);
}
if (isMainThread) watch();
else await run();
