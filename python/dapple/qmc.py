"""A drop-in replacement for scipy.stats.qmc.PoissonDisk with Dapple's sampler. It makes maximal
sets in any box of one to four dimensions, hundreds of times as fast.

    engine = PoissonDisk(d=2, radius=0.05, seed=1)
    engine.random(20)      # the next 20 points, spread as well as possible at each step
    engine.fill_space()    # all points that still fit
"""

import heapq

import numpy
from scipy.stats import qmc

from . import _operations, _library
from .errors import UsageError

_side = 1024.0  # pixels along the shortest side of the box, at least


class PoissonDisk(qmc.QMCEngine):
    """Points in a box, no two closer than `radius`.

    d: 0 to 4 dimensions. radius: in the unit of the bounds. l_bounds, u_bounds: bounds of the box;
    default: 0 and 1. hypersphere and ncandidates control the search of scipy's engine; here they
    have no effect, since the set is always maximal. optimization: as in scipy. seed: a number or a
    NumPy generator.
    """

    def __init__(self, d, *, radius=0.05, hypersphere="volume", ncandidates=30, optimization=None,
                 seed=None, l_bounds=None, u_bounds=None):
        if hypersphere not in ("volume", "surface"):
            raise ValueError(f"{hypersphere!r} is not a valid hypersphere sampling method. "
                             "It must be one of ['surface', 'volume']")
        super().__init__(d=d, optimization=optimization, seed=seed)
        if d > 4:
            raise UsageError(f"d must be from 0 to 4, not {d}", "d")
        # scipy.integrate.qmc_quad makes further engines from these arguments.
        self._init_quad = {"d": d, "radius": radius, "hypersphere": hypersphere,
                           "ncandidates": ncandidates, "optimization": optimization}
        self.radius = float(radius)
        self.hypersphere = hypersphere
        self.ncandidates = ncandidates
        low = numpy.zeros(d) if l_bounds is None else numpy.broadcast_to(l_bounds, d).astype(float)
        high = numpy.ones(d) if u_bounds is None else numpy.broadcast_to(u_bounds, d).astype(float)
        if not (high > low).all():
            raise ValueError("Bounds are not consistent 'l_bounds' < 'u_bounds'")
        self._low, self._extent = low, high - low
        self._places = None

    def _found(self):
        """Returns all points, in an order in which every prefix is well spread."""
        if self._places is None:
            rng = self.rng
            seed = int(rng.integers(2**62) if hasattr(rng, "integers") else rng.randint(2**62))
            find = _parked if self.d == 1 else _maximal
            self._places = find(self._extent, self.radius, seed)
        return self._places

    def _random(self, n=1, *, workers=1):
        if self.d == 0:
            return numpy.empty((n, 0))
        places = self._found()[self.num_generated:self.num_generated + n]
        return self._low + places

    def random(self, n=1, *, workers=1):
        """Returns the next n points, or fewer if no more fit."""
        sample = self._random(n)
        if self.optimization_method is not None:
            sample = self.optimization_method(sample)
        self.num_generated += len(sample)
        return sample

    def fill_space(self):
        """Returns all points that still fit."""
        return self.random(len(self._found()) - self.num_generated)

    def reset(self):
        """Resets the engine to its initial state."""
        super().reset()
        self._places = None
        return self


def _parked(extent, radius, seed):
    """Returns points on a line, distributed as in sequential dart throwing (Renyi 1958). Each free
    interval between two points is filled independently of the others, the widest first."""
    rng = numpy.random.default_rng(seed)
    places = []
    free = [(-float(extent[0]), 0.0)]
    while free:
        length, begin = heapq.heappop(free)
        place = begin - length * rng.random()
        places.append(place)
        for low, high in ((begin, place - radius), (place + radius, begin - length)):
            if high > low:
                heapq.heappush(free, (low - high, low))
    return numpy.array(places)[:, None]


def _maximal(extent, radius, seed):
    # Sizes of jobs are whole pixels; radii need not be whole.
    scale = numpy.ceil(_side / extent.min()) if extent.min() < _side else 1.0
    size = extent * scale
    whole = numpy.ceil(size - 1e-9)
    found = _operations.functions["sample"](size=tuple(int(s) for s in whole), dimensions=len(extent),
                                            radius=float(radius * scale), progressive=True, seed=seed)
    places = found.xy / scale
    if (whole > size).any():
        places = places[(places < extent).all(axis=1)]
    return places
