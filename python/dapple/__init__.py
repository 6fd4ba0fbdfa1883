"""Blue noise from images: points, stippling, masks, cell textures, dithering.

    import dapple
    points = dapple.sample(count=1000, size=(640, 480))       # points.xy, points.r
    drawing = dapple.stipple("photo.jpg", dots=20000)         # drawing.save("photo.svg")
    mask = dapple.mask(size=64)                               # mask.ranks
    cells = dapple.worley(outputs=["f1", "id"])               # cells["F1"]

Options have the names of the command line, with _ for -, and the values that it reads, or Python's
own: True, 0.5, (64, 32), ["f1", "id"]. Images and points are arrays or files. Arrays of what was
made are read-only views of the library's memory. The same call makes the same bytes as the program.
"""

import ctypes as _ctypes

from . import _arrays, _library, _operations
from ._operations import schema
from ._results import (Curve, Drawing, Picture, Points, Result, Spectrum,
                       path_bytes as _path_bytes)
from .errors import (Cancelled, Error, InputError, InternalError, LimitError, OutputError,
                     UsageError, VerificationError)

__version__ = _library.version().decode()

sample = _operations.functions["sample"]
stipple = _operations.functions["stipple"]
mask = _operations.functions["mask"]
worley = _operations.functions["worley"]
dither = _operations.functions["dither"]


def _given(function, kind, *arguments):
    of = _operations.context()
    of.tell(None)
    result = _ctypes.c_void_p()
    of.run(function, of.handle, *arguments, _ctypes.byref(result))
    return kind(of, result)


def load(path):
    """Points from a file: .csv, .ply, .json, .npy, .svg."""
    return _given(_library.points_file, Points, _path_bytes(path))


def save(what, path, *, size=None, wraps=False):
    """Writes a result, or points as in points(), to a file in the format of its extension, whole or
    not at all."""
    _result_of(what, size, wraps).save(path)


def recipe(what):
    """The recipe, as TOML, of a result, or that a file carries which Dapple made. One of a stranger
    may name files, which reproduce() reads."""
    if isinstance(what, Result):
        return what.recipe
    of = _operations.context()
    of.tell(None)
    text = _ctypes.c_char_p()
    of.run(_library.recipe_in, of.handle, _path_bytes(what), _ctypes.byref(text))
    return text.value.decode()


def points(points, *, size=None, wraps=False):
    """Points of one's own, to be measured, encoded or saved: an array of shape (points, 2 or 3), the
    third column being r, or a dict of columns. `size`: (width, height) of their plane; wraps: it is
    a torus. In a volume, and in four dimensions, it has a side more for z, and one for w: an array
    has a column for each, and then perhaps r."""
    columns, sides, wraps = _operations.columns_of(points, size, wraps)
    views, _kept = _arrays.column_views(columns)
    return _given(_library.points_in, Points, views, len(views), *_arrays.sides_view(sides), wraps)


def _measurable(what, size, wraps):
    """As a result: of a result, of points, of a file of them, or of the values of an image of shape
    (height, width) that is larger than 3 x 3."""
    shape = getattr(what, "shape", None)
    if not isinstance(what, Result) and shape is not None and len(shape) == 2 and shape[1] > 3:
        view, _array = _arrays.image_view(what)
        return _given(_library.mask, Picture, _ctypes.byref(view))
    return _result_of(what, size, wraps)


def power_spectrum(what, *, size=None, wraps=False, channel=None, slice=None):
    """The periodogram of points, at frequencies up to 4 sqrt(N / area), or of a pattern that
    repeats, such as a mask, in cycles a pixel; white noise = 1. `what`, `size` and `wraps` as in
    analyze(). channel, slice: of a result that has several, the first where none is given."""
    return _measurable(what, size, wraps)._curve(Spectrum, "power-spectrum", channel=channel,
                                                 slice=slice)


def radial_power(what, *, size=None, wraps=False, width=None, least=None, channel=None, slice=None):
    """The mean power on rings of that spectrum: columns frequency, outer, power, anisotropy, count.
    width: of a ring; least: of frequencies on a ring (16), which is joined with its neighbors until
    it has them."""
    return _measurable(what, size, wraps)._curve(Curve, "radial-power", width=width, least=least,
                                                 channel=channel, slice=slice)


def pair_correlation(what, farthest, *, bins=None, size=None, wraps=False):
    """How many points lie at a distance from another, over what a random set of as many has there:
    columns r, the middle of each of 100 bins up to `farthest` pixels, and g. That is at most half of
    the shorter side of a torus and nine tenths of that of a flat domain."""
    return _result_of(what, size, wraps)._curve(Curve, "pair-correlation", farthest=farthest,
                                                bins=bins)


def analyze(what, *, size=None, wraps=False):
    """The figures that `dapple analyze` prints, by name. Of a result, of points (as in points(), or
    a file of them), or of the values of a mask as Picture or an image of shape (height, width) that
    is larger than 3 x 3."""
    return _measurable(what, size, wraps).report()


def window(box, radius, **options):
    """The part (x0, y0, x1, y1) of a plane without end, of points `radius` apart: windows side by
    side fit together, in any order and process. Places count from its corner. Others of the
    options of sample(), such as seed."""
    return sample(window=",".join(map(repr, map(float, box))), radius=radius, **options)


def wang(colors, size, radius, **options):
    """A set of tiles, `size` wide, for any arrangement in which corners of one color meet: 2 colors
    make 16, 3 make 81. Column `class` is the tile. Others of the options of sample()."""
    return sample(wang=colors, size=size, radius=radius, **options)


def _result_of(what, size, wraps):
    if isinstance(what, Result):
        return what
    if isinstance(what, str) or hasattr(what, "__fspath__"):
        return load(what)
    return points(what, size=size, wraps=wraps)


def certify(what, *, size=None, wraps=False):
    """Proves that points of one radius (a result, a file, or as in points()) keep their distance and
    leave no room for another, or that a mask has every rank once. Raises VerificationError, which
    names the place, where that does not hold."""
    _result_of(what, size, wraps).certify()


def order(what, by="travel", *, size=None, wraps=False):
    """The numbers of points in an order for a pen: "travel", short ways, or "hilbert", along a
    curve."""
    return _result_of(what, size, wraps).order(by)


def reproduce(recipe, *, image=None, progress=None):
    """Makes again what a recipe, as TOML, says."""
    import re

    found = re.search(r'^command = "(\w+)"$', recipe, re.MULTILINE)
    if found is None or found[1] not in _operations.functions:
        raise UsageError("a recipe names its command, such as command = \"mask\"")
    given = {"recipe": recipe, "progress": progress}
    if image is not None:
        given["image"] = image
    return _operations.functions[found[1]](**given)


def __getattr__(name):
    if name == "qmc":  # needs SciPy, and takes as long to import as that
        import importlib

        return importlib.import_module(__name__ + ".qmc")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Cancelled", "Curve", "Drawing", "Error", "InputError", "InternalError", "LimitError",
           "OutputError", "Picture", "Points", "Result", "Spectrum", "UsageError",
           "VerificationError", "analyze", "certify", "dither", "load", "mask", "order",
           "pair_correlation", "points", "power_spectrum", "radial_power", "recipe", "reproduce",
           "sample", "save", "schema", "stipple", "wang", "window", "worley"]
