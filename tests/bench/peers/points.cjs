// node points.cjs MODULES PACKAGE WIDTH RADIUS: fills a square by a package, prints the points as
// CSV, and as a comment in its first line the processor seconds that filling took.
const { join } = require("path");

const [modules, name, width, radius] = process.argv.slice(2);
const found = require(join(modules, name));
const Sampler = found.default ?? found;
const shape = [Number(width), Number(width)];
const r = Number(radius);
// Numbers by a known seed (Mulberry32).
let state = 1;
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const options = { shape, minDistance: r, maxDistance: 2 * r, radius: r, tries: 30 };
const start = process.cpuUsage();
const points = new Sampler(options, random).fill();
const used = process.cpuUsage(start);
const lines = [`# ${(used.user + used.system) / 1e6}`, "x,y,r"];
for (const p of points) lines.push(`${p[0]},${p[1]},${r}`);
process.stdout.write(lines.join("\n") + "\n");
