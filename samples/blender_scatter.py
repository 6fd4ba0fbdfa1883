"""Scatters objects on the points of a Dapple file, in Blender (2.93 or later).

    dapple sample --size 512 --radius 9 --classes 0.6,0.3,0.1 --object-size 4:9 --rotation 0:360 -o wood.json
    blender --python blender_scatter.py -- wood.json 0.02 Oak Birch Rock

Reads .json and .ply. After `--`: the file, the length of a pixel in Blender units, and the objects to place,
one for each class. Each point becomes a linked copy in the collection "dapple": x to the right, y upwards (the
file counts downwards), turned by the column rotation, and as wide as the column size says, where there is one.
Without objects named, empties are placed. read_points() needs nothing but Python and serves elsewhere too.
"""

import json
import math
import struct
import sys

PLY_TYPES = {"char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h",
             "ushort": "H", "uint16": "H", "int": "i", "int32": "i", "uint": "I", "uint32": "I",
             "float": "f", "float32": "f", "double": "d", "float64": "d"}


def read_ply(path):
    with open(path, "rb") as file:
        if file.readline().strip() != b"ply":
            raise ValueError(path + ": no PLY file")
        names, form, count, size = [], "<", 0, None
        while True:
            words = file.readline().decode("utf-8", "replace").split()
            if not words:
                raise ValueError(path + ": the header ends too early")
            if words[0] == "end_header":
                break
            if words[0] == "format" and words[1] != "binary_little_endian":
                raise ValueError(path + ": expected binary_little_endian, as Dapple writes it")
            if words[0] == "element":
                count = int(words[2])
            if words[0] == "property":
                form += PLY_TYPES[words[1]]
                names.append("r" if words[2] == "radius" else words[2])
            if words[:2] == ["comment", "dapple.domain"]:
                size = (float(words[2]), float(words[3]))
        row = struct.Struct(form)
        rows = [row.unpack(file.read(row.size)) for _ in range(count)]
    columns = {name: [r[i] for r in rows] for i, name in enumerate(names)}
    return columns, size


def read_json(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    return data["columns"], (data["domain"]["width"], data["domain"]["height"])


def read_points(path):
    """Columns by name (x, y, r, and class, size, rotation where the file has them), and (width, height)."""
    return read_ply(path) if path.lower().endswith(".ply") else read_json(path)


def placements(columns, size, unit):
    """For each point: place, turn about z in radians, width or None, class."""
    height = size[1]
    for i in range(len(columns["x"])):
        place = (columns["x"][i] * unit, (height - columns["y"][i]) * unit, 0.0)
        # Downwards became upwards, so turning goes the other way round.
        turn = -math.radians(columns["rotation"][i]) if "rotation" in columns else 0.0
        width = columns["size"][i] * unit if "size" in columns else None
        yield place, turn, width, columns["class"][i] if "class" in columns else 0


def scatter(path, unit, names):
    import bpy  # only inside Blender

    columns, size = read_points(path)
    sources = [bpy.data.objects[name] for name in names]
    target = bpy.data.collections.new("dapple")
    bpy.context.scene.collection.children.link(target)
    for place, turn, width, klass in placements(columns, size, unit):
        source = sources[klass % len(sources)] if sources else None
        thing = source.copy() if source else bpy.data.objects.new("point", None)
        thing.location = place
        thing.rotation_euler[2] += turn
        if width is not None:
            across = max(source.dimensions[0], source.dimensions[1]) if source else 1.0
            thing.scale = [s * width / across for s in thing.scale] if across > 0 else thing.scale
        target.objects.link(thing)


if __name__ == "__main__":
    words = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    if not words:
        sys.exit(__doc__)
    scatter(words[0], float(words[1]) if len(words) > 1 else 1.0, words[2:])
