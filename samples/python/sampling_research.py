"""Computes spectra of point sets from several samplers with NumPy, beside the library's own figures."""

import numpy

import dapple


def radial_power(xy, size, rings=64):
    """Returns the mean power of the frequencies in each ring, by a sum over all points."""
    k = numpy.arange(-rings, rings + 1) * 2 * numpy.pi / size
    waves = numpy.exp(-1j * numpy.outer(xy[:, 0], k)), numpy.exp(-1j * numpy.outer(xy[:, 1], k))
    power = numpy.abs(waves[0].T @ waves[1])**2 / len(xy)
    rows, columns = numpy.indices(power.shape) - rings
    ring = numpy.hypot(rows, columns).round().astype(int)
    return numpy.bincount(ring.ravel(), power.ravel())[:rings] / numpy.bincount(ring.ravel())[:rings]


size = 256
for method in ("random", "jittered", "bridson", "darts"):
    points = dapple.sample(size=(size, size), count=1000, method=method, wrap=True)
    power = radial_power(points.xy, size)
    low = power[1:int(.3 * len(points)**.5)].mean()
    figures = points.report()["measurements"]
    print(f"{method:9} low frequencies {low:.3f}, packing {figures['kappa']:.3f}")
