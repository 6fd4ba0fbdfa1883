"""Writes two meshes, hill.obj and ring.obj, into FOLDER (default: the current folder). Needs only Python.

    python3 meshes.py [FOLDER]
"""
import math
import pathlib
import sys


def text(vertices, faces, places=()):
    """Returns the text of an .obj file. Texture coordinates, if given, have the numbers of the vertices."""
    lines = ["v " + " ".join(f"{c:.4f}".rstrip("0").rstrip(".") for c in v) for v in vertices]
    lines += ["vt " + " ".join(f"{c:.4f}".rstrip("0").rstrip(".") for c in p) for p in places]
    corner = (lambda i: f"{i + 1}/{i + 1}") if places else (lambda i: f"{i + 1}")
    lines += ["f " + " ".join(corner(i) for i in face) for face in faces]
    return "\n".join(lines) + "\n"


def hill(side=24):
    """Returns two hills on a square of side 2, y up, with gray by height and one texture over all."""
    vertices, places, faces = [], [], []
    for j in range(side + 1):
        for i in range(side + 1):
            x, z = 2 * i / side - 1, 2 * j / side - 1
            y = 0.75 * math.exp(-6 * ((x + 0.25) ** 2 + (z + 0.2) ** 2)) + 0.35 * math.exp(
                -16 * ((x - 0.5) ** 2 + (z - 0.45) ** 2))
            gray = 0.15 + 0.85 * min(1, y / 0.75)
            vertices.append((x, y, z, gray, gray, gray))
            places.append((i / side, 1 - j / side))
    for j in range(side):
        for i in range(side):
            a = j * (side + 1) + i
            faces.append((a, a + side + 1, a + side + 2, a + 1))
    return text(vertices, faces, places)


def ring(around=48, across=16, radius=1.0, thick=0.4):
    """Returns a closed torus around the z axis."""
    vertices, faces = [], []
    for i in range(around):
        for j in range(across):
            a, b = 2 * math.pi * i / around, 2 * math.pi * j / across
            r = radius + thick * math.cos(b)
            vertices.append((r * math.cos(a), r * math.sin(a), thick * math.sin(b)))
            i1, j1 = (i + 1) % around, (j + 1) % across
            faces.append((i * across + j, i1 * across + j, i1 * across + j1, i * across + j1))
    return text(vertices, faces)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    (folder / "hill.obj").write_text(hill())
    (folder / "ring.obj").write_text(ring())
