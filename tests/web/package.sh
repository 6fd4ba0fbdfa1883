#!/usr/bin/env bash
# Installs the npm package in an empty folder, and runs its program and its library there. Checks that the program says
# what exceeds its memory, and that a signal leaves no file.
# Usage: package.sh PACKAGE
set -euo pipefail
package=$(realpath "$1")
samples=$(realpath "$(dirname "$0")/../../samples")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p node_modules/dapple node_modules/.bin
if command -v npm >/dev/null; then
  npm install --silent --offline --no-audit --no-fund "$package"
else  # what npm does with a package that has no dependencies
  tar -xzf "$package" -C node_modules/dapple --strip-components 1
  chmod +x node_modules/dapple/dapple.mjs
  ln -s ../dapple/dapple.mjs node_modules/.bin/dapple
fi
node_modules/.bin/dapple stipple "$samples/raccoon.png" --dots 500 -o out.svg -q
grep -q '<svg' out.svg
# The estimate stops the first run, the end of the memory the second.
for more in "" "--max-memory 100G"; do
  code=0
  # shellcheck disable=SC2086
  node_modules/.bin/dapple sample --count 300000000 $more -o large.csv 2>said || code=$?
  if [ $code -ne 5 ] || ! grep -q memory said; then
    echo "package: 300,000,000 points end with $code instead of 5: $(cat said)" >&2
    exit 1
  fi
done
# The first of these files waits under a temporary name while the others are encoded.
mkdir unfinished
node node_modules/dapple/dapple.mjs sample --count 1000000 -o unfinished/a.csv -o unfinished/b.svg -q &
program=$!
for ((i = 0; i < 6000; ++i)); do
  if compgen -G 'unfinished/.dapple-*.tmp' >/dev/null || ! kill -0 $program 2>/dev/null; then break; fi
  sleep 0.01
done
compgen -G 'unfinished/.dapple-*.tmp' >/dev/null || { echo "package: no temporary file was seen" >&2; exit 1; }
code=0
kill -TERM $program
wait $program || code=$?
if [ $code -ne 143 ] || [ -n "$(ls -A unfinished)" ]; then
  echo "package: SIGTERM ends with $code instead of 143, and leaves: $(ls -A unfinished)" >&2
  exit 1
fi
cat >use.mjs <<'SCRIPT'
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { DappleError, load } from "dapple";

const dapple = await load();
const mask = dapple.run("mask", { size: 16, seed: 7 });
assert.deepEqual([...mask.planes.rank.data].sort((a, b) => a - b), [...Array(256).keys()]);
assert.equal(mask.facts.seed, 7);
assert.equal(Buffer.from(mask.encode("png")).subarray(1, 4).toString(), "PNG");
mask.free();
assert.throws(() => mask.planes, /was freed/);
assert.equal(dapple.run("mask", { size: 16 }).facts.seed, 1);  // not that of the run before
assert.throws(() => dapple.run("stipple", {}, { input: "photo.png" }), (error) => error.kind === "usage" && /Uint8Array/.test(error.message));
const photo = readFileSync(process.argv[2]);
const dots = dapple.run("stipple", { dots: 500 }, { input: photo });
assert.equal(dots.points.x.length, 500);
assert.match(Buffer.from(dots.encode("svg")).toString(), /<svg/);
assert.throws(() => dapple.run("mask", { size: "x" }), (error) => error instanceof DappleError && error.kind === "usage" && error.option === "size");
assert.throws(() => dapple.run("stipple", {}, { input: photo.subarray(0, 2000) }), (error) => error.kind === "input");
console.log("the package works:", dapple.version);
process.exit(0);
SCRIPT
node use.mjs "$samples/raccoon.png"
