"""Results of operations: arrays, facts, files and pictures."""

import ctypes
import functools
import json
import os

import numpy

from . import _arrays, _library


def path_bytes(path):
    return os.fsencode(os.fspath(path))


class Result:
    """The result of an operation.

    Its arrays are read-only views of the library's memory and keep this memory alive.
    """

    def __init__(self, context, handle):
        self._context = context
        self._handle = handle

    def __del__(self, free=_library.result_free):
        free(self._handle)

    def _run(self, function, *arguments):
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

    def __getitem__(self, name):
        """Returns the column or plane of this name."""
        return self.columns[name] if name in self.columns else self.planes[name]

    def __len__(self):
        """Returns the number of points."""
        return len(next(iter(self.columns.values()), ()))

    def __repr__(self):
        names = ", ".join([*self.columns, *self.planes])
        points = f"{len(self)} points: " if self.columns else ""
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
        """A copy of the coordinates, of shape (points, 2), or (points, 3 or 4) with z and w."""
        names = [name for name in ("x", "y", "z", "w") if name in self.columns]
        return numpy.stack([self.columns[name] for name in names], axis=1)

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
        slices add a first axis."""
        planes = [plane for name, plane in self.planes.items() if name.split(".")[0] != "rank"]
        return planes[0] if len(planes) == 1 else numpy.stack(planes, axis=-1)

    @property
    def ranks(self):
        """The ranks of a mask with one channel: each number from 0 to count - 1 once."""
        return self.planes["rank"]
