"""dapple from Python, against the program and against what arrays promise."""

import gc
import inspect
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import dapple

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["DAPPLE_PROGRAM"]
CLOCK = SOURCE / "samples/clock.png"


def run(*words, cwd):
    subprocess.run([PROGRAM, *map(str, words), "-q"], cwd=cwd, check=True)


# Of each, what makes it small: the bytes are by the same code as in full size.
PRESETS = sorted((SOURCE / "presets").glob("*.toml"))
assert len(PRESETS) > 25
SMALL = {"stipple": {"dots": 700}, "mask": {"size": "32x32"}, "worley": {"size": "96x64"}, "dither": {}}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda path: path.stem)
def test_every_preset_makes_the_bytes_of_the_program(tmp_path, preset):
    name = preset.stem
    operation = re.search(r'^command = "(\w+)"$', preset.read_text(), re.M)[1]
    image = [CLOCK] if operation in ("stipple", "dither") else []
    options = {**SMALL[operation], "seed": 7}
    file = "a." + {"stipple": "svg"}.get(operation, "exr" if name == "texture-cell-data" else "png")
    words = [word for key, value in options.items() for word in ("--" + key, value)]
    run(operation, *image, "--preset", name, *words, "-o", file, cwd=tmp_path)
    made = getattr(dapple, operation)(*image, preset=name, **options)
    made.save(tmp_path / ("python-" + file))
    expected = (tmp_path / file).read_bytes()
    assert (tmp_path / ("python-" + file)).read_bytes() == expected
    assert made.encode(file[-3:]) == expected


def test_is_the_package_that_was_asked_for():
    place = pathlib.Path(dapple.__file__).resolve().parents[1]
    assert place == pathlib.Path(os.environ["PYTHONPATH"].split(os.pathsep)[0]).resolve()


def test_the_engine_of_points_is_there_without_an_import_of_its_own():
    code = "import dapple, sys; assert 'scipy' not in sys.modules; dapple.qmc.PoissonDisk(2, radius=.1)"
    pytest.importorskip("scipy.stats")
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'qmd'"):
        dapple.qmd


def test_points():
    points = dapple.sample(size=(64, 32), radius=4, seed=3)
    assert points.xy.shape == (len(points), 2)
    assert points.xy.dtype == numpy.float64 and points.r.dtype == numpy.float32
    assert points.domain == (64, 32)
    distances = numpy.hypot(*(points.xy[:, None] - points.xy[None]).transpose(2, 0, 1))
    assert distances[~numpy.eye(len(points), dtype=bool)].min() >= 4
    assert (dapple.sample(size=(64, 32), radius=4, seed=3).xy == points.xy).all()
    assert (dapple.sample(size=(64, 32), radius=4, seed=4).xy[0] != points.xy[0]).any()
    assert dapple.sample(size=(64, 32), radius=4).xy[0].tolist() == \
        dapple.sample(size=(64, 32), radius=4, seed=1).xy[0].tolist()


def test_maps_lie_round_spheres():
    north = numpy.full((16, 32), 0.1, dtype=numpy.float32)
    north[:8] = 1
    points = dapple.sample(north, sphere=2, radius="8%:60%", certify=True)
    x, y, z = (points.columns[name] for name in "xyz")
    assert numpy.allclose(x * x + y * y + z * z, 4)
    assert (z > 0).sum() > 3 * (z < 0).sum()
    assert points.r.min() >= 0.1599
    with pytest.raises(dapple.UsageError, match="twice as wide"):
        dapple.sample(north[:, :16], sphere=2, count=9)
    with pytest.raises(dapple.UsageError, match="not 0"):
        dapple.sample(north, sphere=0)


@pytest.mark.skipif(not hasattr(numpy, "from_dlpack"), reason="NumPy before 1.23 takes no DLPack")
def test_views_are_handed_on_without_a_copy():
    result = dapple.worley(size=(40, 30), count=20, outputs=["f1", "id"])
    for view in (result["x"], result["F1"], result["F1"][3:9, ::2], result["x"][::-3]):
        taken = numpy.from_dlpack(view)
        assert type(taken) is numpy.ndarray
        assert numpy.shares_memory(taken, view)
        assert (taken == view).all()
    plain = numpy.from_dlpack(result["F1"].copy())
    assert not numpy.shares_memory(plain, result["F1"]) and (plain == result["F1"]).all()
    constant = result["F1"].copy()
    constant.flags.writeable = False
    assert (numpy.from_dlpack(constant) == constant).all()
    # What was taken keeps the memory of its result.
    kept = numpy.from_dlpack(dapple.mask(size=64).ranks)
    gc.collect()
    dapple.mask(size=64, seed=2)
    assert sorted(kept.ravel()) == list(range(64 * 64))


def test_views_are_read_only_and_keep_their_result_alive():
    points = dapple.sample(size="256x256", count=2000)
    x, copy = points.x, points.x.copy()
    with pytest.raises(ValueError):
        x[0] = 3
    address = x.__array_interface__["data"][0]
    assert points.x.__array_interface__["data"][0] == address
    del points
    gc.collect()
    for seed in range(20):
        dapple.sample(size="256x256", count=2000, seed=seed)
    assert (x == copy).all()


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
def test_images_of_any_type_and_stride(dtype):
    gray = numpy.linspace(0, 200, 40 * 30).reshape(30, 40).astype("uint8")
    values = {"uint8": gray, "uint16": gray.astype("uint16") * 257,
              "float32": (gray / 255).astype("float32"), "float64": gray / 255}[dtype]
    plain = dapple.dither(values)
    wide = numpy.zeros((60, 80, 3), dtype)
    wide[::-2, ::2, 1] = values
    strided = dapple.dither(wide[::-2, ::2, 1])
    assert (plain.array == strided.array).all()
    assert (plain.array == dapple.dither(numpy.asfortranarray(values)).array).all()
    assert (dapple.dither(numpy.ascontiguousarray(values)).array == plain.array).all()


def test_images_for_options():
    photo = numpy.full((32, 32), 128, "uint8")
    mask = numpy.zeros((32, 32), bool)
    mask[:, :16] = True
    drawing = dapple.stipple(photo, dots=200, mask=mask)
    assert drawing.x.max() <= 16.5


def test_classes_with_a_map_each(tmp_path):
    ramp = numpy.tile(numpy.linspace(0, 1, 64, dtype=numpy.float32), (48, 1))
    points = dapple.sample(class_={"oak": (1 - ramp, 6, 14), "fern": (ramp, 3)}, certify=True)
    oaks = points.x[points.columns["class"] == 0]
    assert len(oaks) > 10 and oaks.mean() < 32 < points.x[points.columns["class"] == 1].mean()
    file = tmp_path / "ferns.npy"
    numpy.save(file, ramp)
    again = dapple.sample(class_={"oak": (1 - ramp, 6, 14), "fern": (file, 3)})
    assert (again.x == points.x).all()
    with pytest.raises(dapple.InputError, match="fern was not read"):
        dapple.sample(class_="fern=:3:6")


def test_points_for_options_and_analyze():
    xy = numpy.array([[1, 1], [7, 2], [2, 8], [9, 9], [20, 22]], "float32")
    cells = dapple.worley(points=xy, size=(32, 32), points_size="none", outputs=["f1", "id"])
    assert cells["F1"].shape == (32, 32)
    given = dapple.points(xy, size=(32, 32), wraps=True)
    again = dapple.worley(points=given, size=(32, 32), outputs=["f1"])
    assert again["F1"][1, 1] < 1
    report = dapple.analyze(dapple.sample(size=(64, 64), count=300))
    assert report["measurements"]["N"] == 300
    assert dapple.analyze(dapple.mask(size=64, bits="float").array)["verdict"] == "All goals are met."
    with pytest.raises(dapple.UsageError):
        dapple.points(numpy.zeros((3, 5)))


@pytest.mark.parametrize("size", [(20, 18, 16), (12, 11, 10, 9)])
def test_points_in_volumes_and_four_dimensions(size, tmp_path):
    made = dapple.sample(size=size, radius=5, wrap=True)
    assert made.domain == size and made.xy.shape == (len(made), len(size))
    given = numpy.column_stack([made.xy, made.r])
    for points in [given, {**dict(zip("xyzw", made.xy.T)), "r": made.r}]:
        dapple.certify(points, size=size, wraps=True)
    again = dapple.points(given, size=size, wraps=True)
    assert again.domain == size and (again.xy == made.xy).all()
    assert dapple.points(made).domain == size
    with pytest.raises(dapple.VerificationError):
        dapple.certify(given[1:], size=size, wraps=True)
    again.save(tmp_path / "a.ply")
    assert (dapple.load(tmp_path / "a.ply").xy == made.xy).all()
    with pytest.raises(dapple.UsageError, match=r"\(points, 2\) or \(points, 3\)"):
        dapple.points(numpy.ones((5, 4)))
    with pytest.raises(dapple.UsageError, match="as the last column"):
        dapple.points(given[:, :2], size=size)


def test_cells_of_points_in_a_volume():
    rng = numpy.random.default_rng(3)
    xyz = rng.random((40, 3)) * 16
    cells = dapple.worley(points=xyz, size=(16, 16, 16), outputs=["f1"])
    offset = numpy.abs(xyz - [5.5, 3.5, 7.5])
    nearest = numpy.sqrt((numpy.minimum(offset, 16 - offset) ** 2).sum(axis=1)).min()
    assert abs(cells.array[7, 3, 5] - nearest) < 1e-3
    as_text = dapple.worley(points=xyz, size="16x16x16", outputs=["f1"])
    assert (as_text.array == cells.array).all()


def test_spectra_of_points_are_those_of_numpy():
    points = dapple.sample(size=(80, 60), count=500, wrap=True)
    spectrum = dapple.power_spectrum(points)
    power, count = spectrum.power, len(points)
    unit = (count / (80 * 60)) ** 0.5
    assert spectrum.facts["step_x"] == pytest.approx(1 / 80 / unit)
    assert spectrum.fx[0] == 0 and spectrum.fy[spectrum.facts["zero_row"]] == 0
    for row, column in [(5, 3), (60, 20), (spectrum.facts["zero_row"], 7)]:
        if power[row, column] < 0:
            continue
        waves = numpy.exp(-2j * numpy.pi * unit * (spectrum.fx[column] * points.x
                                                   + spectrum.fy[row] * points.y))
        assert power[row, column] == pytest.approx(abs(waves.sum()) ** 2 / count, abs=1e-4)
    rings = dapple.radial_power(points)
    assert list(rings.columns) == ["frequency", "outer", "power", "anisotropy", "count"]
    assert rings["power"][rings["frequency"] < 0.5].max() < 0.3
    assert rings["count"].min() >= 16
    wide = dapple.radial_power(points, width=0.5)
    assert len(wide) < len(rings) / 2
    # The same of arrays, which are of the plane that is told.
    again = dapple.radial_power(points.xy, size=(80, 60), wraps=True)
    assert (again["power"] == rings["power"]).all()


def test_spectra_of_patterns_are_those_of_numpy():
    mask = dapple.mask(size=(32, 24), bits="float")
    spectrum = dapple.power_spectrum(mask)
    assert spectrum.facts["periodic"]
    values = mask.array.astype(float)
    power = abs(numpy.fft.fft2(values)) ** 2 / values.size / values.var()
    for row, column in [(spectrum.facts["zero_row"] + 3, 5), (2, 9)]:
        assert spectrum.power[row, column] == pytest.approx(
            power[row - spectrum.facts["zero_row"], column], rel=1e-3)
    assert (dapple.power_spectrum(mask.array).power == spectrum.power).all()
    assert dapple.radial_power(mask)["power"][0] < 0.2


def test_pair_correlation_is_0_below_the_radius_and_1_far_away():
    points = dapple.sample(size=(200, 200), radius=4, wrap=True)
    pairs = dapple.pair_correlation(points, 40, bins=80)
    assert pairs["r"] == pytest.approx(numpy.arange(80) * 0.5 + 0.25)
    assert (pairs["g"][pairs["r"] < 4] == 0).all()
    assert pairs["g"][8:10].max() > 1.5
    assert pairs["g"][-20:].mean() == pytest.approx(1, abs=0.02)
    # By the definition: pairs of a bin, over those of a random set.
    apart = abs(points.xy[:, None] - points.xy[None])
    apart = numpy.hypot(*numpy.moveaxis(numpy.minimum(apart, 200 - apart), 2, 0))
    found = ((apart >= 5) & (apart < 5.5)).sum()
    wanted = len(points) ** 2 * numpy.pi * (5.5 ** 2 - 5 ** 2) / 200 ** 2
    assert pairs["g"][10] == pytest.approx(found / wanted, rel=0.01)


def test_curves_say_what_they_do_not_take():
    points = dapple.sample(size=(64, 64), count=100, wrap=True)
    with pytest.raises(dapple.UsageError, match="half"):
        dapple.pair_correlation(points, 40)
    with pytest.raises(dapple.UsageError) as error:
        dapple.radial_power(points, channel="R")
    assert error.value.option == "channel"
    with pytest.raises(dapple.UsageError, match="volume"):
        dapple.power_spectrum(dapple.sample(size="16x16x16", count=50))
    with pytest.raises(dapple.UsageError, match="no points"):
        dapple.pair_correlation(dapple.mask(size=16), 4)
    curve = dapple.radial_power(points)
    for use in (curve.report, curve.certify, lambda: curve.encode("png"),
                lambda: dapple.power_spectrum(curve)):
        with pytest.raises(dapple.UsageError, match="curve"):
            use()


def test_windows_and_tiles_are_those_of_the_program(tmp_path):
    for made, words in (
            (dapple.window((-20, -10, 30, 25.5), 3, seed=5),
             ["--window=-20,-10,30,25.5", "--radius", "3", "--seed", "5"]),
            (dapple.wang(2, 64, 8), ["--wang", "2", "--size", "64", "--radius", "8"])):
        run("sample", *words, "-o", "a.ply", cwd=tmp_path)
        assert made.encode("ply") == (tmp_path / "a.ply").read_bytes()


def test_proofs_of_what_is_given(tmp_path):
    points = dapple.sample(size=(64, 32), radius=4, wrap=True)
    dapple.certify(points)
    points.save(tmp_path / "a.ply")
    dapple.certify(tmp_path / "a.ply")
    dapple.certify(dapple.mask(size=16))
    given = numpy.column_stack([points.xy, points.r])
    dapple.certify(given, size=(64, 32), wraps=True)
    with pytest.raises(dapple.VerificationError):
        dapple.certify(given[1:], size=(64, 32), wraps=True)
    given[0, :2] = given[1, :2] + .5
    with pytest.raises(dapple.VerificationError):
        dapple.certify(given, size=(64, 32), wraps=True)
    given[0, 2] = 5
    with pytest.raises(dapple.UsageError, match="one radius"):
        dapple.certify(given, size=(64, 32), wraps=True)
    with pytest.raises(dapple.UsageError, match="no points"):
        dapple.certify(dapple.dither(CLOCK))


def test_orders_for_a_pen():
    xy = numpy.random.default_rng(1).random((300, 2)) * 60

    def way(order):
        return numpy.hypot(*numpy.diff(xy[order], axis=0).T).sum()

    short, curve = dapple.order(xy), dapple.order(xy, "hilbert")
    for order in (short, curve):
        assert sorted(order) == list(range(300))
    assert way(short) < way(curve) < way(numpy.arange(300)) / 3
    # As the program draws them.
    drawn = dapple.stipple(CLOCK, dots=300, order="none")
    travel = dapple.stipple(CLOCK, dots=300)
    assert (drawn.xy[drawn.order()] == travel.xy).all()
    with pytest.raises(dapple.UsageError, match="travel or hilbert"):
        dapple.order(xy, "size")


def test_files_and_recipes(tmp_path):
    points = dapple.sample(size=(64, 32), count=50, seed=9)
    for name in ("a.csv", "a.ply", "a.json"):
        points.save(tmp_path / name)
        assert (dapple.load(tmp_path / name).xy == points.xy).all()
    assert (dapple.reproduce(points.recipe).xy == points.xy).all()
    assert "seed = 9" in points.recipe
    assert dapple.recipe(points) == points.recipe == dapple.recipe(tmp_path / "a.ply")
    dapple.save(points.xy, tmp_path / "b.ply", size=(64, 32))
    assert (dapple.load(tmp_path / "b.ply").xy == points.xy).all()
    with pytest.raises(dapple.InputError, match="carries no recipe"):
        dapple.recipe(tmp_path / "b.ply")
    # What a recipe or a caller asks of one run is not asked of the next.
    usual = dapple.sample(size=(64, 32), count=50, seed=None)
    assert (usual.xy == dapple.sample(size=(64, 32), count=50, seed=1).xy).all()
    assert (usual.xy != points.xy).any()
    with pytest.raises(dapple.OutputError):
        points.save("/nowhere/a.csv")


def test_errors_have_a_kind_and_an_option():
    with pytest.raises(dapple.UsageError, match="must be from 0 to 1, not 3") as wrong:
        dapple.stipple(CLOCK, regularity=3)
    assert wrong.value.option == "regularity"
    with pytest.raises(dapple.UsageError, match="needs an image: an array"):
        dapple.stipple(dots=100)
    assert isinstance(wrong.value, ValueError)
    with pytest.raises(dapple.UsageError, match="did you mean 'regularity'"):
        dapple.stipple(CLOCK, regularty=.3)
    with pytest.raises(dapple.InputError, match="/nowhere.png"):
        dapple.stipple("/nowhere.png")
    with pytest.raises(dapple.LimitError):
        dapple.mask(size=64, max_pixels=100)
    assert dapple.mask(size=64).ranks.shape == (64, 64)  # a limit of one call is not of the next
    with pytest.raises(dapple.InputError):
        dapple.stipple(numpy.zeros((3,)))
    with pytest.raises(dapple.InputError):
        dapple.dither(numpy.array([["a"]]))


def test_progress_is_told_and_may_stop():
    calls = []

    def tell(stage, fraction):
        calls.append((stage, fraction, threading.current_thread()))
        if len(calls) == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        dapple.stipple(CLOCK, dots=300000, progress=tell)
    assert len(calls) == 3
    assert all(0 <= fraction <= 1 for _, fraction, _ in calls)
    assert {thread for _, _, thread in calls} == {threading.current_thread()}
    assert len(dapple.sample(size=(32, 32), count=10)) == 10


class Bar:
    """As tqdm's."""

    total = None
    n = 0
    most = 0
    description = ""

    def update(self, n=1):
        self.n += n

    def set_description(self, text, refresh=True):
        self.description = text

    def refresh(self):
        self.most = max(self.most, self.n)


def test_progress_bars():
    bar = Bar()
    dapple.stipple(CLOCK, dots=60000, progress=bar)
    assert 0 < bar.most <= 100 and bar.description
    assert bar.n == bar.total == 100  # whole numbers, and all of them in the end


def test_keyboard_interrupt_is_prompt_and_leaves_the_library_usable():
    code = f"""
import dapple, os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored where a shell runs this beside
for i in range(5):
    sent = []
    def later():
        time.sleep(.15)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=later)
    thread.start()
    try:
        dapple.stipple({str(CLOCK)!r}, dots=600000)
        sys.exit("nothing stopped it")
    except KeyboardInterrupt:
        thread.join()
        print(time.monotonic() - sent[0])
assert len(dapple.sample(size=(32, 32), count=10)) == 10
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    delays = sorted(map(float, done.stdout.split()))
    assert len(delays) == 5
    assert delays[0] < 2  # far from the minutes of the job; scripts/bench times it


def test_other_threads_work_meanwhile():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(.001)

    thread = threading.Thread(target=tick)
    thread.start()
    dapple.stipple(CLOCK, dots=20000)
    done.set()
    thread.join()
    assert len(ticks) > 10


def test_threads_at_once_make_the_same():
    alone = [dapple.mask(size=(24, 40), seed=seed).ranks.copy() for seed in range(8)]
    together = [None] * 8

    def make(seed):
        together[seed] = dapple.mask(size=(24, 40), seed=seed).ranks.copy()

    threads = [threading.Thread(target=make, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((a == b).all() for a, b in zip(alone, together))


def test_signatures_and_documentation_are_those_of_the_options():
    parameters = inspect.signature(dapple.stipple).parameters
    assert list(parameters)[0] == "image"
    for name in ("dots", "regularity", "ink", "seed", "progress"):
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
    assert parameters["regularity"].default == 0.35 and parameters["invert"].default is False
    assert parameters["as_"].annotation == 'Literal["tone", "density", "radius"]'
    assert "regularity : float or str, default: 0.35\n" in dapple.stipple.__doc__
    for section in ("Parameters", "Returns", "Raises", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in dapple.stipple.__doc__
    assert "--" not in dapple.stipple.__doc__.split("Parameters\n----------\n")[1].split("\nReturns")[0]
    assert "as_" in inspect.signature(dapple.sample).parameters


def test_a_library_that_is_older_than_the_package_is_named(monkeypatch):
    monkeypatch.setitem(dapple._library._functions, "of_the_next_version", (None, []))
    with pytest.raises(ImportError, match="older.*dapple_of_the_next_version.*install both"):
        dapple._library._load()


def test_stubs_say_what_they_need():
    script = SOURCE / "scripts/python-stubs"
    done = subprocess.run([sys.executable, script, "--print"], capture_output=True, text=True,
                          env={**os.environ, "DAPPLE_LIBRARY": "/nowhere/libdapple.so.0"})
    assert done.returncode == 1 and done.stdout == ""
    assert "/nowhere/libdapple.so.0" in done.stderr and "cmake --build" in done.stderr
    assert "Traceback" not in done.stderr


def test_stubs_are_up_to_date():
    script = SOURCE / "scripts/python-stubs"
    made = subprocess.run([sys.executable, script, "--print"], capture_output=True, text=True,
                          check=True).stdout
    assert made == (SOURCE / "python/dapple/__init__.pyi").read_text(), "run scripts/regenerate stubs"


def test_pictures_for_notebooks():
    assert dapple.mask(size=16)._repr_png_().startswith(b"\x89PNG")
    assert "<svg" in dapple.stipple(CLOCK, dots=50)._repr_svg_()


@pytest.mark.parametrize("sample", sorted((SOURCE / "samples/python").glob("*.py")),
                         ids=lambda path: path.name)
def test_samples_run(sample, tmp_path):
    done = subprocess.run([sys.executable, sample], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout or list(tmp_path.iterdir())


def test_the_programs_of_the_readme(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(SOURCE / "samples/astronaut.jpg", "photo.jpg")
    programs = re.findall(r"^```python\n(.+?)^```", (SOURCE / "README.md").read_text(), re.M | re.S)
    programs = [program for block in programs for program in re.split(r"^(?=import dapple)", block, flags=re.M)[1:]]
    assert len(programs) == 3
    for program in programs:
        exec(program, {})
    for made in ("drawing.svg", "dithered.png", "cells.exr"):
        assert pathlib.Path(made).stat().st_size > 10000
