#!/usr/bin/env python3
"""Counts what the suite of the command line says of the program for Windows.

A test that fails may need a format that the program names as absent, or stand in known_failures.txt with a reason.
Any other failure is an error.

Usage: verdict.py LOG ..."""

import pathlib
import re
import sys

known = dict(
    line.split(maxsplit=1)
    for line in (pathlib.Path(__file__).parent / "known_failures.txt").read_text().splitlines()
    if line and not line.startswith("#")
)
passed, skipped, formats, listed, others = [], [], [], [], []
for log in sys.argv[1:]:
    said = []
    for line in pathlib.Path(log).read_text(errors="replace").splitlines():
        result = re.match(r"\[ +(RUN|OK|FAILED|SKIPPED) +\] ([\w/]+\.[\w/]+)", line)
        if not result:
            said.append(line)
        elif result[1] == "RUN":
            said = []
        elif result[1] == "OK":
            passed.append(result[2])
        elif result[1] == "SKIPPED":
            skipped.append(result[2])
        elif line.endswith("ms)"):
            absent = any("this build of Dapple" in text for text in said)
            kind = listed if result[2] in known else formats if absent else others
            kind.append(result[2])
total = len(passed) + len(formats) + len(listed) + len(others)
if total == 0:
    sys.exit("windows: no test ran")
print(f"windows: {len(passed)} of {total} tests pass ({100 * len(passed) / total:.1f} %)")
print(f"windows: {len(formats)} need a format that this build names as absent: {' '.join(formats)}")
for name in listed:
    print(f"windows: {name}: {known[name]}")
print(f"windows: {len(skipped)} are skipped: {' '.join(skipped)}")
for name in others:
    print(f"windows: {name} failed for no known reason", file=sys.stderr)
outdated = [name for name in passed if name in known]
for name in outdated:
    print(f"windows: {name} passes: delete its line in known_failures.txt", file=sys.stderr)
sys.exit(1 if others or outdated else 0)
