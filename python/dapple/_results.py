"""Results of operations: arrays, facts, files and pictures."""

import ctypes
import functools
import json
import os

import numpy

from . import _arrays, _library
from .errors import InputError, UsageError


def path_bytes(path):
    return os.fsencode(os.fspath(path))


def _unpickled(kind, columns, planes, facts, call):
    """Returns a result of another process. It has no part in the library until that is needed."""
    result = kind(None, None)
    for array in (*columns.values(), *planes.values()):
        array.flags.writeable = False
    vars(result).update(columns=columns, planes=planes, facts=facts, _call=call)
    return result


class Result:
    """The result of an operation.

    Its arrays are read-only views of the library's memory and keep this memory alive.
    """

    _call = None  # the operation, image and options that made it

    def __init__(self, context, handle):
        self._context = context
        self._handle = handle

    def __del__(self, free=_library.result_free):
        free(self._handle)

    def __copy__(self):
        return self  # nothing of it can change

    def __deepcopy__(self, _memo):
        return self

    def __reduce__(self):
        def owned(arrays):
            return {name: numpy.array(array, subok=False) for name, array in arrays.items()}

        operation, image, given = self._call or (None, None, {})
        given = {name: value for name, value in given.items() if name != "progress"}
        call = operation and (operation, image, given)
        return _unpickled, (type(self), owned(self.columns), owned(self.planes), self.facts, call)

    def _make_again(self):
        """Gives a result from another process its part in the library, which files and proofs need:
        makes its points or numbers again, or runs its operation again."""
        from . import _operations

        if self._call is not None:
            made = _operations.run(*self._call)
        elif "x" in self.columns:
            made = _operations.points_of(self.columns, self.domain, self.facts["domain"]["wraps"])
        else:
            raise UsageError(f"a {type(self).__name__} from another process holds its numbers, but "
                             "cannot be saved or measured")
        for name, array in (*self.columns.items(), *self.planes.items()):
            if not numpy.array_equal(made[name], array, equal_nan=True):
                raise InputError(f"the copied {type(self).__name__} could not be made again: its "
                                 f"{name} differs. Its inputs changed after it was made, or another "
                                 "version of Dapple made it: save it where it was made")
        self._context = made._context
        self._handle, made._handle = made._handle, ctypes.c_void_p()

    def _run(self, function, *arguments):
        if self._context is None:
            self._make_again()
        self._context.tell(None)
        self._context.run(function, self._handle, *arguments)

    def _text(self, function):
        text = ctypes.c_char_p()
        self._run(function, ctypes.byref(text))
        return text.value.decode()

    def _rows(self, function, kind):
        """Yields the columns or planes by name."""
        index = 0
        row = kind()
        while function(self._handle, index, ctypes.byref(row)) == 0:
            yield row.name.decode(), row
            index += 1

    @functools.cached_property
    def columns(self):
        """The columns of its points, dots or sites, by name: x, y, r, class, ..."""
        return {name: _arrays.array_at(row.data, row.type, (row.count,), self)
                for name, row in self._rows(_library.result_column, _library.Column)}

    @functools.cached_property
    def planes(self):
        """The channels of its image by name, of shape (height, width) or (slices, height,
        width)."""
        found = {}
        for name, row in self._rows(_library.result_plane, _library.Plane):
            shape = (row.height, row.width)
            if row.slices > 1:
                shape = (row.slices, row.height // row.slices, row.width)
            found[name] = _arrays.array_at(row.data, row.type, shape, self)
        return found

    def keys(self):
        """Returns the names of all columns and planes, so that dict(result) holds every array."""
        return [*self.columns, *self.planes]

    def __getitem__(self, key):
        """Returns the column or plane of this name, or a part of the array. A name may be written as
        an option, such as "f1", and an output of several channels is one array, such as
        "normal"."""
        if not isinstance(key, str):
            return numpy.asarray(self)[key]
        for arrays in (self.columns, self.planes):
            if key in arrays:
                return arrays[key]
        wanted = key.casefold().replace(".", "_")
        found = [name for name in self.planes
                 if wanted in (name.casefold(), name.rpartition(".")[0].casefold())]
        if not found:
            raise KeyError(f"there is no {key!r}, only {', '.join(self.keys()) or 'no arrays'}")
        channels = [self.planes[name] for name in found]
        return channels[0] if len(channels) == 1 else numpy.stack(channels, axis=-1)

    def _array(self):
        """Returns what numpy.asarray() sees: columns side by side."""
        return numpy.stack(list(self.columns.values()), axis=-1)

    def __array__(self, dtype=None, copy=None):
        array = self._array()
        if copy or dtype is not None and array.dtype != dtype:
            array = numpy.array(array, dtype=dtype, subok=False)
        return array

    def __len__(self):
        return len(self._array())

    def __iter__(self):
        return iter(self._array())

    def __repr__(self):
        names = ", ".join([*self.columns, *self.planes])
        points = f"{len(next(iter(self.columns.values())))} points: " if self.columns else ""
        return f"<dapple.{type(self).__name__} {points}{names}>"

    @functools.cached_property
    def facts(self):
        """Facts about the result: seed, recipe, domain, warnings, plotting forecast."""
        return json.loads(self._text(_library.result_facts))

    @property
    def recipe(self):
        """The recipe that makes this result again, as TOML."""
        return self.facts["recipe"]

    @property
    def warnings(self):
        return self.facts["warnings"]

    def report(self):
        """Returns the figures that `dapple analyze` prints, by name, with meaning and goals."""
        return json.loads(self._text(_library.result_report))

    def certify(self):
        """Proves that points of one radius keep their distance and leave no room for another, or
        that a mask has every rank once. Raises VerificationError with the failing place."""
        self._run(_library.result_certify)

    def _curve(self, kind, name, **options):
        texts = [text for key, value in options.items() if value is not None
                 for text in (key.encode(), str(value).encode())]
        made = ctypes.c_void_p()
        self._run(_library.result_curve, name.encode(),
                  (ctypes.c_char_p * (len(texts) + 1))(*texts, None), ctypes.byref(made))
        return kind(self._context, made)

    def save(self, path):
        """Writes a file in the format of its extension. An error leaves no partial file."""
        self._run(_library.result_save, path_bytes(path))

    def encode(self, extension):
        """Returns the bytes of a file with this extension: "png", "svg", "ply", ..."""
        data = ctypes.c_void_p()
        count = ctypes.c_size_t()
        self._run(_library.result_encode, extension.encode(), ctypes.byref(data),
                  ctypes.byref(count))
        return ctypes.string_at(data, count.value)

    def _repr_png_(self):
        return self.encode("png")


class Curve(Result):
    """Measured numbers, as columns. A curve has no report and cannot be saved."""

    _repr_png_ = None


class Spectrum(Curve):
    """Power by frequency; white noise is 1."""

    def _array(self):
        return self.power

    @property
    def power(self):
        """The power, of shape (rows, columns); negative values are unknown."""
        return self.planes["power"]

    @property
    def fx(self):
        """The frequencies of the columns, from 0 up; negative ones mirror the power."""
        return numpy.arange(self.power.shape[1]) * self.facts["step_x"]

    @property
    def fy(self):
        """The frequencies of the rows; 0 is the middle row."""
        return (numpy.arange(self.power.shape[0]) - self.facts["zero_row"]) * self.facts["step_y"]


class Points(Result):
    """Points with their columns."""

    @property
    def x(self):
        return self.columns["x"]

    @property
    def y(self):
        return self.columns["y"]

    @property
    def r(self):
        """The radius of each point: its distance to other points. None if unknown."""
        return self.columns.get("r")

    @functools.cached_property
    def xy(self):
        """The coordinates, of shape (points, 2), or (points, 3 or 4) with z and w. Also what
        numpy.asarray(), slices, loops and len() see."""
        names = [name for name in ("x", "y", "z", "w") if name in self.columns]
        array = numpy.stack([self.columns[name] for name in names], axis=1)
        array.flags.writeable = False
        return array

    def _array(self):
        return self.xy

    def __len__(self):
        return len(self.columns["x"])

    @property
    def domain(self):
        """The (width, height) of the plane; a volume adds its depth, four dimensions also the
        extent along w."""
        sides = self.facts["domain"]
        return tuple(sides[name] for name in ("width", "height", "depth", "extent")
                     if name in sides)

    def order(self, by="travel"):
        """Returns indices in an order for a pen: "travel" (short paths) or "hilbert" (curve)."""
        row = _library.Column()
        self._run(_library.result_order, by.encode(), ctypes.byref(row))
        return numpy.array(_arrays.array_at(row.data, row.type, (row.count,), self), subok=False)


class Drawing(Points):
    """Dots and their drawing."""

    def svg(self):
        return self.encode("svg").decode()

    def _repr_svg_(self):
        return self.svg()


class Picture(Result):
    """An image: a mask, a texture, a dithered picture."""

    @functools.cached_property
    def array(self):
        """All channels except ranks, of shape (height, width) or (height, width, channels). Several
        slices add a first axis. Also what numpy.asarray(), slices, loops and len() see."""
        planes = [plane for name, plane in self.planes.items() if name.split(".")[0] != "rank"]
        array = planes[0] if len(planes) == 1 else numpy.stack(planes, axis=-1)
        array.flags.writeable = False
        return array

    def _array(self):
        return self.array

    @property
    def ranks(self):
        """The ranks of a mask with one channel: each number from 0 to count - 1 once."""
        return self.planes["rank"]
