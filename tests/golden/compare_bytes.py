#!/usr/bin/env python3
"""Compares the bytes of a program without the image module, such as that for Node, with the record.

Runs the outputs of tests/golden/byte_guard.txt whose format the program writes, for one of the two recorded
seeds, and compares their SHA-256 with byte_guard.sha256. With --native PROGRAM it also compares every preset, and
every format of points, drawings and pictures, with that program.

Usage: compare_bytes.py [--native PROGRAM] COMMAND ...   (such as node build/web/dapple.mjs)
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Written by the image module, which the web program does not have.
ABSENT = {"exr", "tif", "tiff", "tx", "jpg", "jpeg", "tga", "bmp", "ppm", "pgm", "hdr", "gif", "pdf"}


def run(program, words):
    done = subprocess.run([*program, *words], cwd=ROOT, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr.strip()}"


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def guard_jobs(program, folder):
    """Yields a name and a check for each listed output."""
    hashes = {}
    for line in (ROOT / "tests/golden/byte_guard.sha256").read_text().splitlines():
        value, name, seed = line.split()
        hashes[name, seed] = value
    for line in (ROOT / "tests/golden/byte_guard.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, extension, *words = line.split()
        if extension in ABSENT or any(word.endswith((".tif", ".exr")) for word in words):
            continue

        def check(name=name, extension=extension, words=words):
            path = folder / f"{name}.{extension}"
            has_seed = words[0] not in ("presets", "reproduce")
            seed = ["--seed", "7"] if has_seed else []
            problem = run(program, [*words, "-o", str(path), "-q", *seed])
            if problem:
                return problem
            wanted = hashes[name, "7"] if (name, "7") in hashes else hashes[name, "1"]
            return "" if digest(path) == wanted else "other bytes than the record"

        yield name, check


def pair_job(name, program, native, folder, words, extension):
    def check():
        # Source code names its array by the file: one name, two folders.
        paths = [folder / kind / f"{name}.{extension}" for kind in ("tested", "native")]
        for each, path in zip((program, native), paths):
            path.parent.mkdir(exist_ok=True)
            problem = run(each, [*words, "-o", str(path), "-q"])
            if problem:
                return problem
        return "" if digest(paths[0]) == digest(paths[1]) else "other bytes than the native program"

    return name, check


def preset_jobs(program, native, folder):
    small = {
        "stipple": ["samples/raccoon.png", "--dots", "2000"],
        "dither": ["samples/camera.png", "--size", "96"],
        "sample": ["--size", "200"],
        "mask": ["--size", "32"],
        "worley": ["--size", "96"],
    }
    listed = subprocess.run([*native, "presets", "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    for preset in json.loads(listed.stdout)["presets"]:
        command = preset["command"]
        words = [command, *small[command], "--preset", preset["name"]]
        extension = "npy" if preset["name"] == "texture-cell-data" else "png"  # has seven channels
        yield pair_job(f"preset-{preset['name']}", program, native, folder, words, extension)


def format_jobs(program, native, folder):
    stipple = ["stipple", "samples/raccoon.png", "--dots", "1000"]
    for extension in ("svg", "png", "csv", "npy", "ply", "json", "hpgl", "gcode"):
        yield pair_job(f"stipple-{extension}", program, native, folder, stipple, extension)
    mask = ["mask", "--size", "32"]
    for extension in ("png", "npy", "ktx2", "dds", "raw", "c", "h", "wgsl", "glsl", "hlsl", "rs", "cs", "json"):
        yield pair_job(f"mask-{extension}", program, native, folder, mask, extension)
    yield pair_job("analyze", program, native, folder, ["compare", "--methods", "darts", "--size", "60", "--radius", "4"], "png")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--native")
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    # Jobs run in the repository; only paths that exist here are paths.
    program = [os.path.abspath(word) if os.path.exists(word) else word for word in given.command]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        jobs = list(guard_jobs(program, folder))
        if given.native:
            native = [os.path.abspath(given.native)]
            jobs += [*preset_jobs(program, native, folder), *format_jobs(program, native, folder)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda job: (job[0], job[1]()), jobs))
    wrong = [(name, problem) for name, problem in results if problem]
    for name, problem in wrong:
        print(f"{name}: {problem}")
    print(f"{len(results) - len(wrong)} of {len(results)} outputs have the recorded bytes or those of the native program")
    sys.exit(1 if wrong or not results else 0)


if __name__ == "__main__":
    main()
