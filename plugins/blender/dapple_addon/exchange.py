"""Writes arrays to files that the program reads, and reads its point files to arrays. Does not need Blender."""

import io
import json
import re

import numpy

_TYPES = {"char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "<i2", "int16": "<i2", "ushort": "<u2",
          "uint16": "<u2", "int": "<i4", "int32": "<i4", "uint": "<u4", "uint32": "<u4", "float": "<f4",
          "float32": "<f4", "double": "<f8", "float64": "<f8"}


def encoded(linear):
    """Encodes linear light as sRGB."""
    low = numpy.clip(linear, 0, None)
    return numpy.where(low <= 0.0031308, 12.92 * low, 1.055 * numpy.power(low, 1 / 2.4) - 0.055).astype("f4")


def linear(encoded_values):
    return numpy.where(encoded_values <= 0.04045, encoded_values / 12.92,
                       numpy.power((numpy.maximum(encoded_values, 0) + 0.055) / 1.055, 2.4)).astype("f4")


def npy(pixels):
    """Returns an array as the bytes of a .npy file. Rows run from the top down; bytes are sRGB, floats linear light."""
    file = io.BytesIO()
    numpy.save(file, numpy.ascontiguousarray(pixels))
    return file.getvalue()


def ply(places, triangles, columns=None, uv=None):
    """Returns a mesh as the bytes of a .ply file. places: (vertices, 3); triangles: (faces, 3) of ints; columns: arrays
    with a number per vertex, by name; uv: (faces, 3, 2)."""
    columns = columns or {}
    vertices = numpy.empty(len(places), [(name, "<f8") for name in "xyz"] + [(name, "<f4") for name in columns])
    for i, name in enumerate("xyz"):
        vertices[name] = places[:, i]
    for name, values in columns.items():
        vertices[name] = values
    parts = [("n", "u1"), ("corners", "<i4", 3)] + ([("m", "u1"), ("uv", "<f4", 6)] if uv is not None else [])
    faces = numpy.empty(len(triangles), parts)
    faces["n"], faces["corners"] = 3, triangles
    if uv is not None:
        faces["m"], faces["uv"] = 6, uv.reshape(-1, 6)
    head = ["ply", "format binary_little_endian 1.0", "element vertex {}".format(len(vertices))]
    head += ["property double " + name for name in "xyz"] + ["property float " + name for name in columns]
    head += ["element face {}".format(len(faces)), "property list uchar int vertex_indices"]
    head += ["property list uchar float texcoord"] if uv is not None else []
    return "\n".join(head + ["end_header", ""]).encode() + vertices.tobytes() + faces.tobytes()


def name_of_column(text):
    """Converts the name of a vertex group or attribute to one that a PLY header can hold."""
    return "group_" + re.sub(r"\W", "_", text, flags=re.ASCII)


def read_points(path):
    """Reads a .ply or .json file. Returns its columns by name (x, y, r; class, size, rotation ... if the file has them)
    and the domain as (x, y, width, height), or None if the file names none."""
    return _read_ply(path) if path.lower().endswith(".ply") else _read_json(path)


def _read_json(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    if "columns" not in data:
        raise ValueError(path + ": is not a file of points made by dapple sample")
    domain = data.get("domain")
    if domain is not None:
        domain = (domain.get("x", 0), domain.get("y", 0), domain["width"], domain["height"])
    return {name: numpy.array(values) for name, values in data["columns"].items()}, domain


def _read_ply(path):
    with open(path, "rb") as file:
        if file.readline().strip() != b"ply":
            raise ValueError(path + ": is not a PLY file")
        parts, count, size, origin = [], 0, None, (0.0, 0.0)
        while True:
            line = file.readline()
            words = line.decode("utf-8", "replace").split()
            if not words:
                raise ValueError(path + ": its header ends too early")
            if words[0] == "end_header":
                break
            if words[0] == "format" and words[1:2] != ["binary_little_endian"]:
                raise ValueError(path + ": is not binary and little-endian, which dapple sample writes")
            if words[0] == "element":
                if words[1] != "vertex":
                    raise ValueError(path + ": is a mesh, not a file of points")
                count = int(words[2])
            if words[0] == "property":
                parts.append(("r" if words[2] == "radius" else words[2], _TYPES[words[1]]))
            if words[:2] == ["comment", "dapple.domain"]:
                size = (float(words[2]), float(words[3]))
            if words[:2] == ["comment", "dapple.origin"]:
                origin = (float(words[2]), float(words[3]))
        rows = numpy.frombuffer(file.read(count * numpy.dtype(parts).itemsize), parts)
    if len(rows) != count:
        raise ValueError(path + ": has fewer points than its header says")
    return {name: rows[name] for name, _ in parts}, None if size is None else origin + size


def on_plane(columns, domain, unit):
    """Returns places (points, 3) on a plane around the origin: x to the right, y up; y in files runs down."""
    x, y, width, height = domain
    z = columns.get("z", 0)
    return numpy.stack(numpy.broadcast_arrays((columns["x"] - x - width / 2) * unit, (y + height / 2 - columns["y"]) * unit,
                                              numpy.multiply(z, unit)), 1)


def turned(normals, degrees):
    """Returns Euler angles (points, 3) in the order XYZ, in radians. They turn an object by `degrees` around its own z,
    and then turn its z to the normal by the smallest angle."""
    normals = numpy.asarray(normals, float)
    half = numpy.radians(numpy.broadcast_to(degrees, len(normals))) / 2
    w, x, y = 1 + normals[:, 2], -normals[:, 1], normals[:, 0]
    below = w < 1e-9
    w, x, y = numpy.where(below, 0, w), numpy.where(below, 1, x), numpy.where(below, 0, y)
    size = numpy.sqrt(w * w + x * x + y * y)
    w, x, y = w / size, x / size, y / size
    c, s = numpy.cos(half), numpy.sin(half)
    w, x, y, z = w * c, x * c + y * s, y * c - x * s, w * s
    return numpy.stack([numpy.arctan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
                        numpy.arcsin(numpy.clip(2 * (w * y - x * z), -1, 1)),
                        numpy.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))], 1)
