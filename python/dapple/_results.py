"""What was made: arrays, facts, files and pictures."""

import ctypes
import functools
import json
import os

import numpy

from . import _arrays, _library


def path_bytes(path):
    return os.fsencode(os.fspath(path))


class Result:
    """What an operation made.

    Arrays of it are read-only views of the library's own memory, which they keep alive.
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
        """All of its columns, or planes."""
        index = 0
        row = kind()
        while function(self._handle, index, ctypes.byref(row)) == 0:
            yield row.name.decode(), row
            index += 1

    @functools.cached_property
    def columns(self):
        """Numbers of its points, dots or sites, by name: x, y, r, class, ..."""
        return {name: _arrays.array_at(row.data, row.type, (row.count,), self)
                for name, row in self._rows(_library.result_column, _library.Column)}

    @functools.cached_property
    def planes(self):
        """Channels of its image, by name, of shape (height, width) or (slices, height, width)."""
        found = {}
        for name, row in self._rows(_library.result_plane, _library.Plane):
            shape = (row.height, row.width)
            if row.slices > 1:
                shape = (row.slices, row.height // row.slices, row.width)
            found[name] = _arrays.array_at(row.data, row.type, shape, self)
        return found

    def __getitem__(self, name):
        """A column or a plane."""
        return self.columns[name] if name in self.columns else self.planes[name]

    def __len__(self):
        """The number of its points."""
        return len(next(iter(self.columns.values()), ()))

    def __repr__(self):
        names = ", ".join([*self.columns, *self.planes])
        points = f"{len(self)} points: " if self.columns else ""
        return f"<dapple.{type(self).__name__} {points}{names}>"

    @functools.cached_property
    def facts(self):
        """What is known of it: seed, recipe, domain, warnings, what a plotter would take."""
        return json.loads(self._text(_library.result_facts))

    @property
    def recipe(self):
        """The recipe that makes it again, as TOML."""
        return self.facts["recipe"]

    @property
    def warnings(self):
        return self.facts["warnings"]

    def report(self):
        """The figures that `dapple analyze` prints, by name, with their meaning and goals."""
        return json.loads(self._text(_library.result_report))

    def certify(self):
        """Proves that points of one radius keep their distance and leave no room for another, or
        that a mask has every rank once; raises VerificationError with the place where not."""
        self._run(_library.result_certify)

    def _curve(self, kind, name, **options):
        texts = [text for key, value in options.items() if value is not None
                 for text in (key.encode(), str(value).encode())]
        made = ctypes.c_void_p()
        self._run(_library.result_curve, name.encode(),
                  (ctypes.c_char_p * (len(texts) + 1))(*texts, None), ctypes.byref(made))
        return kind(self._context, made)

    def save(self, path):
        """Writes a file in the format of its extension, whole or not at all."""
        self._run(_library.result_save, path_bytes(path))

    def encode(self, extension):
        """The bytes of such a file: "png", "svg", "ply", ..."""
        data = ctypes.c_void_p()
        count = ctypes.c_size_t()
        self._run(_library.result_encode, extension.encode(), ctypes.byref(data),
                  ctypes.byref(count))
        return ctypes.string_at(data, count.value)

    def _repr_png_(self):
        return self.encode("png")


class Curve(Result):
    """Numbers that were measured, as columns; it is neither measured itself nor saved."""

    _repr_png_ = None


class Spectrum(Curve):
    """Power by frequency, white noise = 1."""

    @property
    def power(self):
        """Of shape (rows, columns); negative where nothing is known."""
        return self.planes["power"]

    @property
    def fx(self):
        """The frequencies of its columns, from 0 on; what is left of 0 is the mirror image."""
        return numpy.arange(self.power.shape[1]) * self.facts["step_x"]

    @property
    def fy(self):
        """The frequencies of its rows, 0 in the midst."""
        return (numpy.arange(self.power.shape[0]) - self.facts["zero_row"]) * self.facts["step_y"]


class Points(Result):
    """Points, and what may be known of each."""

    @property
    def x(self):
        return self.columns["x"]

    @property
    def y(self):
        return self.columns["y"]

    @property
    def r(self):
        """The distance that each keeps from others."""
        return self.columns.get("r")

    @functools.cached_property
    def xy(self):
        """Places, of shape (points, 2), or (points, 3 or 4) where they have z and w: a copy."""
        names = [name for name in ("x", "y", "z", "w") if name in self.columns]
        return numpy.stack([self.columns[name] for name in names], axis=1)

    @property
    def domain(self):
        """(width, height) of the plane that they lie in; of a volume with its depth, and in four
        dimensions with a fourth side, too."""
        sides = self.facts["domain"]
        return tuple(sides[name] for name in ("width", "height", "depth", "extent")
                     if name in sides)

    def order(self, by="travel"):
        """Their numbers in an order for a pen: "travel", short ways, or "hilbert", along a curve."""
        row = _library.Column()
        self._run(_library.result_order, by.encode(), ctypes.byref(row))
        return numpy.array(_arrays.array_at(row.data, row.type, (row.count,), self), subok=False)


class Drawing(Points):
    """Dots, drawn."""

    def svg(self):
        return self.encode("svg").decode()

    def _repr_svg_(self):
        return self.svg()


class Picture(Result):
    """An image: a mask, a texture, a dithered picture."""

    @functools.cached_property
    def array(self):
        """All of its channels but ranks, of shape (height, width) or (height, width, channels), with
        slices in front where it has several."""
        planes = [plane for name, plane in self.planes.items() if name.split(".")[0] != "rank"]
        return planes[0] if len(planes) == 1 else numpy.stack(planes, axis=-1)

    @property
    def ranks(self):
        """Of a mask of one channel: every number below that of its values once."""
        return self.planes["rank"]
