"""Native Python values in and out: options, arrays of any kind, meshes, generators, results as arrays."""

import concurrent.futures
import copy
import doctest
import multiprocessing
import pickle
import subprocess
import sys
import types

import numpy
import pytest

import dapple
from dapple import _operations
from test_dapple import CLOCK, SOURCE

COMMANDS = [command for command in dapple.schema()["commands"] if command["command"] in _operations.functions]

# A Python value of each option that takes several, and the text on the command line.
JOINED = {
    "analyze domain": ((64, 32), "64x32"), "calibration": ((9, 5), "9x5"), "class-radius": ((4, 2.5), "4,2.5"),
    "classes": ([0.25, 0.75], "0.25,0.75"), "cover": ((64, 32), "64x32"), "crop": ((9, 8, 3, 2), "9x8+3+2"),
    "device-palette": (["#000", "#fff"], "#000,#fff"), "dot-size": ((0.5, 2.0), "0.5:2"),
    "filter-space": (("gauss", 1.5), "gauss:1.5"), "filter-time": (("ema", 0.2), "ema:0.2"),
    "fit": ((64, 32), "64x32"), "gradient": (["#000000", "#ff8000"], "#000000,#ff8000"),
    "grid": (numpy.array([64, 32]), "64x32"), "ink": (["#c00", "black"], "#c00,black"),
    "levels": ((0, 0.5), "0:0.5"), "metric": (("minkowski", 3), "minkowski:3"), "object-size": ((1, 2), "1:2"),
    "outputs": (("f1", "edge"), "f1,edge"), "pack": ({"R": "occlusion", "B": 0}, "R=occlusion,B=0"),
    "palette": (["#000", "#fff"], "#000,#fff"), "paper": ((210, 297), "210x297"),
    "points-size": ((64, 32), "64x32"), "radius": ((2, 8), "2:8"), "rotation": ((0, 90), "0:90"),
    "size": ((numpy.int64(64), 32.0), "64x32"), "start": ((3, 4.5), "3,4.5"), "tiles": ((2, 3), "2x3"),
    "udim": ((2, 1), "2x1"), "window": ((0, -1, 20, 30.5), "0,-1,20,30.5"),
    "class": ({"oak": (CLOCK, 3, 6), "fern": (CLOCK, 2)}, f"oak={CLOCK}:3:6,fern={CLOCK}:2"),
}


def rows():
    for command in COMMANDS:
        for row in command["options"]:
            if not row["common"]:
                yield pytest.param(command["command"], row, id=f"{command['command']}-{row['name']}")


def values_of(row):
    """Yields native values that an option takes."""
    if "joins" in row:
        yield JOINED[row["name"]][0]
    elif row["type"] == "flag":
        yield from (True, False, numpy.True_)
    elif row["type"] in ("integer", "number"):
        number = _operations.default_of(row)
        number = number if isinstance(number, (int, float)) else row.get("minimum", 1)
        yield from (float(number), numpy.float32(number))
        if number == int(number):
            yield from (int(number), numpy.int16(min(number, 9)) if number >= 0 else int(number))
    elif row["type"] == "text" and row.get("choices") and "other_form" not in row:
        yield from row["choices"]
    elif row["type"] in ("image", "text-file"):
        yield CLOCK
    elif row["type"] == "text" and row.get("form", "").startswith("LENGTH"):
        yield from (2, 2.5, numpy.float64(2))


@pytest.mark.parametrize("operation, row", rows())
def test_options_take_native_values(operation, row):
    option = _operations.Option(row)
    for value in values_of(row):
        with _operations.Job(_operations.context(), operation.encode()) as job:
            job.set_option(option, value)
    if "joins" in row and row["name"] != "class":
        value, text = JOINED[row["name"]]
        assert option.text_of(value) == text
    if "joins" not in row and row["type"] in ("text", "number", "integer"):
        with pytest.raises(dapple.UsageError, match="takes one value, not 2"):
            option.text_of((1, 2))


def test_ranges_make_what_their_texts_make():
    ramp = numpy.tile(numpy.linspace(0, 1, 64), (32, 1))
    pair, text = (dapple.sample(ramp, as_="radius", radius=radius) for radius in ((2, 8), "2:8"))
    assert (pair.xy == text.xy).all() and len(pair) > 20
    assert dapple.sample(size=64, radius=8, start=(3, 4), method="bridson").recipe.count('start = "3,4"') == 1


def test_integers_without_a_range_are_refused():
    gray = numpy.full((8, 8), 128)
    for kind in ("int8", "int16", "int32", "int64", "uint32", "uint64"):
        with pytest.raises(dapple.InputError, match=f"type {kind} has no known range: convert it to uint8"):
            dapple.dither(gray.astype(kind))
    plain = dapple.stipple(gray.astype("uint8"), dots=20)
    assert (dapple.stipple(gray.astype(">u2") * numpy.uint16(257), dots=20).xy == plain.xy).all()
    assert (dapple.dither(gray > 3).array == 1).all()


def test_pictures_of_pillow_keep_their_colors():
    image = pytest.importorskip("PIL.Image")
    red = image.new("RGB", (16, 16), (255, 0, 0))
    plain = dapple.dither(red, palette=["red", "lime", "blue"])
    for mode in ("P", "CMYK", "HSV"):
        assert (dapple.dither(red.convert(mode), palette=["red", "lime", "blue"]).array == plain.array).all(), mode


def test_volumes_of_arrays():
    layers = numpy.ones((12, 16, 20))
    layers[:6] = 0
    points = dapple.sample(layers, dimensions=3, radius=2)
    assert points.domain == (20, 16, 12) and points["z"].min() > 5
    for volume, dimensions in ((layers[..., None], 3), (layers, "3")):
        again = dapple.sample(volume, dimensions=dimensions, radius=2)
        assert (again.xy == points.xy).all()
    with pytest.raises(dapple.InputError, match="first side for slices"):
        dapple.sample(numpy.ones(5), count=9)


VERTICES = numpy.array([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0], [2, 2, 3]], "float32")
FACES = numpy.array([[1, 0, 2], [2, 0, 3], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])


def test_meshes_of_arrays(tmp_path):
    (tmp_path / "a.obj").write_text("".join(f"v {x} {y} {z}\n" for x, y, z in VERTICES)
                                    + "".join(f"f {a} {b} {c}\n" for a, b, c in FACES + 1))
    on_file = dapple.sample(on=tmp_path / "a.obj", radius=0.5)
    trimesh = types.SimpleNamespace(vertices=VERTICES, faces=FACES.astype("uint64"), vertex_attributes={})
    for mesh in ((VERTICES, FACES), [VERTICES.tolist(), FACES.tolist()], trimesh):
        assert (dapple.sample(on=mesh, radius=0.5).xy == on_file.xy).all()
    inside = dapple.sample(in_=(VERTICES, FACES), radius=0.5)
    assert (inside.xy == dapple.sample(in_=tmp_path / "a.obj", radius=0.5).xy).all()
    # Further numbers of vertices are columns that options name.
    wide = dapple.sample(on=(VERTICES, FACES, {"gap": [1, 1, 1, 1, 0]}), radius_from="gap",
                         as_="radius", radius=(0.1, 1))
    top = wide.xy[:, 2] > 2.7
    assert top.sum() > 5 and wide.r[top].max() < 0.5 and wide.r.max() > 0.9


@pytest.mark.parametrize("mesh, says", [
    ((VERTICES,), "a mesh is the name of a file"),
    ((VERTICES[:, :2], FACES), "shape \\(vertices, 3\\)"),
    ((VERTICES, [[0, 1, 2, 3]]), "faces are triangles"),
    ((VERTICES, FACES * 1.0), "whole numbers of vertices"),
    ((VERTICES, FACES + 1), "vertices from 1 to 5, but there are 5"),
    ((VERTICES * numpy.nan, FACES), "vertex 1 is at nan"),
    ((VERTICES, FACES, {"gap": [1, 2]}), "column gap has 2 values for 5 vertices"),
])
def test_meshes_that_cannot_be_used(mesh, says):
    with pytest.raises(dapple.Error, match=says):
        dapple.sample(on=mesh, radius=1)


def test_generators_and_numbers_as_rng():
    by_seed = dapple.mask(size=8, seed=7)
    assert (dapple.mask(size=8, rng=7).ranks == by_seed.ranks).all()
    assert (dapple.mask(size=8, rng=None).ranks == dapple.mask(size=8).ranks).all()
    first, second = numpy.random.default_rng(3), numpy.random.default_rng(3)
    one, two = dapple.mask(size=8, rng=first), dapple.mask(size=8, rng=first)
    assert (dapple.mask(size=8, rng=second).ranks == one.ranks).all() and (one.ranks != two.ranks).any()
    with pytest.raises(dapple.UsageError, match="exclude each other"):
        dapple.mask(size=8, rng=1, seed=1)
    with pytest.raises(dapple.UsageError, match="Generator"):
        dapple.mask(size=8, rng="seven")


def test_results_work_as_arrays():
    mask = dapple.mask(size=(24, 16))
    assert numpy.asarray(mask).shape == (16, 24) and len(mask) == 16 and mask[3:5, ::2].shape == (2, 12)
    assert numpy.asarray(mask, dtype="float64").dtype == numpy.float64
    assert (numpy.array(list(mask)) == mask.array).all() and mask[0, 0] == mask.array[0, 0]
    points = dapple.sample(size=64, count=40)
    assert (numpy.asarray(points) == points.xy).all() and len(points) == 40 == len(list(points))
    assert (points[:5] == points.xy[:5]).all() and points[3].shape == (2,)
    assert numpy.hypot(points, 1).shape == (40, 2)
    with pytest.raises(ValueError):
        points.xy[0] = 1
    assert sorted(dict(points)) == ["r", "x", "y"]
    rings = dapple.radial_power(points, size=(64, 64))
    assert numpy.asarray(rings).shape == (len(rings["power"]), 5) and len(dapple.power_spectrum(points)) > 4


def test_outputs_are_found_as_they_were_asked_for():
    asked = ["f1", "f2-f1", "edge", "normal", "position", "2*f1-0.5f4"]
    cells = dapple.worley(size=(16, 8), count=9, outputs=asked)
    for name in ("f1", "F1", "f2-f1", "edge", "2*f1-0.5f4"):
        assert cells[name].shape == (8, 16)
    assert cells["normal"].shape == (8, 16, 3) and (cells["normal"][..., 1] == cells["normal.G"]).all()
    assert cells["position"].shape == (8, 16, 2)
    with pytest.raises(KeyError, match="no 'f3', only x, y, r, F1, F2-F1"):
        cells["f3"]


def test_options_have_the_other_spellings_of_the_program():
    gray = numpy.tile(numpy.linspace(0, 1, 32), (16, 1))
    assert len(numpy.unique(dapple.dither(gray, colors=4).array)) == len(numpy.unique(dapple.dither(gray, colours=4).array))


def test_copies_are_the_result_itself():
    points = dapple.sample(size=32, count=9)
    assert copy.copy(points) is points and copy.deepcopy({"a": points})["a"] is points


@pytest.mark.parametrize("made", [
    lambda: dapple.stipple(numpy.tile(numpy.linspace(0, 1, 32), (32, 1)), dots=60, seed=4),
    lambda: dapple.worley(size=(32, 16), count=12, outputs=["f1", "id"], rng=numpy.random.default_rng(2)),
    lambda: dapple.mask(size=16, bits=16),
    lambda: dapple.sample(size=(32, 32), radius=4, wrap=True, preset=[]),
    lambda: dapple.points(numpy.array([[1, 2, 3], [9, 5, 2]]), size=(20, 30)),
], ids=["drawing", "cells", "mask", "points", "own"])
def test_pickled_results_are_whole(made, tmp_path):
    result = made()
    restored = pickle.loads(pickle.dumps(result))
    assert type(restored) is type(result) and repr(restored) == repr(result) and restored.facts == result.facts
    for name in result.keys():
        assert (restored[name] == result[name]).all()
        with pytest.raises(ValueError):
            restored[name][0] = 0
    extension = "ply" if type(result) is dapple.Points else "png"
    assert restored.encode(extension) == result.encode(extension)
    assert restored.report() == result.report()
    again = pickle.loads(pickle.dumps(restored))
    again.save(tmp_path / ("a." + extension))
    assert (tmp_path / ("a." + extension)).read_bytes() == result.encode(extension)


def test_pickled_results_whose_inputs_changed_are_refused():
    photo = numpy.tile(numpy.linspace(0, 1, 32), (32, 1))
    drawing = dapple.stipple(photo, dots=60)
    photo[:] = 1 - photo
    restored = pickle.loads(pickle.dumps(drawing))
    assert (restored.xy == drawing.xy).all()
    with pytest.raises(dapple.InputError, match="inputs changed after it was made"):
        restored.svg()
    curve = pickle.loads(pickle.dumps(dapple.radial_power(drawing)))
    assert curve["power"].size > 0
    with pytest.raises(dapple.UsageError, match="cannot be saved"):
        curve.encode("csv")


def count_of(seed):
    return dapple.sample(size=32, radius=3, seed=seed)


def test_process_pools_return_results():
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=spawn) as pool:
        found = list(pool.map(count_of, [1, 2]))
    assert (found[0].xy == count_of(1).xy).all() and found[1].encode("csv") == count_of(2).encode("csv")


def test_pandas_and_matplotlib_take_results():
    pandas = pytest.importorskip("pandas")
    points = dapple.sample(size=64, count=40)
    table = pandas.DataFrame(dict(points))
    assert list(table.columns) == ["x", "y", "r"] and (table.x == points.x).all()
    assert pandas.DataFrame(points).shape == (40, 2)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.imshow(dapple.mask(size=8))
    drawn = pyplot.scatter("x", "y", data=points)
    assert len(drawn.get_offsets()) == 40


@pytest.mark.parametrize("name", sorted(_operations.functions))
def test_the_examples_of_the_documentation_run(name):
    function = getattr(dapple, name)
    found = doctest.DocTestFinder().find(function, name, module=False, globs={})
    assert sum(len(example.examples) for example in found) > 1
    for example in found:
        assert doctest.DocTestRunner().run(example).failed == 0


def literal_of(row):
    """Returns a Python expression of a value that the stubs must allow."""
    annotation = _operations.annotation_of(row)
    if annotation.startswith("Literal"):
        return repr(row["choices"][0])
    if "Mapping" in annotation:
        return '{"R": 1}'
    if "Sequence" in annotation:
        return "(1, 2.5)"
    return {"bool": "True", "int | str": "3", "float | str": "0.5", "str | float": "'2mm'", "_Image": "array",
            "_Points | _Path": "array", "_Mesh | _Path": "(array, array)", "_Path": "pathlib.Path('a')"}[annotation]


def test_a_program_with_every_option_passes_a_type_checker(tmp_path):
    pytest.importorskip("mypy")
    lines = ["import pathlib", "import dapple", "import numpy", "array = numpy.zeros((4, 4))"]
    for command in COMMANDS:
        options = [f"{_operations.python_name(row['name'])}={literal_of(row)}"
                   for row in command["options"] if not row["common"]]
        picture = "array, " if command["command"] in ("sample", "stipple", "dither") else ""
        lines.append(f"{command['command']}: dapple.Result = dapple.{command['command']}({picture}{', '.join(options)}, "
                     "seed=1, rng=numpy.random.default_rng(1), threads=2, preset=['a'], recipe='', max_pixels=9, "
                     "max_memory='1G', allow_format='png', sandbox='never', progress=print)")
    lines += ["points = dapple.sample(count=9)", "for point in points: print(point, points[:3], len(points))",
              "numpy.asarray(points)"]
    (tmp_path / "right.py").write_text("\n".join(lines))
    (tmp_path / "wrong.py").write_text("import dapple\ndapple.sample(count=[])\ndapple.mask(kind='scalr')\n"
                                       "dapple.mask(sizes=3)\n")

    def check(name):
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir",
                               str(tmp_path / "cache"), str(tmp_path / name)], capture_output=True, text=True,
                              env={"MYPYPATH": str(SOURCE / "python"), "PATH": "/usr/bin:/bin"})

    right, wrong = check("right.py"), check("wrong.py")
    assert right.returncode == 0, right.stdout + right.stderr
    assert wrong.returncode == 1 and wrong.stdout.count("error:") == 3, wrong.stdout
