"""Shows what a blue-noise mask does for a path tracer with one sample per pixel. Prints the error of a
soft shadow seen from afar, with random numbers and with a mask. Writes shadow_random.png and shadow_mask.png."""

import numpy

import dapple


def shadow(threshold):
    """Returns the light that an area light sends past an edge, one sample per pixel, and its exact value."""
    height, width = threshold.shape
    lit = numpy.clip((numpy.arange(width) - width / 4) / (width / 2), 0, 1)
    return (threshold < lit[None, :]).astype("float32"), lit


def from_afar(image):
    """Returns the means of blocks of 8 x 8 pixels, as an eye sees them from afar."""
    height, width = image.shape
    return image.reshape(height // 8, 8, width // 8, 8).mean(axis=(1, 3))


size = 256
mask = dapple.mask(size=128).ranks
tiled = numpy.tile((mask + .5) / mask.size, (size // 128, size // 128))
noise = numpy.random.default_rng(1).random((size, size))
for name, threshold in (("random", noise), ("mask", tiled)):
    image, lit = shadow(threshold)
    error = from_afar(image) - from_afar(numpy.tile(lit, (size, 1)))
    print(f"{name}: error {numpy.sqrt((error**2).mean()):.4f}")
    dapple.dither((image * 255).astype("uint8"), levels=2).save(f"shadow_{name}.png")
