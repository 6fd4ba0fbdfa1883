#!/usr/bin/env python3
"""Counts what the suite of the command line says of the program for Windows.

A test that fails may need a format that the program names as absent, or stand in known_failures.txt with a reason.
Any other failure is an error, and so is any other test that does not end.

Usage: verdict.py LOG ...
       verdict.py --endless   (prints the tests that would not end, as a filter of GoogleTest)"""

import pathlib
import re
import sys

known, endless = {}, []
below_endless = False
for line in (pathlib.Path(__file__).parent / "known_failures.txt").read_text().splitlines():
    if line.startswith("#"):
        below_endless = line.startswith("# Would not end")
    elif line:
        name, known[name] = line.split(maxsplit=1)
        if below_endless:
            endless.append(name)
if sys.argv[1:] == ["--endless"]:
    print(":".join(endless))
    sys.exit()

passed, skipped, formats, listed, others = [], [], [], list(endless), []
for log in sys.argv[1:]:
    said, running = [], None
    for line in pathlib.Path(log).read_text(errors="replace").splitlines():
        result = re.match(r"\[ +(RUN|OK|FAILED|SKIPPED) +\] ([\w/]+\.[\w/]+)", line)
        if not result or result[1] != "RUN" and not line.endswith("ms)"):
            said.append(line)
            continue
        kind, name = result.groups()
        running = name if kind == "RUN" else None
        if kind == "RUN":
            said = []
        elif kind == "OK":
            passed.append(name)
        elif kind == "SKIPPED":
            skipped.append(name)
        elif name in known:
            listed.append(name)
        elif any("this build of Dapple" in text for text in said):
            formats.append(name)
        else:
            others.append(f"{name} failed for no known reason")
    if running in known:
        listed.append(running)
    elif running:
        others.append(f"{running} did not end: {log}")

total = len(passed) + len(formats) + len(listed) + len(others)
if total == len(endless):
    sys.exit("windows: no test ran")
others += [f"{name} passes: delete its line in known_failures.txt" for name in passed if name in known]
others += [f"{name} stands in known_failures.txt but did not run" for name in known if name not in passed + listed + skipped]
present = total - len(formats)
print(f"windows: {len(passed)} of {total} tests pass ({100 * len(passed) / total:.1f} %)")
print(f"windows: {len(passed)} of {present} that need no absent format pass ({100 * len(passed) / present:.1f} %)")
print(f"windows: {len(formats)} need a format that this build names as absent: {' '.join(formats)}")
print(f"windows: {len(listed)} fail for a known reason:")
for name in listed:
    print(f"windows: {name}: {known[name]}")
print(f"windows: {len(skipped)} are skipped: {' '.join(skipped)}")
for text in others:
    print(f"windows: {text}", file=sys.stderr)
sys.exit(1 if others else 0)
