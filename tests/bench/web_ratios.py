#!/usr/bin/env python3
"""Prints the processor time of the program for Node beside that of the native program on one thread.

Usage: tests/bench/web_ratios.py [native program [folder of the page]]   after scripts/test ci and scripts/web.
The time of Node includes its start, and the compiler that works beside the program. Each is the best of three.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

top = pathlib.Path(__file__).resolve().parents[2]
native = sys.argv[1] if len(sys.argv) > 1 else str(top / "build/ci/bin/dapple")
page = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else top / "build/web")
raccoon, astronaut = str(top / "samples/raccoon.png"), str(top / "samples/astronaut.jpg")
JOBS = {
    "10,000,000 points": ["sample", "--size", "4000x4000", "--count", "10000000", "-o", "a.npy"],
    "300,000 points": ["sample", "--size", "1000x1000", "--count", "300000", "-o", "a.npy"],
    "300,000 points by a map": ["sample", raccoon, "--count", "300000", "-o", "a.npy"],
    "Bridson's growth, 2048": ["sample", "--size", "2048x2048", "--radius", "4", "--method", "bridson", "-o", "a.npy"],
    "volume of 128 a side": ["sample", "--size", "128x128x128", "--radius", "2", "-o", "a.npy"],
    "sphere, 100,000 points": ["sample", "--sphere", "1", "--count", "100000", "-o", "a.ply"],
    "stippling, 10,000 dots": ["stipple", raccoon, "--dots", "10000", "-o", "a.svg"],
    "stippling a JPEG, 20,000 dots": ["stipple", astronaut, "--dots", "20000", "-o", "a.svg"],
    "stippling, 50,000 dots": ["stipple", raccoon, "--dots", "50000", "-o", "a.svg"],
    "preset plotter-a4": ["stipple", raccoon, "--preset", "plotter-a4", "-o", "a.svg"],
    "cells, 2048 a side": ["worley", "--size", "2048", "-o", "a.png"],
    "preset leather": ["worley", "--preset", "leather", "-o", "a.png"],
    "mask, 512 a side": ["mask", "--size", "512", "-o", "a.png"],
}


def seconds(words, folder):
    """Returns the processor time of a command."""
    best = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime - before.ru_utime)
    return best


print(f"load {os.getloadavg()[0]:.1f}\n\n| job | native, s | Node, s | ratio |\n|---|---|---|---|")
with tempfile.TemporaryDirectory() as folder:
    for name, job in JOBS.items():
        own = seconds([native, *job, "--threads", "1"], folder)
        other = seconds(["node", str(page / "dapple.mjs"), *job], folder)
        print(f"| {name} | {own:.2f} | {other:.2f} | {other / max(own, 0.01):.1f} |", flush=True)
