"""A drop-in for scipy.stats.qmc.PoissonDisk, by Dapple's sampler: maximal sets, in any box of one to
four dimensions, hundreds of times as fast.

    engine = PoissonDisk(d=2, radius=0.05, seed=1)
    engine.random(20)      # the next 20 places, each as far from all before as can be
    engine.fill_space()    # all that still fit
"""

import heapq

import numpy
from scipy.stats import qmc

from . import _operations, _library
from .errors import UsageError

_side = 1024.0  # of the shortest side of the box in which places are found


class PoissonDisk(qmc.QMCEngine):
    """Places in a box, no two nearer to each other than `radius`.

    d: 0 to 4 dimensions. radius: in the unit of the bounds. l_bounds, u_bounds: of the box, the unit
    square or cube where they are not given. hypersphere and ncandidates, which tell how scipy's
    engine searches, change nothing: no place is left where another would fit. optimization: as
    scipy's. seed: a number, or a generator of NumPy.
    """

    def __init__(self, d, *, radius=0.05, hypersphere="volume", ncandidates=30, optimization=None,
                 seed=None, l_bounds=None, u_bounds=None):
        if hypersphere not in ("volume", "surface"):
            raise ValueError(f"{hypersphere!r} is not a valid hypersphere sampling method. "
                             "It must be one of ['surface', 'volume']")
        super().__init__(d=d, optimization=optimization, seed=seed)
        if d > 4:
            raise UsageError(f"points are placed in up to 4 dimensions, not in {d}", "d")
        # What scipy.integrate.qmc_quad makes engines from.
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
        """All places, in an order in which each beginning of them is spread well."""
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
        """The next n places, fewer where no more fit."""
        sample = self._random(n)
        if self.optimization_method is not None:
            sample = self.optimization_method(sample)
        self.num_generated += len(sample)
        return sample

    def fill_space(self):
        """All places that still fit."""
        return self.random(len(self._found()) - self.num_generated)

    def reset(self):
        """The engine as it was made."""
        super().reset()
        self._places = None
        return self


def _parked(extent, radius, seed):
    """Places on a line, by the law of darts thrown one after the other (Renyi 1958): what is free between
    two of them is filled without a look at the rest, the widest first."""
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
    # Sizes of jobs are whole pixels; radii are not.
    scale = numpy.ceil(_side / extent.min()) if extent.min() < _side else 1.0
    size = extent * scale
    whole = numpy.ceil(size - 1e-9)
    found = _operations.functions["sample"](size=tuple(int(s) for s in whole), dimensions=len(extent),
                                            radius=float(radius * scale), progressive=True, seed=seed)
    places = found.xy / scale
    if (whole > size).any():
        places = places[(places < extent).all(axis=1)]
    return places
