"""Converts NumPy arrays to views for the library, and its memory to arrays."""

import ctypes

import numpy

from . import _library
from .errors import InputError

_types = {"uint8": 1, "uint16": 2, "int32": 3, "float32": 4, "float64": 5}
_dtypes = {number: numpy.dtype(name) for name, number in _types.items()}


def _typed(array):
    """Converts an array to a type that the library reads; bool becomes 0 or 255."""
    if array.dtype == bool:
        return array.astype(numpy.uint8) * numpy.uint8(255)
    if array.dtype.name in _types and array.dtype.isnative:
        return array
    if array.dtype.kind not in "fiu":
        raise InputError(f"images and points need numbers, not values of type {array.dtype}")
    native = array.dtype.newbyteorder("=")
    return array.astype(native if native.name in _types else numpy.float64)


def _pixels(image):
    """Returns an image as an array. Images of Pillow with a palette, inks and the like become RGB."""
    mode = getattr(image, "mode", None)
    if mode in ("P", "PA", "CMYK", "YCbCr", "LAB", "HSV", "RGBX", "RGBa", "La"):
        is_clear = mode in ("PA", "RGBa", "La") or "transparency" in image.info
        image = image.convert("RGBA" if is_clear else "RGB")
    array = numpy.asarray(image)
    if array.dtype.kind in "iu" and array.dtype.name not in ("uint8", "uint16"):
        raise InputError(f"an image of type {array.dtype} has no known range: convert it to uint8 "
                         "(0 to 255) or uint16 (0 to 65535) if it is sRGB, or to floats from 0 to 1 "
                         "of linear light")
    return array


def image_view(image, dimensions=None):
    """Returns the view of an image of shape (height, width) or (height, width, channels), the array
    behind it, which must outlive the view, and its number of slices. With 3 `dimensions` the shape
    is (slices, height, width); four sides are always (slices, height, width, channels)."""
    array = _pixels(image)
    slices = 1
    if array.ndim == 4 or array.ndim == 3 and str(dimensions) == "3":
        slices = array.shape[0]
        array = array.reshape(-1, *array.shape[2:])
    if array.ndim not in (2, 3) or array.size == 0:
        raise InputError(f"an image has the shape (height, width) or (height, width, channels), and "
                         f"a first side for slices if there are several, not {array.shape}")
    array = _typed(array)
    channels = array.shape[2] if array.ndim == 3 else 1
    strides = array.strides + (0,) * (3 - array.ndim)
    view = _library.Image(array.__array_interface__["data"][0], _types[array.dtype.name],
                          array.shape[1], array.shape[0], channels, strides[1], strides[0],
                          strides[2])
    return view, array, slices


def mesh_views(mesh):
    """Returns the columns of the vertices of a mesh and its triangles, as an array of int32. `mesh`
    has the members `vertices` and `faces`, as one of trimesh, or is a sequence of them. A third
    member of a sequence holds further columns by name."""
    columns = {}
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        vertices, faces = mesh.vertices, mesh.faces
        columns = dict(getattr(mesh, "vertex_attributes", {}))
    elif isinstance(mesh, (tuple, list)) and len(mesh) in (2, 3):
        vertices, faces, columns = (*mesh, {})[:3]
    else:
        raise InputError("a mesh is the name of a file, (vertices, faces), (vertices, faces, columns "
                         f"of vertices by name), or has these members, not {type(mesh).__name__}")
    vertices, faces = numpy.asarray(vertices), numpy.asarray(faces)
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        raise InputError(f"vertices have the shape (vertices, 3), not {vertices.shape}")
    if faces.ndim != 2 or faces.shape[1] != 3:
        raise InputError(f"faces are triangles, of shape (faces, 3), not {faces.shape}")
    if faces.dtype.kind not in "iu":
        raise InputError(f"faces are whole numbers of vertices, not values of type {faces.dtype}")
    if faces.size and not 0 <= faces.min() <= faces.max() < len(vertices):
        raise InputError(f"faces name vertices from {faces.min()} to {faces.max()}, but there are "
                         f"{len(vertices)}, from 0")
    return ({**dict(zip("xyz", vertices.T)), **columns},
            numpy.ascontiguousarray(faces, dtype=numpy.int32))


def column_views(columns):
    """Returns library columns for one-dimensional arrays by name, and the arrays behind them."""
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
    """Returns the sides as a C array, and their number."""
    return (ctypes.c_double * len(sides))(*sides), len(sides)


class View(numpy.ndarray):
    """A read-only array of the library's memory that other packages can use without a copy.

    DLPack in NumPy before 2.1 refuses read-only arrays. So the array that __dlpack__() exports is
    writable: a package that writes to it changes the result.
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
    """Returns a read-only array of memory that belongs to `owner`; the array keeps `owner`
    alive."""
    dtype = _dtypes[number_of_type]
    count = int(numpy.prod(shape))
    if count == 0:
        return numpy.empty(shape, dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    memory.owner = owner
    array = numpy.frombuffer(memory, dtype).reshape(shape).view(View)
    array.flags.writeable = False
    return array
