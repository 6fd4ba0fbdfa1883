// Dapple as a library: const dapple = await load(); const result = dapple.run("mask", { size: 64 });
import createDapple from "./engine.mjs";

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
  settings.preRun = [(starting) => { starting.ENV.DAPPLE_PRESET_PATH = "/presets"; }];
  const module = await createDapple(settings);
  for (const [name, text] of Object.entries(presets)) {
    module.FS.mkdirTree("/presets/" + name.slice(0, Math.max(0, name.lastIndexOf("/"))));
    module.FS.writeFile("/presets/" + name, text);
  }
  return new Dapple(module);
}

class Dapple {
  #module;
  #context;
  #files = 0;

  constructor(module) {
    this.#module = module;
    this.#context = module._dapple_context_new();
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
    const made = [];
    let job = 0;
    try {
      for (const name of ["seed", "max-pixels", "max-memory"]) {
        if (options[name] !== undefined) this.#call("context_set", ["string", "string"], [name, String(options[name])]);
      }
      job = this.#out((at) => this.#call("job_new", ["string", "number"], [command, at]));
      for (const [name, file] of Object.entries(inputs)) {
        const { name: title = "file", bytes } = file instanceof Uint8Array ? { bytes: file } : file;
        const folder = "/in" + this.#files++;
        FS.mkdir(folder);
        const path = folder + "/" + title.replaceAll("/", "_");
        made.push([folder, path]);
        FS.writeFile(path, bytes);
        this.#set(job, name, path);
      }
      for (const [name, value] of Object.entries(options)) {
        if (["seed", "max-pixels", "max-memory"].includes(name) || value === undefined) continue;
        this.#set(job, name, Array.isArray(value) ? value.join(",") : String(value));
      }
      const handle = this.#out((at) => this.#callOn("job_run", job, ["number"], [at]));
      return new Result(this.#module, handle, (status) => this.#fail(status));
    } finally {
      if (job) this.#module._dapple_job_free(job);
      for (const [folder, path] of made) {
        if (FS.analyzePath(path).exists) FS.unlink(path);
        FS.rmdir(folder);
      }
    }
  }

  #set(job, name, text) {
    this.#callOn("job_set", job, ["string", "string"], [name, text]);
  }
  #call(name, kinds, values) {
    this.#callOn(name, this.#context, kinds, values);
  }
  #callOn(name, handle, kinds, values) {
    const status = this.#module.ccall("dapple_" + name, "number", ["number", ...kinds], [handle, ...values]);
    if (status) this.#fail(status);
  }
  #fail(status) {
    const text = (at) => this.#module.UTF8ToString(at);
    throw new DappleError(status, text(this.#module._dapple_error_message(this.#context)), text(this.#module._dapple_error_option(this.#context)));
  }
  // Calls `call` with a place for a pointer, and returns the pointer.
  #out(call) {
    const at = this.#module._malloc(4);
    try {
      this.#module.HEAPU32[at >> 2] = 0;
      call(at);
      return this.#module.HEAPU32[at >> 2];
    } finally {
      this.#module._free(at);
    }
  }
}

const abandoned = new FinalizationRegistry(({ module, handle }) => module._dapple_result_free(handle));

// What a run made. Arrays are copies.
class Result {
  #module;
  #handle;
  #fail;

  constructor(module, handle, fail) {
    this.#module = module;
    this.#handle = handle;
    this.#fail = fail;
    abandoned.register(this, { module, handle }, this);
  }

  // Frees the memory of the result at once instead of with this object.
  free() {
    abandoned.unregister(this);
    if (this.#handle) this.#module._dapple_result_free(this.#handle);
    this.#handle = 0;
  }

  // Facts: operation, version, seed, number of points, recipe, warnings.
  get facts() {
    return JSON.parse(this.#text("facts"));
  }
  // The figures that `dapple analyze` prints.
  report() {
    return JSON.parse(this.#text("report"));
  }
  // The columns of the points by name: x, y, r ...
  get points() {
    return this.#rows("column", 5, ([name, data, type, count, stride]) => {
      const Numbers = types[type];
      const values = new Numbers(count);
      const size = Numbers.BYTES_PER_ELEMENT;
      const from = new Numbers(this.#module.HEAPU8.buffer, data, count ? ((count - 1) * stride) / size + 1 : 0);
      for (let i = 0; i < count; ++i) values[i] = from[(i * stride) / size];
      return [name, values];
    });
  }
  // The channels of the image by name: { data, width, height, slices }.
  get planes() {
    return this.#rows("plane", 6, ([name, data, type, width, height, slices]) => {
      const values = new types[type](this.#module.HEAPU8.buffer, data, width * height).slice();
      return [name, { data: values, width, height, slices }];
    });
  }
  // Returns the bytes of a file: "svg", "png", "csv" ...
  encode(extension) {
    const at = this.#module._malloc(8);
    try {
      const status = this.#module.ccall("dapple_result_encode", "number", ["number", "string", "number", "number"], [this.#handle, extension, at, at + 4]);
      if (status) this.#fail(status);
      const [data, count] = this.#module.HEAPU32.subarray(at >> 2, (at >> 2) + 2);
      return this.#module.HEAPU8.slice(data, data + count);
    } finally {
      this.#module._free(at);
    }
  }

  #text(name) {
    const at = this.#module._malloc(4);
    try {
      const status = this.#module["_dapple_result_" + name](this.#handle, at);
      if (status) this.#fail(status);
      return this.#module.UTF8ToString(this.#module.HEAPU32[at >> 2]);
    } finally {
      this.#module._free(at);
    }
  }
  // Reads structs of `words` words by number, until there are no more.
  #rows(name, words, read) {
    const rows = {};
    const at = this.#module._malloc(4 * words);
    try {
      for (let i = 0; this.#module["_dapple_result_" + name](this.#handle, i, at) === 0; ++i) {
        const [text, ...rest] = this.#module.HEAPU32.slice(at >> 2, (at >> 2) + words);
        const [key, value] = read([this.#module.UTF8ToString(text), ...rest]);
        rows[key] = value;
      }
    } finally {
      this.#module._free(at);
    }
    return rows;
  }
}
