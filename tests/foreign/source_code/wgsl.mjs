// Prints what a compute shader in WGSL writes to its buffer 0: Tint checks the shader, an interpreter
// runs it. Usage: wgsl.mjs FILE u32|f32 COUNT
import { readFileSync } from "fs";
import { create, globals } from "webgpu";
import { WgslExec, WgslParser } from "wgsl_reflect/wgsl_reflect.module.js";

const [file, type, count] = process.argv.slice(2);
const code = readFileSync(file, "utf8");
Object.assign(globalThis, globals);
const adapter = await create(["backend=null"]).requestAdapter();
const device = await adapter.requestDevice();
device.pushErrorScope("validation");
const module = device.createShaderModule({ code });
await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
const problems = (await module.getCompilationInfo()).messages;
if (problems.length > 0) {
  console.error(problems.map((problem) => `${problem.lineNum}: ${problem.message}`).join("\n"));
  process.exit(1);
}
const result = type === "f32" ? new Float32Array(Number(count)) : new Uint32Array(Number(count));
new WgslExec(new WgslParser().parse(code)).dispatchWorkgroups("main", [result.length], { 0: { 0: result } });
process.stdout.write(result.join(" "), () => process.exit(0));
