"""Blue noise from images: points, stippling, masks, cell textures, dithering.

    import dapple
    points = dapple.sample(count=1000, size=(640, 480))       # points.xy, points.r
    drawing = dapple.stipple("photo.jpg", dots=20000)         # drawing.save("photo.svg")
    mask = dapple.mask(size=64)                               # mask.ranks
    cells = dapple.worley(outputs=["f1", "id"])               # cells["F1"]

Options have the names of the command line, with _ for -. Their values are texts as on the command
line, or Python values: True, 0.5, (64, 32), ["f1", "id"]. Images and points are arrays or files.
Arrays of results are read-only views of the library's memory. The same options make the same bytes
as the program.
"""

import ctypes as _ctypes

from . import _arrays, _library, _operations
from ._operations import schema
from ._results import Curve, Drawing, Picture, Points, Result, Spectrum, path_bytes as _path_bytes
from .errors import (Cancelled, Error, InputError, InternalError, LimitError, OutputError,
                     UsageError, VerificationError)

__version__ = _library.version().decode()

sample = _operations.functions["sample"]
stipple = _operations.functions["stipple"]
mask = _operations.functions["mask"]
worley = _operations.functions["worley"]
dither = _operations.functions["dither"]


def load(path):
    """Reads points from a file: .csv, .ply, .json, .npy or .svg."""
    return _operations.made_by(_library.points_file, Points, _path_bytes(path))


def save(what, path, *, size=None, wraps=False):
    """Writes a result, or points as points() takes them, to a file in the format of its extension.
    On an error no partial file is left."""
    _result_of(what, size, wraps).save(path)


def recipe(what):
    """Returns the recipe of a result, or of a file that Dapple made, as TOML. A stranger's recipe
    may name files, and reproduce() reads them."""
    if isinstance(what, Result):
        return what.recipe
    of = _operations.context()
    of.tell(None)
    text = _ctypes.c_char_p()
    of.run(_library.recipe_in, of.handle, _path_bytes(what), _ctypes.byref(text))
    return text.value.decode()


def points(points, *, size=None, wraps=False):
    """Returns your own points as Points, to measure, encode or save. `points` is a dict of columns,
    or an array of shape (points, 2 or 3) whose third column is r. `size` is the (width, height) of
    their plane; `wraps` makes it a torus. A volume needs a third side in `size` and a column z;
    four dimensions need a fourth side and a column w. In arrays, r comes after these columns."""
    return _operations.points_of(points, size, wraps)


def _measurable(what, size, wraps):
    """Returns a Result for a result, points, a file of points, or an array of an image with shape
    (height, width) and more than 3 columns."""
    shape = getattr(what, "shape", None)
    if not isinstance(what, Result) and shape is not None and len(shape) == 2 and shape[1] > 3:
        view, _array, _slices = _arrays.image_view(what)
        return _operations.made_by(_library.mask, Picture, _ctypes.byref(view))
    return _result_of(what, size, wraps)


def power_spectrum(what, *, size=None, wraps=False, channel=None, slice=None):
    """Returns the periodogram; white noise is 1. Frequencies of points go up to 4 sqrt(N / area);
    those of a repeating pattern, such as a mask, are in cycles per pixel. analyze() explains
    `what`, `size` and `wraps`. `channel` and `slice` select from a result with several; default:
    first."""
    return _measurable(what, size, wraps)._curve(Spectrum, "power-spectrum", channel=channel,
                                                 slice=slice)


def radial_power(what, *, size=None, wraps=False, width=None, least=None, channel=None, slice=None):
    """Returns the mean power on rings of power_spectrum(), in the columns frequency, outer, power,
    anisotropy and count. `width` is the width of a ring. A ring with fewer than `least` frequencies
    (default 16) is joined with its neighbors."""
    return _measurable(what, size, wraps)._curve(Curve, "radial-power", width=width, least=least,
                                                 channel=channel, slice=slice)


def pair_correlation(what, farthest, *, bins=None, size=None, wraps=False):
    """Returns the number of pairs of points by distance, divided by the number in a random set of
    the same size. Column r holds the middles of 100 bins (or `bins`) up to `farthest` pixels,
    column g the ratio. `farthest` is at most half the shorter side of a torus, 0.9 of a flat
    domain's."""
    return _result_of(what, size, wraps)._curve(Curve, "pair-correlation", farthest=farthest,
                                                bins=bins)


def analyze(what, *, size=None, wraps=False):
    """Returns the figures that `dapple analyze` prints, by name. `what` is a result, points (as in
    points(), or a file), or a mask: a Picture, or an array of shape (height, width) with more than
    3 columns."""
    return _measurable(what, size, wraps).report()


def window(box, radius, **options):
    """Returns the points in the window (x0, y0, x1, y1) of an endless plane, at least `radius`
    apart. Adjacent windows fit together, in any order and process. Coordinates count from the
    window's corner. Also takes options of sample(), such as seed."""
    return sample(window=",".join(map(repr, map(float, box))), radius=radius, **options)


def wang(colors, size, radius, **options):
    """Returns a set of tiles, `size` wide, for arrangements in which corners that meet have equal
    colors: 2 colors make 16 tiles, 3 make 81. Column `class` holds the tile of each point. Also
    takes options of sample()."""
    return sample(wang=colors, size=size, radius=radius, **options)


def _result_of(what, size, wraps):
    if isinstance(what, Result):
        return what
    if isinstance(what, str) or hasattr(what, "__fspath__"):
        return load(what)
    return points(what, size=size, wraps=wraps)


def certify(what, *, size=None, wraps=False):
    """Proves that points of one radius (a result, a file, or as in points()) keep their distance
    and leave no room for another, or that a mask has every rank once. Raises VerificationError with
    the failing place otherwise."""
    _result_of(what, size, wraps).certify()


def order(what, by="travel", *, size=None, wraps=False):
    """Returns the indices of points in an order for a pen: "travel" for short paths, or "hilbert"
    for the order along a Hilbert curve."""
    return _result_of(what, size, wraps).order(by)


def reproduce(recipe, *, image=None, progress=None):
    """Runs a recipe, given as TOML, and returns its result."""
    import re

    found = re.search(r'^command = "(\w+)"$', recipe, re.MULTILINE)
    if found is None or found[1] not in _operations.functions:
        raise UsageError("the recipe needs a command, such as command = \"mask\"")
    given = {"recipe": recipe, "progress": progress}
    if image is not None:
        given["image"] = image
    return _operations.functions[found[1]](**given)


def __getattr__(name):
    if name == "qmc":  # needs SciPy, which is slow to import
        import importlib

        return importlib.import_module(__name__ + ".qmc")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Cancelled", "Curve", "Drawing", "Error", "InputError", "InternalError", "LimitError",
           "OutputError", "Picture", "Points", "Result", "Spectrum", "UsageError",
           "VerificationError", "analyze", "certify", "dither", "load", "mask", "order",
           "pair_correlation", "points", "power_spectrum", "radial_power", "recipe", "reproduce",
           "sample", "save", "schema", "stipple", "wang", "window", "worley"]
