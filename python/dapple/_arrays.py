"""Arrays of NumPy as views of the library, and the other way."""

import ctypes

import numpy

from . import _library
from .errors import InputError

_types = {"uint8": 1, "uint16": 2, "int32": 3, "float32": 4, "float64": 5}
_dtypes = {number: numpy.dtype(name) for name, number in _types.items()}


def _typed(array):
    """As a type that the library reads; bool is black and white."""
    if array.dtype == bool:
        return array.astype(numpy.uint8) * numpy.uint8(255)
    if array.dtype.name in _types and array.dtype.isnative:
        return array
    if array.dtype.kind not in "fiu":
        raise InputError(f"values of type {array.dtype} are no numbers of an image or of points")
    return array.astype(numpy.float64)


def image_view(image):
    """The view of an image of shape (height, width) or (height, width, channels), and the array
    that it is of, which must outlive it."""
    array = numpy.asarray(image)
    if array.ndim not in (2, 3) or array.size == 0:
        raise InputError(f"an image has the shape (height, width) or (height, width, channels), "
                         f"not {array.shape}")
    array = _typed(array)
    channels = array.shape[2] if array.ndim == 3 else 1
    strides = array.strides + (0,) * (3 - array.ndim)
    view = _library.Image(array.__array_interface__["data"][0], _types[array.dtype.name],
                          array.shape[1], array.shape[0], channels, strides[1], strides[0],
                          strides[2])
    return view, array


def column_views(columns):
    """An array of columns from one-dimensional arrays by name, and the arrays themselves."""
    views = (_library.Column * len(columns))()
    kept = []
    for view, (name, values) in zip(views, columns.items()):
        array = _typed(numpy.asarray(values))
        if array.ndim != 1:
            raise InputError(f"column {name} has the shape {array.shape}, not (points,)")
        kept.append(array)
        view.name = name.encode()
        view.data = array.__array_interface__["data"][0]
        view.type = _types[array.dtype.name]
        view.count = array.shape[0]
        view.stride = array.strides[0] if array.ndim else 0
    return views, kept


def sides_view(sides):
    """An array of sides, and how many they are."""
    return (ctypes.c_double * len(sides))(*sides), len(sides)


class View(numpy.ndarray):
    """A read-only array of the library's memory, which other packages take without a copy, too.

    DLPack of NumPy before 2.1 hands on no read-only arrays: what is handed on here can be written
    to, by whoever wants to change the result that it is of.
    """

    def __dlpack__(self, *arguments, **options):
        memory = self
        while isinstance(memory, numpy.ndarray):
            memory = memory.base
        if self.flags.writeable or memory is None:
            return numpy.array(self, subok=False, copy=not self.flags.writeable).__dlpack__(
                *arguments, **options)
        start = numpy.frombuffer(memory, numpy.uint8).__array_interface__["data"][0]
        offset = self.__array_interface__["data"][0] - start
        return numpy.ndarray(self.shape, self.dtype, memory, offset, self.strides).__dlpack__(
            *arguments, **options)


def array_at(address, number_of_type, shape, owner):
    """A read-only array of memory that lives as long as `owner`, which it keeps alive."""
    dtype = _dtypes[number_of_type]
    count = int(numpy.prod(shape))
    if count == 0:
        return numpy.empty(shape, dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    memory.owner = owner
    array = numpy.frombuffer(memory, dtype).reshape(shape).view(View)
    array.flags.writeable = False
    return array
