"""The drop-in for scipy's engine: beside scipy's own tests of it (test_scipys_own.py), what a maximal set promises."""

import numpy
import pytest

pytest.importorskip("scipy.stats.qmc", minversion=None)
from scipy.spatial.distance import pdist  # noqa: E402

from dapple.qmc import PoissonDisk  # noqa: E402


@pytest.mark.parametrize("d", [1, 2, 3, 4])
@pytest.mark.parametrize("radius", [.1, .2, .4])
def test_mindist(d, radius):
    if d == 4:
        radius *= 2
    sample = PoissonDisk(d=d, radius=radius, seed=1).fill_space()
    assert sample.shape[1] == d and len(sample) > 1
    assert pdist(sample).min() >= radius
    assert (sample >= 0).all() and (sample < 1).all()


def test_fill_space_leaves_no_room():
    engine = PoissonDisk(d=2, radius=.1, seed=7)
    sample = numpy.concatenate([engine.random(5), engine.fill_space()])
    assert len(engine.random(3)) == 0
    rng = numpy.random.default_rng(3)
    probes = rng.random((20000, 2))
    nearest = numpy.hypot(*(probes[:, None] - sample[None]).transpose(2, 0, 1)).min(axis=1)
    assert nearest.max() <= .1 * (1 + 1e-5)


def test_parts_are_the_whole_and_reset_begins_again():
    whole = PoissonDisk(d=2, radius=.05, seed=3).random(40)
    engine = PoissonDisk(d=2, radius=.05, seed=3)
    parts = numpy.concatenate([engine.random(n) for n in (1, 9, 30)])
    assert (whole == parts).all() and engine.num_generated == 40
    engine.reset()
    assert (engine.random(40) == whole).all()
    assert len(PoissonDisk(d=2, radius=.05, seed=4).random(0)) == 0


def test_a_line_is_parked_as_by_darts():
    sample = PoissonDisk(d=1, radius=1e-4, seed=5).fill_space()[:, 0]
    gaps = numpy.diff(numpy.sort(sample))
    assert 1e-4 <= gaps.min() and gaps.max() <= 2e-4
    assert sample.min() <= 1e-4 and sample.max() >= 1 - 1e-4
    # Renyi's constant of cars, here with a deviation of .002.
    assert abs(len(sample) * 1e-4 - .7476) < .008


def test_reset_begins_again_with_a_generator_too():
    for seed in (numpy.random.default_rng(5), numpy.random.RandomState(5)):
        engine = PoissonDisk(d=2, radius=.1, seed=seed)
        first = engine.random(8)
        assert (engine.reset().random(8) == first).all()


def test_bounds():
    engine = PoissonDisk(d=2, radius=.3, seed=2, l_bounds=[-2, 10], u_bounds=[3.25, 12.5])
    sample = engine.fill_space()
    assert (sample >= [-2, 10]).all() and (sample < [3.25, 12.5]).all()
    assert pdist(sample).min() >= .3
    assert len(sample) > 80
    with pytest.raises(ValueError, match="not consistent"):
        PoissonDisk(d=2, l_bounds=[1, 0], u_bounds=[1, 1])


def test_refuses():
    with pytest.raises(ValueError, match="hypersphere"):
        PoissonDisk(d=2, hypersphere="cube")
    with pytest.raises(ValueError, match="from 0 to 4"):
        PoissonDisk(d=5)
