// Completes a folder that scripts/web has built: presets as one file, types, package.json and the list of
// files that a page keeps for use without a network. Usage: node pack.mjs FOLDER
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const filesOf = (start) =>
  readdirSync(start, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesOf(join(start, entry.name)) : [join(start, entry.name)]);

const presets = {};
for (const file of filesOf(join(folder, "presets")).sort()) presets[relative(join(folder, "presets"), file)] = readFileSync(file, "utf8");
writeFileSync(join(folder, "presets.json"), JSON.stringify(presets));

const { load } = await import(pathToFileURL(join(folder, "index.mjs")));
const dapple = await load();

// ---- index.d.ts
const typeOf = (option) => {
  const one =
    option.choices?.length ? option.choices.map((choice) => JSON.stringify(choice)).join(" | ")
    : option.type === "flag" ? "boolean"
    : ["integer", "number"].includes(option.type) ? "number"
    : "string | number | (string | number)[]";
  return option.other_form && !one.startsWith("string |") ? one + " | string" : one;
};
const lines = [
  "// Generated from `dapple schema`.",
  "export type Input = Uint8Array | { name: string; bytes: Uint8Array };",
  "export interface Plane { data: Uint8Array | Uint16Array | Int32Array | Float32Array | Float64Array; width: number; height: number; slices: number; }",
  "export interface Result {",
  "  readonly facts: Record<string, unknown>;",
  "  readonly points: Record<string, Float64Array | Float32Array | Int32Array>;",
  "  readonly planes: Record<string, Plane>;",
  "  report(): Record<string, unknown>;",
  "  encode(extension: string): Uint8Array;",
  "  free(): void;",
  "}",
  "export declare class DappleError extends Error {",
  '  readonly kind: "usage" | "input" | "output" | "limit" | "verification" | "cancelled" | "internal";',
  "  readonly option: string;",
  "}",
];
const libraryRuns = ["sample", "stipple", "mask", "worley", "dither"];
const operations = dapple.schema().commands.filter(({ command }) => libraryRuns.includes(command));
const typeName = (name) => name[0].toUpperCase() + name.slice(1) + "Options";
for (const operation of operations) {
  lines.push(`/** ${operation.summary} */`, `export interface ${typeName(operation.command)} {`);
  lines.push("  seed?: number | string;", "  preset?: string;");
  for (const option of operation.options) {
    if (["seed", "preset"].includes(option.name)) continue;
    lines.push(`  /** ${option.doc.replaceAll("*/", "* /")} */`, `  ${JSON.stringify(option.name)}?: ${typeOf(option)};`);
  }
  lines.push("}");
}
lines.push("export interface Dapple {", "  readonly version: string;", "  schema(): Record<string, unknown>;");
for (const { command } of operations) lines.push(`  run(command: ${JSON.stringify(command)}, options?: ${typeName(command)}, inputs?: Record<string, Input>): Result;`);
lines.push("}", "export declare function load(options?: { wasm?: string | URL | Uint8Array | ArrayBuffer }): Promise<Dapple>;", "");
writeFileSync(join(folder, "index.d.ts"), lines.join("\n"));

// ---- package.json
writeFileSync(join(folder, "package.json"), JSON.stringify({
  name: "dapple",
  version: dapple.version,
  description: "Blue noise from images: stippling, masks, cell textures, dithering",
  license: "MIT",
  type: "module",
  bin: { dapple: "dapple.mjs" },
  exports: { ".": { types: "./index.d.ts", default: "./index.mjs" }, "./dapple.wasm": "./dapple.wasm" },
  types: "index.d.ts",
  engines: { node: ">=18" },
}, null, 2) + "\n");

// ---- offline.js
const page = ["./", "index.html", "page.css", "page.js", "session_worker.mjs", "presets.mjs", "engine.mjs", "dapple.wasm", "presets.json", "raccoon.png", "astronaut.jpg", "seeding.jpg", "owl.png", "hubble.jpg", "icon.svg", "manifest.webmanifest"];
const hash = createHash("sha256");
for (const name of page.slice(1)) hash.update(readFileSync(join(folder, name)));
const offline = join(folder, "offline.js");
writeFileSync(offline, readFileSync(offline, "utf8").replace("FILES", JSON.stringify(page)).replace("VERSION", hash.digest("hex").slice(0, 16)));
rmSync(join(folder, "pack.mjs"), { force: true });
process.exit(0);
