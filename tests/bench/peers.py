"""Times what users have today for the same jobs; called by scripts/bench."""

import time

import numpy as np
from scipy.spatial import cKDTree
from scipy.stats import qmc


def timed(text, job):
    start = time.perf_counter()
    note = job()
    print(f"  {text:<52} {time.perf_counter() - start:8.3f} s  {note}")


def poisson_disk():
    radius = 0.0085  # about 9,500 points in the unit square
    points = qmc.PoissonDisk(d=2, radius=radius, seed=1).fill_space()
    return f"{len(points)} points, kappa {len(points) * radius**2:.3f}"


def nearest_two():
    sites = np.random.default_rng(1).random((65536, 2)) * 2048
    tree = cKDTree(sites, boxsize=2048)
    centers = np.arange(2048) + 0.5
    grid = np.stack(np.meshgrid(centers, centers), axis=-1).reshape(-1, 2)
    tree.query(grid, k=2)
    return "white-noise sites"


timed("scipy qmc.PoissonDisk, unit square, 1 thread", poisson_disk)
timed("scipy cKDTree, F1 F2 2048x2048, 64k sites, 1 thread", nearest_two)
