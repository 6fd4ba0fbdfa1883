"""Prints other programs beside Dapple: the same work on this machine, and what each result lacks.

Called by scripts/bench --peers as table.py BIN WORK: BIN holds our programs, WORK what was
installed for this and all files made. Times are processor seconds of all threads, the least of three
runs (of one where it takes longer than two seconds): another job on the machine hardly moves them.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import time

BIN, WORK = sys.argv[1:3]
DAPPLE = os.path.join(BIN, "dapple")
MODULES = os.path.join(WORK, "npm", "node_modules")
PHOTO = "samples/raccoon.png"


def at(name):
    return os.path.join(WORK, name)


def least(run):
    """The least of what `run` returns: seconds."""
    best = run()
    if best > 2:
        return best
    return min(best, run(), run())


def processor(*words):
    """Processor seconds of a command."""
    def run():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return least(run)


def said(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def row(work, who, seconds, lacks):
    print(f"| {work} | {who} | {seconds:.3f} | {lacks} |", flush=True)


def missing(what, why):
    print(f"{what}: left out, {why}", file=sys.stderr)


def section(job):
    """A peer that does not run takes no other with it."""
    try:
        job()
    except (OSError, ImportError, subprocess.CalledProcessError, ValueError, KeyError) as error:
        missing(job.__name__.replace("_", " "), str(error))


def figures(file, *options):
    return json.loads(said(DAPPLE, "analyze", file, "--json", *options))["report"]["measurements"]


# ---- points -----------------------------------------------------------------------------------------


def flaws_of_points(file, side):
    m = figures(file, "--domain", f"{side}x{side}")
    near = f"{m['violations']:.0f} pairs too near" if m["violations"] else "no pair too near"
    gaps = f"gaps up to {m['hole']:.2f} r" if m["hole"] > 1.0001 else "no gap"
    return f"{m['N']:,.0f} points, {near}, {gaps}"


def own_points(side, radius):
    file = at("own.csv")
    seconds = processor(DAPPLE, "sample", "--size", str(side), "--radius", str(radius), "--threads", "1",
                        "-o", file)
    row(f"points of a flat square, {side / radius:.0f} r a side", "**Dapple**, with its file", seconds,
        flaws_of_points(file, side))


def points_of_npm():
    side, radius = 1000, 4
    for name in ("poisson-disk-sampling", "fast-2d-poisson-disk-sampling"):
        file = at(name + ".csv")

        def run(package=name, path=file):
            text = said("node", "tests/bench/peers/points.cjs", MODULES, package, str(side), str(radius))
            head, rest = text.split("\n", 1)
            with open(path, "w", encoding="ascii") as out:
                out.write(rest)
            return float(head[2:])

        row(f"points of a flat square, {side / radius:.0f} r a side", name, least(run),
            flaws_of_points(file, side))
    own_points(side, radius)


def points_of_scipy():
    from scipy.stats import qmc
    side, radius = 1000, 8.5
    made = []

    def run():
        start = time.process_time()
        made[:] = qmc.PoissonDisk(d=2, radius=radius / side, seed=1).fill_space().tolist()
        return time.process_time() - start

    seconds = least(run)
    with open(at("scipy.csv"), "w", encoding="ascii") as out:
        out.write("x,y,r\n" + "".join(f"{x * side!r},{y * side!r},{radius}\n" for x, y in made))
    row(f"points of a flat square, {side / radius:.0f} r a side", "scipy `qmc.PoissonDisk`", seconds,
        flaws_of_points(at("scipy.csv"), side))
    own_points(side, radius)


# ---- cells ------------------------------------------------------------------------------------------

CELLS = "F1 of 2048x2048 pixels, cells of 8 px"


def seam(values):
    """The step across the border over that between neighbors."""
    import numpy as np
    steps = np.abs(np.diff(values, axis=1)).mean()
    across = np.abs(values[:, 0] - values[:, -1]).mean()
    ratio = across / steps
    return "tiles" if ratio < 1.5 else f"does not tile: steps at the border are {ratio:.1f} times the others"


def cells_of_fastnoise_lite():
    import numpy as np
    file = at("noise.raw")
    seconds = least(lambda: float(said("node", "tests/bench/peers/cells.cjs", MODULES, "2048", "8", file)))
    values = np.fromfile(file, np.float32).reshape(2048, 2048)
    row(CELLS, "fastnoise-lite", seconds, seam(values) + "; cells on a lattice")


def cells_of_vips():
    import numpy as np
    vips = shutil.which("vips")
    if vips is None:
        raise OSError("vips is not there")
    seconds = processor(vips, "worley", at("cells.v"), "2048", "2048", "--cell-size", "8")
    said(vips, "rawsave", at("cells.v"), at("cells.raw"))
    values = np.fromfile(at("cells.raw"), np.float32).reshape(2048, 2048)
    row(CELLS, "vips worley, with its file", seconds, seam(values) + "; cells on a lattice")


def cells_of_scipy():
    import numpy as np
    from scipy.spatial import cKDTree
    sites = np.random.default_rng(1).random((65536, 2)) * 2048
    centers = np.arange(2048) + 0.5
    pixels = np.stack(np.meshgrid(centers, centers), axis=-1).reshape(-1, 2)

    def run():
        start = time.process_time()
        cKDTree(sites, boxsize=2048).query(pixels, k=1)
        return time.process_time() - start

    row(CELLS, "scipy `cKDTree`", least(run), "tiles, exact; sites at random")


def own_cells():
    file = at("own.npy")
    seconds = processor(DAPPLE, "worley", "--size", "2048", "--count", "65536", "--threads", "1", "-o",
                        at("own.exr"))
    lacks = "tiles, exact; sites evenly spread"
    try:
        import numpy as np
        said(DAPPLE, "worley", "--size", "2048", "--count", "65536", "-o", file)
        lacks = seam(np.load(file).squeeze()) + ", exact; sites evenly spread"
    except ImportError:
        pass
    row(CELLS, "**Dapple**, with its points and file", seconds, lacks)


# ---- masks, dithering, textures ---------------------------------------------------------------------


def flaws_of_mask(file):
    m = figures(file, "--as", "mask")
    return ", ".join(f"{name} {m[name]:.3g}" for name in ("p32", "pk2", "grey_2", "d256") if name in m)


def masks_of_libplacebo():
    size = 128
    program = at("mask")
    subprocess.run(["c++", "-std=c++20", "-O2", "tests/bench/peers/mask.cpp", "-o", program,
                    *os.environ.get("PEER_FLAGS", "").split(), "-lplacebo"], check=True,
                   capture_output=True)
    seconds = least(lambda: float(said(program, str(size), at("mask.pgm"))))
    work = f"blue-noise mask {size}x{size}"
    row(work, "libplacebo", seconds, flaws_of_mask(at("mask.pgm")))
    seconds = processor(DAPPLE, "mask", "--size", str(size), "--bits", "16", "--threads", "1", "-o",
                        at("own-mask.png"))
    row(work, "**Dapple**, with its file", seconds, flaws_of_mask(at("own-mask.png")))


def photos_of_imagemagick():
    magick = shutil.which("convert-im6.q16") or shutil.which("magick") or shutil.which("convert")
    if magick is None:
        raise OSError("ImageMagick is not there")

    def flaws(file):
        _, grain, darks, tone = said(os.path.join(BIN, "dither_figures"), PHOTO, file).split("\n")[1].split()[:4]
        return f"grain {grain}, in the dark {darks}, tone off by {tone}"

    for work, theirs, ours in (
            ("photo to 16 colors of its own", ["-dither", "FloydSteinberg", "-colors", "16"],
             ["--colours", "16"]),
            ("photo to 8 given colors", ["-dither", "FloydSteinberg", "-remap", at("eight.png")],
             ["--palette", "#000,#f00,#0f0,#00f,#ff0,#f0f,#0ff,#fff"]),
            ("photo to 4 levels a channel, ordered", ["-ordered-dither", "o8x8,4"], ["--levels", "4"])):
        if "-remap" in theirs:
            subprocess.run([magick, "xc:#000", "xc:#f00", "xc:#0f0", "xc:#00f", "xc:#ff0", "xc:#f0f",
                            "xc:#0ff", "xc:#fff", "+append", at("eight.png")], check=True)
        row(work, "ImageMagick " + " ".join(theirs[:2]), processor(magick, PHOTO, *theirs, at("im.png")),
            flaws(at("im.png")))
        row(work, "**Dapple**", processor(DAPPLE, "dither", PHOTO, *ours, "--threads", "1", "-o",
                                          at("own.png")), flaws(at("own.png")))


def textures_of_maketx():
    maketx = shutil.which("maketx")
    if maketx is None:
        raise OSError("maketx is not there")
    work = ".tx of halves, 2048x2048"
    seconds = processor(maketx, "--format", "exr", "-d", "half", "--wrap", "periodic", at("own.exr"), "-o",
                        at("theirs.tx"))
    row(work, "maketx, of a finished .exr", seconds, "-")
    seconds = processor(DAPPLE, "worley", "--size", "2048", "--count", "65536", "-o", at("own.tx"))
    row(work, "**Dapple**, from nothing", seconds, "-")


print("| work | by | s of processors | result |")
print("|---|---|---|---|")
for job in (points_of_npm, points_of_scipy, cells_of_fastnoise_lite, cells_of_vips, cells_of_scipy,
            own_cells, masks_of_libplacebo, photos_of_imagemagick, textures_of_maketx):
    section(job)
