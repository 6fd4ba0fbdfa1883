"""A drop-in for scipy.stats.qmc.PoissonDisk, by Dapple's sampler: maximal sets, in any box of two or
three dimensions, hundreds of times as fast.

    engine = PoissonDisk(d=2, radius=0.05, seed=1)
    engine.random(20)      # the next 20 places, each as far from all before as can be
    engine.fill_space()    # all that still fit
"""

import numpy
from scipy.stats import qmc

from . import _operations, _library
from .errors import UsageError

_side = 1024.0  # of the shortest side of the box in which places are found


class PoissonDisk(qmc.QMCEngine):
    """Places in a box, no two nearer to each other than `radius`.

    d: 2 or 3 dimensions. radius: in the unit of the bounds. l_bounds, u_bounds: of the box, the unit
    square or cube where they are not given. hypersphere and ncandidates, which tell how scipy's
    engine searches, change nothing: no place is left where another would fit. optimization: as
    scipy's. seed: a number, or a generator of NumPy.
    """

    def __init__(self, d, *, radius=0.05, hypersphere="volume", ncandidates=30, optimization=None,
                 seed=None, l_bounds=None, u_bounds=None):
        if hypersphere not in ("volume", "surface"):
            raise ValueError(f"{hypersphere!r} is not a valid hypersphere sampling method. "
                             "It must be one of ['surface', 'volume']")
        if d not in (2, 3):
            raise UsageError(f"points are placed in 2 or 3 dimensions, not in {d}", "d")
        self._init = {"d": d, "optimization": optimization, "seed": seed}
        super().__init__(d=d, optimization=optimization, seed=seed)
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
            seed = int(self.rng.integers(2**62))
            self._places = _maximal(self._extent, self.radius, seed)
        return self._places

    def _random(self, n=1, *, workers=1):
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
        self.__init__(**self._init, radius=self.radius, hypersphere=self.hypersphere,
                      ncandidates=self.ncandidates, l_bounds=self._low,
                      u_bounds=self._low + self._extent)
        return self


def _maximal(extent, radius, seed):
    # Sizes of jobs are whole pixels; radii are not.
    scale = numpy.ceil(_side / extent.min()) if extent.min() < _side else 1.0
    size = extent * scale
    whole = numpy.ceil(size - 1e-9)
    found = _operations.functions["sample"](size=tuple(int(s) for s in whole),
                                            radius=float(radius * scale), progressive=True, seed=seed)
    places = found.xy / scale
    if (whole > size).any():
        places = places[(places < extent).all(axis=1)]
    return places
