// node cells.cjs MODULES SIDE CELL FILE: F1 of a square by fastnoise-lite as raw floats in FILE;
// prints the processor seconds.
const { join } = require("path");
const { writeFileSync } = require("fs");

const [modules, side, cell, file] = process.argv.slice(2);
const found = require(join(modules, "fastnoise-lite"));
const Noise = found.default ?? found;
const n = Number(side);
const noise = new Noise(1);
noise.SetNoiseType(Noise.NoiseType.Cellular);
noise.SetFrequency(1 / Number(cell));
noise.SetCellularDistanceFunction(Noise.CellularDistanceFunction.Euclidean);
noise.SetCellularReturnType(Noise.CellularReturnType.Distance);
const values = new Float32Array(n * n);
const start = process.cpuUsage();
for (let y = 0; y < n; ++y) {
  for (let x = 0; x < n; ++x) values[y * n + x] = noise.GetNoise(x + 0.5, y + 0.5);
}
const used = process.cpuUsage(start);
writeFileSync(file, Buffer.from(values.buffer));
console.log((used.user + used.system) / 1e6);
