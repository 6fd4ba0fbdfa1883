#!/usr/bin/env python3
"""Prints what a call from Python costs beside its work: of the processor, in microseconds, the least mean of
20 rounds, for the smallest work that each function has, and what the import takes beside NumPy's own, in
milliseconds, the least of 10. Needs numpy.
Usage: PYTHONPATH=python DAPPLE_LIBRARY=.../libdapple.so.0 tests/bench/calls.py"""
import subprocess
import sys
import time

import dapple

CALLS = {
    "sample of one point": lambda: dapple.sample(size="8", count=1),
    "white mask of 4x4": lambda: dapple.mask(size="4", method="white"),
    "cells of one site on 4x4": lambda: dapple.worley(size="4", count=1),
}


def microseconds(call, times=200, rounds=20):
    call()
    least = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(times):
            call()
        least = min(least, time.process_time() - start)
    return 1e6 * least / times


for name, call in CALLS.items():
    print(f"  {name:<52} {microseconds(call):10.0f} us")

IMPORT = "import time, numpy; s = time.process_time(); import dapple; print(time.process_time() - s)"
least = min(float(subprocess.run([sys.executable, "-c", IMPORT], stdout=subprocess.PIPE, check=True).stdout)
            for _ in range(10))
print(f"  {'import':<52} {1e3 * least:10.1f} ms")
