// Dapple as a library: const dapple = await load(); const result = dapple.run("mask", { size: 64 });
import createDapple from "./engine.mjs";
import { namePresetFolder, writePresets } from "./presets.mjs";

const types = { 1: Uint8Array, 2: Uint16Array, 3: Int32Array, 4: Float32Array, 5: Float64Array };
const isNode = typeof process === "object" && !!process.versions?.node;

// An error of Dapple: kind is usage, input, output, limit, verification, cancelled or internal.
export class DappleError extends Error {
  constructor(status, message, option) {
    super(message);
    this.name = "DappleError";
    this.kind = ["", "usage", "input", "output", "limit", "verification", "cancelled", "internal"][status];
    this.option = option;
  }
}

// Loads the program. In a browser `wasm` may be the address of dapple.wasm, or its bytes.
export async function load({ wasm } = {}) {
  const presets = {};
  const settings = { noInitialRun: true, print() {}, printErr() {} };
  if (isNode) {
    const { readFileSync } = await import("node:fs");
    const { createRequire } = await import("node:module");
    settings.wasmBinary = readFileSync(wasm ?? new URL("dapple.wasm", import.meta.url));
    Object.assign(presets, JSON.parse(readFileSync(new URL("presets.json", import.meta.url), "utf8")));
    globalThis.require ??= createRequire(import.meta.url);  // the engine asks for node's modules by it
    globalThis.__dirname ??= "/";
  } else {
    const bytes = typeof wasm === "object" ? wasm : await fetch(wasm ?? new URL("dapple.wasm", import.meta.url)).then((a) => a.arrayBuffer());
    settings.wasmBinary = new Uint8Array(bytes);
    Object.assign(presets, await fetch(new URL("presets.json", import.meta.url)).then((answer) => answer.json()));
  }
  settings.preRun = [namePresetFolder];
  const module = await createDapple(settings);
  writePresets(module.FS, presets);
  return new Dapple(module);
}

// Calls functions of the C interface for one run. Its errors are those of its own context, so that
// no setting of one run reaches the next.
class Calls {
  constructor(module) {
    this.module = module;
    this.context = module._dapple_context_new();
  }
  free() {
    if (this.context) this.module._dapple_context_free(this.context);
    this.context = 0;
  }
  text(at) {
    return this.module.UTF8ToString(at);
  }
  // Throws what a function reports that does not succeed.
  call(name, handle, ...values) {
    if (!this.context) throw new DappleError(1, "the result was freed", "");
    const kinds = values.map((value) => (typeof value === "string" ? "string" : "number"));
    const status = this.module.ccall("dapple_" + name, "number", ["number", ...kinds], [handle, ...values]);
    if (status) throw new DappleError(status, this.text(this.module._dapple_error_message(this.context)), this.text(this.module._dapple_error_option(this.context)));
  }
  // Calls `use` with the address of `words` words of memory, and returns the words that it wrote.
  words(words, use) {
    const at = this.module._malloc(4 * words) >>> 0;  // above 2 GB addresses come as negative numbers
    try {
      this.module.HEAPU32.fill(0, at >>> 2, (at >>> 2) + words);
      use(at);
      return this.module.HEAPU32.slice(at >>> 2, (at >>> 2) + words);
    } finally {
      this.module._free(at);
    }
  }
}

// Options of every run, which belong to the context.
const ofContext = ["seed", "max-pixels", "max-memory"];

class Dapple {
  #module;

  constructor(module) {
    this.#module = module;
  }

  get version() {
    return this.#module.UTF8ToString(this.#module._dapple_version());
  }
  // Returns all commands with their options, as `dapple schema` prints them.
  schema() {
    return JSON.parse(this.#module.UTF8ToString(this.#module._dapple_schema()));
  }

  // Runs a command. `options` holds options by name; arrays are joined by commas. `inputs` holds files
  // by the name of their option, or of `input`: bytes, or { name, bytes } if the bytes do not tell the
  // format.
  run(command, options = {}, inputs = {}) {
    const { FS } = this.#module;
    const calls = new Calls(this.#module);
    const folders = [];
    let job = 0;
    try {
      const text = (value) => (Array.isArray(value) ? value.join(",") : String(value));
      const given = Object.entries(options).filter(([, value]) => value !== undefined);
      for (const [name, value] of given) {
        if (ofContext.includes(name)) calls.call("context_set", calls.context, name, text(value));
      }
      [job] = calls.words(1, (at) => calls.call("job_new", calls.context, command, at));
      for (const [name, file] of Object.entries(inputs)) {
        const { name: title = "file", bytes } = file instanceof Uint8Array ? { bytes: file } : file ?? {};
        if (!(bytes instanceof Uint8Array)) throw new DappleError(1, `the input ${name} must be a Uint8Array, or { name, bytes } with one`, name);
        const folder = "/in" + folders.length;
        FS.mkdir(folder);
        folders.push(folder);
        const path = folder + "/_" + title.replaceAll("/", "_");
        FS.writeFile(path, bytes);
        calls.call("job_set", job, name, path);
      }
      for (const [name, value] of given) {
        if (!ofContext.includes(name)) calls.call("job_set", job, name, text(value));
      }
      const [handle] = calls.words(1, (at) => calls.call("job_run", job, at));
      return new Result(calls, handle);
    } catch (error) {
      if (job) this.#module._dapple_job_free(job);
      job = 0;
      calls.free();
      throw error;
    } finally {
      if (job) this.#module._dapple_job_free(job);
      for (const folder of folders) {
        for (const name of FS.readdir(folder)) if (!name.match(/^\.\.?$/)) FS.unlink(folder + "/" + name);
        FS.rmdir(folder);
      }
    }
  }
}

// Frees a result, and then the context that its functions report to.
function release({ calls, handle }) {
  if (calls.context) calls.module._dapple_result_free(handle);
  calls.free();
}
const abandoned = new FinalizationRegistry(release);

// Holds the result of a run. Its arrays are copies.
class Result {
  #calls;
  #handle;

  constructor(calls, handle) {
    this.#calls = calls;
    this.#handle = handle;
    abandoned.register(this, { calls, handle }, this);
  }

  // Frees the memory of the result at once instead of with this object.
  free() {
    abandoned.unregister(this);
    release({ calls: this.#calls, handle: this.#handle });
  }

  // Facts: operation, version, seed, number of points, recipe, warnings.
  get facts() {
    return this.#json("facts");
  }
  // The figures that `dapple analyze` prints.
  report() {
    return this.#json("report");
  }
  // The columns of the points by name: x, y, r ...
  get points() {
    return this.#rows("column", 5, ([data, type, count, stride]) => {
      const Numbers = types[type];
      const values = new Numbers(count);
      const size = Numbers.BYTES_PER_ELEMENT;
      const from = new Numbers(this.#bytes.buffer, data, count ? ((count - 1) * stride) / size + 1 : 0);
      for (let i = 0; i < count; ++i) values[i] = from[(i * stride) / size];
      return values;
    });
  }
  // The channels of the image by name: { data, width, height, slices }.
  get planes() {
    return this.#rows("plane", 6, ([data, type, width, height, slices]) => {
      return { data: new types[type](this.#bytes.buffer, data, width * height).slice(), width, height, slices };
    });
  }
  // Returns the bytes of a file: "svg", "png", "csv" ...
  encode(extension) {
    const [data, count] = this.#calls.words(2, (at) => this.#calls.call("result_encode", this.#handle, extension, at, at + 4));
    return this.#bytes.slice(data, data + count);
  }

  // The memory of the program, which moves when it grows.
  get #bytes() {
    return this.#calls.module.HEAPU8;
  }
  #json(name) {
    const [text] = this.#calls.words(1, (at) => this.#calls.call("result_" + name, this.#handle, at));
    return JSON.parse(this.#calls.text(text));
  }
  // Reads structs of `words` words, the first of which is a name, until their number is too large.
  #rows(name, words, read) {
    const rows = {};
    try {
      for (let i = 0; ; ++i) {
        const [key, ...rest] = this.#calls.words(words, (at) => this.#calls.call("result_" + name, this.#handle, i, at));
        rows[this.#calls.text(key)] = read(rest);
      }
    } catch (error) {
      if (!this.#calls.context || error.kind !== "usage") throw error;
    }
    return rows;
  }
}
