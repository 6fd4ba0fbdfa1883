"""Types of dapple, made by scripts/python-stubs from the options that the library has."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

import numpy
from numpy.typing import ArrayLike, NDArray

from . import qmc as qmc
from .errors import Cancelled as Cancelled
from .errors import Error as Error
from .errors import InputError as InputError
from .errors import InternalError as InternalError
from .errors import LimitError as LimitError
from .errors import OutputError as OutputError
from .errors import UsageError as UsageError
from .errors import VerificationError as VerificationError

__version__: str

_Path = str | os.PathLike[str]
_Image = ArrayLike | _Path

class _Solid(Protocol):
    @property
    def vertices(self) -> ArrayLike: ...
    @property
    def faces(self) -> ArrayLike: ...

_Mesh = _Solid | tuple[ArrayLike, ArrayLike] | tuple[ArrayLike, ArrayLike, Mapping[str, ArrayLike]]

class Result:
    @property
    def columns(self) -> dict[str, NDArray[Any]]: ...
    @property
    def planes(self) -> dict[str, NDArray[Any]]: ...
    @property
    def facts(self) -> dict[str, Any]: ...
    @property
    def recipe(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    def report(self) -> dict[str, Any]: ...
    def certify(self) -> None: ...
    def save(self, path: _Path) -> None: ...
    def encode(self, extension: str) -> bytes: ...
    def keys(self) -> list[str]: ...
    def __getitem__(self, key: Any) -> NDArray[Any]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...

class Curve(Result): ...

class Spectrum(Curve):
    @property
    def power(self) -> NDArray[numpy.float32]: ...
    @property
    def fx(self) -> NDArray[numpy.float64]: ...
    @property
    def fy(self) -> NDArray[numpy.float64]: ...

class Points(Result):
    @property
    def x(self) -> NDArray[numpy.float64]: ...
    @property
    def y(self) -> NDArray[numpy.float64]: ...
    @property
    def r(self) -> NDArray[numpy.float32] | None: ...
    @property
    def xy(self) -> NDArray[numpy.float64]: ...
    @property
    def domain(self) -> tuple[float, ...]: ...
    def order(self, by: Literal["travel", "hilbert"] = "travel") -> NDArray[numpy.int32]: ...

class Drawing(Points):
    def svg(self) -> str: ...

class Picture(Result):
    @property
    def array(self) -> NDArray[numpy.float32]: ...
    @property
    def ranks(self) -> NDArray[numpy.int32]: ...

_Points = Points | Mapping[str, ArrayLike] | ArrayLike

def schema() -> dict[str, Any]: ...
def load(path: _Path) -> Points: ...
def save(what: Result | _Points | _Path, path: _Path, *, size: tuple[float, ...] | None = None,
         wraps: bool = False) -> None: ...
def recipe(what: Result | _Path) -> str: ...
def points(points: _Points, *, size: tuple[float, ...] | None = None, wraps: bool = False) -> Points: ...
def analyze(what: Result | _Points | _Path, *, size: tuple[float, ...] | None = None,
            wraps: bool = False) -> dict[str, Any]: ...
def power_spectrum(what: Result | _Points | _Path, *, size: tuple[float, ...] | None = None, wraps: bool = False,
                   channel: str | None = None, slice: int | None = None) -> Spectrum: ...
def radial_power(what: Result | _Points | _Path, *, size: tuple[float, ...] | None = None, wraps: bool = False,
                 width: float | None = None, least: int | None = None, channel: str | None = None,
                 slice: int | None = None) -> Curve: ...
def pair_correlation(what: Result | _Points | _Path, farthest: float, *, bins: int | None = None,
                     size: tuple[float, ...] | None = None, wraps: bool = False) -> Curve: ...
def window(box: Sequence[float], radius: float | str, **options: Any) -> Points: ...
def wang(colors: int, size: float | str, radius: float | str, **options: Any) -> Points: ...
def certify(what: Result | _Points | _Path, *, size: tuple[float, ...] | None = None, wraps: bool = False) -> None: ...
def order(what: Points | _Points | _Path, by: Literal["travel", "hilbert"] = "travel", *,
          size: tuple[float, ...] | None = None, wraps: bool = False) -> NDArray[numpy.int32]: ...
def reproduce(recipe: str, *, image: _Image | None = None,
              progress: Callable[[str, float], None] | Any = None) -> Result: ...
def sample(
    image: _Image | None = None,
    *,
    method: Literal["darts", "bridson", "elimination", "jittered", "random", "grid", "halton", "r2", "dart-throwing", "dense", "polished"] | None = "darts",
    conflict: Literal["mean", "min", "max", "candidate"] | None = "mean",
    tries: int | str | None = 30,
    start: str | float | Sequence[str | float] | None = "random",
    wrap: bool | None = False,
    settle: bool | None = True,
    progressive: bool | None = False,
    certify: bool | None = False,
    keep: _Points | _Path | None = None,
    only_new: bool | None = False,
    from_: _Points | _Path | None = None,
    size: str | float | Sequence[str | float] | None = "512x512",
    dimensions: int | str | None = 0,
    frame: Literal["cut", "fitted"] | None = "fitted",
    window: str | float | Sequence[str | float] | None = None,
    as_: Literal["tone", "density", "radius"] | None = "density",
    tone: Literal["perceptual", "linear"] | None = "perceptual",
    invert: bool | None = False,
    channel: str | float | None = "luminance",
    black: float | str | None = 0.0,
    white: float | str | None = 1.0,
    gamma: float | str | None = 1.0,
    mask: _Image | None = None,
    weight: _Image | None = None,
    white_cutoff: float | str | None = 1.0,
    nan: Literal["error", "zero"] | None = "error",
    interpolation: Literal["smooth", "nearest"] | None = "smooth",
    inset: str | float | None = "0",
    inside: Literal["points", "discs"] | None = "points",
    profile: Literal["convert", "ignore"] | None = "convert",
    rotate: float | str | None = 0.0,
    crop: str | float | Sequence[str | float] | None = None,
    tones_from: _Image | None = None,
    contrast: str | float | None = "none",
    detail: float | str | None = 0.0,
    sharpen: float | str | None = 0.0,
    blur: str | float | None = "0px",
    clean: bool | None = False,
    radius: str | float | Sequence[str | float] | None = None,
    count: int | str | None = 0,
    slope: float | str | None = 1.0,
    on: _Mesh | _Path | None = None,
    in_: _Mesh | _Path | None = None,
    sphere: float | str | None = None,
    region: _Path | None = None,
    count_from: str | float | None = None,
    radius_from: str | float | None = None,
    align: Literal["none", "normal", "up"] | None = "none",
    metric: Literal["euclidean", "surface"] | None = "euclidean",
    gate: float | str | None = 120.0,
    object_size: str | float | Sequence[str | float] | None = None,
    size_from: Literal["radius", "random"] | None = "random",
    rotation: str | float | Sequence[str | float] | None = None,
    classes: str | float | Sequence[str | float] | None = None,
    class_radius: str | float | Sequence[str | float] | None = None,
    class_: str | float | Sequence[str | float] | Mapping[str, Any] | None = None,
    class_distance: Literal["density", "mean", "min", "max"] | None = "density",
    wang: int | str | None = 0,
    seed: int | None = 1,
    rng: numpy.random.Generator | int | None = None,
    threads: int | None = 0,
    preset: _Path | Sequence[_Path] | None = None,
    recipe: str | None = None,
    progress: Callable[[str, float], None] | Any | None = None,
    max_pixels: int | None = 268435456,
    max_memory: int | str | None = None,
    allow_format: str | Sequence[str] | None = None,
    sandbox: Literal["auto", "always", "never"] | None = "auto",
) -> Points: ...
def stipple(
    image: _Image,
    *,
    style: Literal["dots", "voronoi", "delaunay", "tree", "dashes", "hatch", "spiral", "sine", "flow", "scribble", "halftone", "text"] | None = "dots",
    words: str | float | None = "dapple",
    method: Literal["kernel", "lbg", "voronoi", "poisson"] | None = "kernel",
    regularity: float | str | None = 0.35,
    frame: Literal["cut", "fitted"] | None = "cut",
    dots: int | str | None = 0,
    dot_size: str | float | Sequence[str | float] | None = None,
    size_from: Literal["tone", "detail", "edges", "random"] | None = "tone",
    size_steps: int | str | None = 0,
    no_overlap: bool | None = False,
    gap: str | float | None = "0mm",
    invert_darks: float | str | None = 1.0,
    solid_blacks: bool | None = False,
    shape: str | float | None = "disc",
    turn: Literal["none", "random", "gradient"] | None = "none",
    each_path: bool | None = False,
    order: Literal["travel", "hilbert", "none"] | None = "travel",
    progressive: bool | None = False,
    path: Literal["none", "tsp"] | None = "none",
    longest_hop: str | float | None = "auto",
    paper: str | float | Sequence[str | float] | None = None,
    margin: str | float | None = "0mm",
    fit: Literal["contain", "cover", "stretch"] | None = "contain",
    registration: bool | None = False,
    plates: bool | None = False,
    dpi: str | float | None = "auto",
    size: str | float | Sequence[str | float] | None = None,
    pen: str | float | None = "0mm",
    touch: str | float | None = "0mm",
    split: int | str | None = 1,
    tiles: str | float | Sequence[str | float] | None = None,
    tile_overlap: str | float | None = "8mm",
    from_: int | str | None = 0,
    ink: _Path | Sequence[str | float] | None = "black",
    background: str | float | None = "white",
    speed: float | str | None = 50.0,
    travel_speed: float | str | None = 150.0,
    acceleration: float | str | None = 1000.0,
    pen_lift: float | str | None = 0.15,
    pen_change: float | str | None = 30.0,
    pen_up: str | float | None = "G0 Z5",
    pen_down: str | float | None = "G1 Z0 F1000",
    laser_mode: Literal["none", "constant", "dynamic"] | None = "none",
    laser_power: float | str | None = 30.0,
    laser_full: float | str | None = 1000.0,
    dwell: float | str | None = 0.02,
    line_corners: int | str | None = 500,
    hpgl_origin: Literal["corner", "center"] | None = "corner",
    hpgl_unit: Literal["0.025mm", "0.02488mm"] | None = "0.025mm",
    profile: Literal["convert", "ignore"] | None = "convert",
    rotate: float | str | None = 0.0,
    crop: str | float | Sequence[str | float] | None = None,
    tones_from: _Image | None = None,
    contrast: str | float | None = "auto",
    detail: float | str | None = 0.0,
    sharpen: float | str | None = 0.0,
    blur: str | float | None = "0px",
    clean: bool | None = False,
    as_: Literal["tone", "density", "radius"] | None = "tone",
    tone: Literal["perceptual", "linear"] | None = "perceptual",
    invert: bool | None = False,
    channel: str | float | None = "luminance",
    black: float | str | None = 0.0,
    white: float | str | None = 1.0,
    gamma: float | str | None = 1.0,
    mask: _Image | None = None,
    weight: _Image | None = None,
    white_cutoff: float | str | None = 1.0,
    nan: Literal["error", "zero"] | None = "error",
    interpolation: Literal["smooth", "nearest"] | None = "smooth",
    colorspace: str | float | None = None,
    seed: int | None = 1,
    rng: numpy.random.Generator | int | None = None,
    threads: int | None = 0,
    preset: _Path | Sequence[_Path] | None = None,
    recipe: str | None = None,
    progress: Callable[[str, float], None] | Any | None = None,
    max_pixels: int | None = 268435456,
    max_memory: int | str | None = None,
    allow_format: str | Sequence[str] | None = None,
    sandbox: Literal["auto", "always", "never"] | None = "auto",
) -> Drawing: ...
def mask(
    *,
    size: str | float | Sequence[str | float] | None = None,
    kind: Literal["scalar", "vector2", "vector3", "cosine", "spatiotemporal", "fractal"] | None = "scalar",
    method: Literal["void-and-cluster", "ulichney", "white", "bayer"] | None = "void-and-cluster",
    channels: int | str | None = 1,
    bits: Literal["auto", "8", "16", "half", "float"] | None = "auto",
    values: Literal["uniform", "triangular", "gaussian", "circle", "sphere", "cosine", "vec2", "vec3", "vec4", "disc", "hemisphere"] | None = "uniform",
    histogram: _Path | None = None,
    points: _Points | _Path | None = None,
    points_size: str | float | Sequence[str | float] | None = "auto",
    density: _Image | None = None,
    sigma: float | str | None = 1.44,
    candidates: int | str | None = 0,
    filter_space: str | float | Sequence[str | float] | None = "auto",
    filter_time: str | float | Sequence[str | float] | None = "auto",
    separate: bool | None = False,
    product: bool | None = False,
    profile: Literal["convert", "ignore"] | None = "convert",
    rotate: float | str | None = 0.0,
    crop: str | float | Sequence[str | float] | None = None,
    tones_from: _Image | None = None,
    contrast: str | float | None = "none",
    detail: float | str | None = 0.0,
    sharpen: float | str | None = 0.0,
    blur: str | float | None = "0px",
    clean: bool | None = False,
    as_: Literal["tone", "density", "radius"] | None = "density",
    tone: Literal["perceptual", "linear"] | None = "perceptual",
    invert: bool | None = False,
    channel: str | float | None = "luminance",
    black: float | str | None = 0.0,
    white: float | str | None = 1.0,
    gamma: float | str | None = 1.0,
    mask: _Image | None = None,
    weight: _Image | None = None,
    white_cutoff: float | str | None = 1.0,
    nan: Literal["error", "zero"] | None = "error",
    interpolation: Literal["smooth", "nearest"] | None = "smooth",
    grid: str | float | Sequence[str | float] | None = None,
    acceleration: float | str | None = 0.0,
    calibration: str | float | Sequence[str | float] | None = None,
    seed: int | None = 1,
    rng: numpy.random.Generator | int | None = None,
    threads: int | None = 0,
    preset: _Path | Sequence[_Path] | None = None,
    recipe: str | None = None,
    progress: Callable[[str, float], None] | Any | None = None,
    max_pixels: int | None = 268435456,
    max_memory: int | str | None = None,
    allow_format: str | Sequence[str] | None = None,
    sandbox: Literal["auto", "always", "never"] | None = "auto",
) -> Picture: ...
def worley(
    *,
    size: str | float | Sequence[str | float] | None = "512x512",
    udim: str | float | Sequence[str | float] | None = None,
    outputs: str | float | Sequence[str | float] | None = None,
    metric: str | float | Sequence[str | float] | None = "euclidean",
    stretch: float | str | None = 1.0,
    angle: float | str | None = 0.0,
    power: float | str | None = 0.0,
    frames: int | str | None = 1,
    motion: str | float | None = "0",
    colors: _Image | None = None,
    wrap: bool | None = True,
    line_width: str | float | None = "3",
    octaves: int | str | None = 1,
    roughness: float | str | None = 0.5,
    smooth: str | float | None = "0",
    antialias: bool | None = False,
    warp: str | float | None = "0",
    height_of: Literal["f1", "f2-f1", "edge"] | None = "f1",
    bevel: str | float | None = "0",
    bevel_profile: Literal["round", "straight", "smooth", "hollow"] | None = "round",
    normal_strength: float | str | None = 1.0,
    normal_y: Literal["up", "down", "opengl", "directx"] | None = "up",
    height_scale: str | float | None = "0",
    occlusion_radius: str | float | None = "5%",
    curvature_radius: str | float | None = "2",
    surface: float | str | None = 0.5,
    creases: float | str | None = 0.9,
    surface_variation: float | str | None = 0.1,
    points: _Points | _Path | None = None,
    points_size: str | float | Sequence[str | float] | None = "auto",
    density: _Image | None = None,
    method: Literal["darts", "bridson", "elimination", "jittered", "random", "grid", "halton", "r2", "dart-throwing", "dense", "polished"] | None = "darts",
    randomness: float | str | None = None,
    row_offset: float | str | None = 0.0,
    pack: str | float | Sequence[str | float] | Mapping[str, Any] | None = None,
    layer: str | float | None = None,
    bits: Literal["auto", "8", "16", "half", "float"] | None = "auto",
    ids: Literal["float", "uint"] | None = "float",
    color_of: str | float | None = None,
    levels: str | float | Sequence[str | float] | Mapping[str, Any] | None = None,
    curve: float | str | None = 1.0,
    invert_output: bool | None = False,
    gradient: str | float | Sequence[str | float] | None = None,
    variation: float | str | None = 0.0,
    line_color: str | float | None = None,
    relief: float | str | None = 0.0,
    gloss: float | str | None = 0.0,
    profile: Literal["convert", "ignore"] | None = "convert",
    rotate: float | str | None = 0.0,
    crop: str | float | Sequence[str | float] | None = None,
    tones_from: _Image | None = None,
    contrast: str | float | None = "none",
    detail: float | str | None = 0.0,
    sharpen: float | str | None = 0.0,
    blur: str | float | None = "0px",
    clean: bool | None = False,
    as_: Literal["tone", "density", "radius"] | None = "density",
    tone: Literal["perceptual", "linear"] | None = "perceptual",
    invert: bool | None = False,
    channel: str | float | None = "luminance",
    black: float | str | None = 0.0,
    white: float | str | None = 1.0,
    gamma: float | str | None = 1.0,
    mask: _Image | None = None,
    weight: _Image | None = None,
    white_cutoff: float | str | None = 1.0,
    nan: Literal["error", "zero"] | None = "error",
    interpolation: Literal["smooth", "nearest"] | None = "smooth",
    radius: str | float | Sequence[str | float] | None = None,
    count: int | str | None = 0,
    slope: float | str | None = 1.0,
    colorspace: str | float | None = None,
    seed: int | None = 1,
    rng: numpy.random.Generator | int | None = None,
    threads: int | None = 0,
    preset: _Path | Sequence[_Path] | None = None,
    recipe: str | None = None,
    progress: Callable[[str, float], None] | Any | None = None,
    max_pixels: int | None = 268435456,
    max_memory: int | str | None = None,
    allow_format: str | Sequence[str] | None = None,
    sandbox: Literal["auto", "always", "never"] | None = "auto",
) -> Picture: ...
def dither(
    image: _Image,
    *,
    profile: Literal["convert", "ignore"] | None = "convert",
    rotate: float | str | None = 0.0,
    crop: str | float | Sequence[str | float] | None = None,
    tones_from: _Image | None = None,
    contrast: str | float | None = "none",
    detail: float | str | None = 0.0,
    sharpen: float | str | None = 0.0,
    blur: str | float | None = "0px",
    clean: bool | None = False,
    width: int | str | None = 0,
    height: int | str | None = 0,
    fit: str | float | Sequence[str | float] | None = None,
    cover: str | float | Sequence[str | float] | None = None,
    levels: int | str | None = 2,
    palette: _Path | Sequence[str | float] | None = None,
    palette_from: _Image | None = None,
    colours: int | str | None = 0,
    method: Literal["mask", "bayer", "floyd-steinberg", "ostromoukhov", "jarvis", "stucki", "burkes", "sierra", "atkinson"] | None = "mask",
    serpentine: bool | None = True,
    grey: bool | None = False,
    linear: bool | None = True,
    mixing: Literal["both", "light"] | None = "both",
    perceptual: bool | None = True,
    strength: float | str | None = 1.0,
    noise: Literal["uniform", "triangular"] | None = "uniform",
    channels: Literal["independent", "locked"] | None = "independent",
    alpha: Literal["keep", "dither", "threshold"] | None = "keep",
    mask: _Image | None = None,
    slices: int | str | None = 1,
    size: str | float | Sequence[str | float] | None = "128x128",
    device_palette: _Path | Sequence[str | float] | None = None,
    pack: int | str | None = 0,
    colorspace: str | float | None = None,
    seed: int | None = 1,
    rng: numpy.random.Generator | int | None = None,
    threads: int | None = 0,
    preset: _Path | Sequence[_Path] | None = None,
    recipe: str | None = None,
    progress: Callable[[str, float], None] | Any | None = None,
    max_pixels: int | None = 268435456,
    max_memory: int | str | None = None,
    allow_format: str | Sequence[str] | None = None,
    sandbox: Literal["auto", "always", "never"] | None = "auto",
) -> Picture: ...
