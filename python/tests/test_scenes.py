"""Scenes and meshes as glTF and USD, by readers and writers that share nothing with Dapple's."""

import json
import os
import re
import struct
import subprocess

import numpy
import pytest

PROGRAM = os.environ["DAPPLE_PROGRAM"]

# A roof: two squares of side 8 that meet at a ridge.
CORNERS = numpy.array([[-8, 0, 0], [0, 6, 0], [0, 6, 8], [-8, 0, 8], [8, 0, 0], [8, 0, 8]], "f4")
TRIANGLES = numpy.array([[3, 2, 1], [3, 1, 0], [2, 5, 4], [2, 4, 1]], "u2")


def sample(cwd, *words):
    subprocess.run([PROGRAM, "sample", *map(str, words), "-q"], cwd=cwd, check=True)


def columns(path):
    return numpy.genfromtxt(path, delimiter=",", names=True)


@pytest.fixture
def roof(tmp_path):
    lines = [f"v {x:g} {y:g} {z:g}" for x, y, z in CORNERS]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in TRIANGLES]
    (tmp_path / "roof.obj").write_text("\n".join(lines) + "\n")
    return tmp_path


class Glb:
    """A reader of .glb: the document, and its accessors as arrays."""

    def __init__(self, path):
        data = path.read_bytes()
        magic, version, size = struct.unpack_from("<4sII", data)
        assert magic == b"glTF" and version == 2 and size == len(data)
        at, chunks = 12, {}
        while at < size:
            length, kind = struct.unpack_from("<I4s", data, at)
            assert length % 4 == 0
            chunks[kind] = data[at + 8:at + 8 + length]
            at += 8 + length
        self.document = json.loads(chunks[b"JSON"])
        self.numbers = chunks[b"BIN\0"]
        assert self.document["buffers"][0]["byteLength"] <= len(self.numbers)

    def array(self, index):
        accessor = self.document["accessors"][index]
        view = self.document["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        kind = {5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor["componentType"]]
        assert "byteStride" not in view
        values = numpy.frombuffer(self.numbers, kind, accessor["count"] * width,
                                  view.get("byteOffset", 0) + accessor.get("byteOffset", 0))
        return values.reshape(-1, width)


def turned(quaternions, vector):
    v, w = quaternions[:, :3], quaternions[:, 3:]
    return vector + 2 * numpy.cross(v, numpy.cross(v, vector) + w * vector)


def instances_of(glb):
    """Each node of instances: its name, places, quaternions and sizes."""
    assert "EXT_mesh_gpu_instancing" in glb.document["extensionsUsed"]
    for number in glb.document["scenes"][glb.document["scene"]]["nodes"]:
        node = glb.document["nodes"][number]
        of = node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]
        places, turns, sizes = (glb.array(of[name]) for name in ("TRANSLATION", "ROTATION", "SCALE"))
        assert len(places) == len(turns) == len(sizes)
        yield node["name"], places + numpy.array(node["translation"]), turns, sizes


def test_glb_of_points_is_read_by_another_reader(roof):
    sample(roof, "--on", "roof.obj", "--radius", "0.5", "-o", "a.glb", "-o", "a.csv")
    expected = columns(roof / "a.csv")
    (name, places, turns, sizes), = instances_of(Glb(roof / "a.glb"))
    assert name == "points"
    places_expected = numpy.stack([expected[c] for c in "xyz"], 1)
    assert numpy.allclose(places, places_expected, atol=1e-5)
    normals = numpy.stack([expected["n" + c] for c in "xyz"], 1)
    assert numpy.allclose(turned(turns, numpy.array([0, 1, 0])), normals, atol=1e-5)
    assert numpy.allclose(sizes, 0.6 * 0.5)


def test_glb_of_classes_has_a_node_for_each(roof):
    sample(roof, "--on", "roof.obj", "--class-radius", "2,1,0.5", "--class-distance", "mean",
           "--align", "up", "-o", "a.glb", "-o", "a.csv", "-o", "a.usda")
    expected = columns(roof / "a.csv")
    found = list(instances_of(Glb(roof / "a.glb")))
    assert [name for name, *_ in found] == ["class 0", "class 1", "class 2"]
    for c, (_, places, turns, sizes) in enumerate(found):
        rows = expected[expected["class"] == c]
        assert numpy.allclose(places, numpy.stack([rows[k] for k in "xyz"], 1), atol=1e-5)
        assert numpy.allclose(turns, [0, 0, 0, 1])
        assert numpy.allclose(sizes, 0.6 * [2, 1, 0.5][c])
    # Crowns of diameter r never touch.
    places = numpy.stack([expected[k] for k in "xyz"], 1)
    gaps = numpy.linalg.norm(places[:, None] - places[None], axis=2)
    apart = 0.5 * (expected["r"][:, None] + expected["r"][None])
    numpy.fill_diagonal(gaps, numpy.inf)
    assert (gaps >= apart * (1 - 1e-6)).all()
    text = (roof / "a.usda").read_text()
    assert re.search(r"prototypes = \[(.*)\]", text)[1].split(", ") == [
        f"</Points/Prototypes/Class{c}>" for c in range(3)]
    kinds = re.search(r"int\[\] protoIndices = \[([^\]]*)\]", text)[1].split(",")
    assert [int(kind) for kind in kinds] == expected["class"].astype(int).tolist()
    middle = numpy.array(re.search(r"xformOp:translate = \(([^)]*)\)", text)[1].split(","), float)
    rows = re.search(r"point3f\[\] positions = \[([^\]]*)\]", text)[1]
    at = numpy.array(re.findall(r"[-+.e\d]+", rows), float).reshape(-1, 3)
    assert numpy.allclose(at + middle, places, atol=1e-5)


def write_glb(path, node):
    """The roof as another program writes it: interleaved places and colors, corners of 16 bits."""
    colors = numpy.full((len(CORNERS), 4), [255, 0, 0, 255], "u1")
    rows = numpy.zeros(len(CORNERS), [("place", "f4", 3), ("color", "u1", 4)])
    rows["place"], rows["color"] = CORNERS, colors
    numbers = rows.tobytes()
    corners = TRIANGLES.tobytes()
    document = {
        "asset": {"version": "2.0", "generator": "a test"},
        "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [node],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}, "indices": 2}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(CORNERS), "type": "VEC3",
             "min": CORNERS.min(0).tolist(), "max": CORNERS.max(0).tolist()},
            {"bufferView": 0, "byteOffset": 12, "componentType": 5121, "normalized": True,
             "count": len(CORNERS), "type": "VEC4"},
            {"bufferView": 1, "componentType": 5123, "count": TRIANGLES.size, "type": "SCALAR"}],
        "bufferViews": [
            {"buffer": 0, "byteLength": len(numbers), "byteStride": 16, "target": 34962},
            {"buffer": 0, "byteOffset": len(numbers), "byteLength": len(corners),
             "target": 34963}],
        "buffers": [{"byteLength": len(numbers) + len(corners)}]}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    numbers += corners
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(numbers)) +
                     struct.pack("<I4s", len(text), b"JSON") + text +
                     struct.pack("<I4s", len(numbers), b"BIN\0") + numbers)


def test_a_glb_of_another_writer_gives_the_points_of_its_obj(roof):
    write_glb(roof / "roof.glb", {"mesh": 0})
    for mesh in ("roof.obj", "roof.glb"):
        sample(roof, "--on", mesh, "--radius", "0.4", "--certify", "-o", mesh + ".csv")
    assert (roof / "roof.obj.csv").read_bytes() == (roof / "roof.glb.csv").read_bytes()
    write_glb(roof / "moved.glb", {"mesh": 0, "translation": [0, 100, 0], "scale": [1, -1, 1]})
    sample(roof, "--on", "moved.glb", "--radius", "0.4", "-o", "moved.csv")
    moved = columns(roof / "moved.csv")
    assert 94 <= moved["y"].min() and moved["y"].max() <= 100
    assert (moved["ny"] < 0).all()
