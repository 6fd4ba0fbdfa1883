"""Types of dapple, made by scripts/python-stubs from the options that the library has."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

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
_Text = str | float | Sequence[str | float]

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
    def __getitem__(self, name: str) -> NDArray[Any]: ...
    def __len__(self) -> int: ...

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
    method: Literal["darts", "bridson", "elimination", "jittered", "random", "grid", "halton", "r2", "dart-throwing", "dense", "polished"] | None = None,
    conflict: Literal["mean", "min", "max", "candidate"] | None = None,
    tries: int | str | None = None,
    start: _Text | None = None,
    wrap: bool | None = None,
    settle: bool | None = None,
    progressive: bool | None = None,
    certify: bool | None = None,
    keep: _Points | _Path | None = None,
    only_new: bool | None = None,
    from_: _Points | _Path | None = None,
    size: _Text | None = None,
    dimensions: int | str | None = None,
    frame: Literal["cut", "fitted"] | None = None,
    window: _Text | None = None,
    as_: Literal["tone", "density", "radius"] | None = None,
    tone: Literal["perceptual", "linear"] | None = None,
    invert: bool | None = None,
    channel: _Text | None = None,
    black: float | str | None = None,
    white: float | str | None = None,
    gamma: float | str | None = None,
    mask: _Image | None = None,
    weight: _Image | None = None,
    white_cutoff: float | str | None = None,
    nan: Literal["error", "zero"] | None = None,
    interpolation: Literal["smooth", "nearest"] | None = None,
    inset: _Text | None = None,
    inside: Literal["points", "discs"] | None = None,
    profile: Literal["convert", "ignore"] | None = None,
    rotate: float | str | None = None,
    crop: _Text | None = None,
    tones_from: _Image | None = None,
    contrast: _Text | None = None,
    detail: float | str | None = None,
    sharpen: float | str | None = None,
    blur: _Text | None = None,
    clean: bool | None = None,
    radius: _Text | None = None,
    count: int | str | None = None,
    slope: float | str | None = None,
    on: _Path | None = None,
    in_: _Path | None = None,
    sphere: float | str | None = None,
    region: _Path | None = None,
    count_from: _Text | None = None,
    radius_from: _Text | None = None,
    align: Literal["none", "normal", "up"] | None = None,
    metric: Literal["euclidean", "surface"] | None = None,
    gate: float | str | None = None,
    object_size: _Text | None = None,
    size_from: Literal["radius", "random"] | None = None,
    rotation: _Text | None = None,
    classes: _Text | None = None,
    class_radius: _Text | None = None,
    class_: str | Sequence[str] | None = None,
    class_distance: Literal["density", "mean", "min", "max"] | None = None,
    wang: int | str | None = None,
    seed: int | None = None,
    threads: int | None = None,
    preset: _Path | Sequence[_Path] | None = None,
    recipe: str | None = None,
    progress: Callable[[str, float], None] | Any | None = None,
) -> Points: ...
def stipple(
    image: _Image,
    *,
    style: Literal["dots", "voronoi", "delaunay", "tree", "dashes", "hatch", "spiral", "sine", "flow", "scribble", "halftone", "text"] | None = None,
    words: _Text | None = None,
    method: Literal["kernel", "lbg", "voronoi", "poisson"] | None = None,
    regularity: float | str | None = None,
    frame: Literal["cut", "fitted"] | None = None,
    dots: int | str | None = None,
    dot_size: _Text | None = None,
    size_from: Literal["tone", "detail", "edges", "random"] | None = None,
    size_steps: int | str | None = None,
    no_overlap: bool | None = None,
    gap: _Text | None = None,
    invert_darks: float | str | None = None,
    solid_blacks: bool | None = None,
    shape: _Text | None = None,
    turn: Literal["none", "random", "gradient"] | None = None,
    each_path: bool | None = None,
    order: Literal["travel", "hilbert", "none"] | None = None,
    progressive: bool | None = None,
    path: Literal["none", "tsp"] | None = None,
    longest_hop: _Text | None = None,
    paper: _Text | None = None,
    margin: _Text | None = None,
    fit: Literal["contain", "cover", "stretch"] | None = None,
    registration: bool | None = None,
    plates: bool | None = None,
    dpi: _Text | None = None,
    size: _Text | None = None,
    pen: _Text | None = None,
    touch: _Text | None = None,
    split: int | str | None = None,
    tiles: _Text | None = None,
    tile_overlap: _Text | None = None,
    from_: int | str | None = None,
    ink: _Path | None = None,
    background: _Text | None = None,
    speed: float | str | None = None,
    travel_speed: float | str | None = None,
    acceleration: float | str | None = None,
    pen_lift: float | str | None = None,
    pen_change: float | str | None = None,
    pen_up: _Text | None = None,
    pen_down: _Text | None = None,
    laser_mode: Literal["none", "constant", "dynamic"] | None = None,
    laser_power: float | str | None = None,
    laser_full: float | str | None = None,
    dwell: float | str | None = None,
    line_corners: int | str | None = None,
    hpgl_origin: Literal["corner", "center"] | None = None,
    hpgl_unit: Literal["0.025mm", "0.02488mm"] | None = None,
    profile: Literal["convert", "ignore"] | None = None,
    rotate: float | str | None = None,
    crop: _Text | None = None,
    tones_from: _Image | None = None,
    contrast: _Text | None = None,
    detail: float | str | None = None,
    sharpen: float | str | None = None,
    blur: _Text | None = None,
    clean: bool | None = None,
    as_: Literal["tone", "density", "radius"] | None = None,
    tone: Literal["perceptual", "linear"] | None = None,
    invert: bool | None = None,
    channel: _Text | None = None,
    black: float | str | None = None,
    white: float | str | None = None,
    gamma: float | str | None = None,
    mask: _Image | None = None,
    weight: _Image | None = None,
    white_cutoff: float | str | None = None,
    nan: Literal["error", "zero"] | None = None,
    interpolation: Literal["smooth", "nearest"] | None = None,
    seed: int | None = None,
    threads: int | None = None,
    preset: _Path | Sequence[_Path] | None = None,
    recipe: str | None = None,
    progress: Callable[[str, float], None] | Any | None = None,
) -> Drawing: ...
def mask(
    *,
    size: _Text | None = None,
    kind: Literal["scalar", "vector2", "vector3", "cosine", "spatiotemporal", "fractal"] | None = None,
    method: Literal["void-and-cluster", "ulichney", "white", "bayer"] | None = None,
    channels: int | str | None = None,
    bits: Literal["auto", "8", "16", "half", "float"] | None = None,
    values: Literal["uniform", "triangular", "gaussian", "circle", "sphere", "cosine", "vec2", "vec3", "vec4", "disc", "hemisphere"] | None = None,
    histogram: _Path | None = None,
    points: _Points | _Path | None = None,
    points_size: _Text | None = None,
    density: _Image | None = None,
    sigma: float | str | None = None,
    candidates: int | str | None = None,
    filter_space: _Text | None = None,
    filter_time: _Text | None = None,
    separate: bool | None = None,
    product: bool | None = None,
    profile: Literal["convert", "ignore"] | None = None,
    rotate: float | str | None = None,
    crop: _Text | None = None,
    tones_from: _Image | None = None,
    contrast: _Text | None = None,
    detail: float | str | None = None,
    sharpen: float | str | None = None,
    blur: _Text | None = None,
    clean: bool | None = None,
    as_: Literal["tone", "density", "radius"] | None = None,
    tone: Literal["perceptual", "linear"] | None = None,
    invert: bool | None = None,
    channel: _Text | None = None,
    black: float | str | None = None,
    white: float | str | None = None,
    gamma: float | str | None = None,
    mask: _Image | None = None,
    weight: _Image | None = None,
    white_cutoff: float | str | None = None,
    nan: Literal["error", "zero"] | None = None,
    interpolation: Literal["smooth", "nearest"] | None = None,
    grid: _Text | None = None,
    acceleration: float | str | None = None,
    calibration: _Text | None = None,
    seed: int | None = None,
    threads: int | None = None,
    preset: _Path | Sequence[_Path] | None = None,
    recipe: str | None = None,
    progress: Callable[[str, float], None] | Any | None = None,
) -> Picture: ...
def worley(
    *,
    size: _Text | None = None,
    udim: _Text | None = None,
    outputs: str | Sequence[str] | None = None,
    metric: _Text | None = None,
    stretch: float | str | None = None,
    angle: float | str | None = None,
    power: float | str | None = None,
    frames: int | str | None = None,
    motion: _Text | None = None,
    colors: _Image | None = None,
    wrap: bool | None = None,
    line_width: _Text | None = None,
    octaves: int | str | None = None,
    roughness: float | str | None = None,
    smooth: _Text | None = None,
    antialias: bool | None = None,
    warp: _Text | None = None,
    height_of: Literal["f1", "f2-f1", "edge"] | None = None,
    bevel: _Text | None = None,
    bevel_profile: Literal["round", "straight", "smooth", "hollow"] | None = None,
    normal_strength: float | str | None = None,
    normal_y: Literal["up", "down", "opengl", "directx"] | None = None,
    height_scale: _Text | None = None,
    occlusion_radius: _Text | None = None,
    curvature_radius: _Text | None = None,
    surface: float | str | None = None,
    creases: float | str | None = None,
    surface_variation: float | str | None = None,
    points: _Points | _Path | None = None,
    points_size: _Text | None = None,
    density: _Image | None = None,
    method: Literal["darts", "bridson", "elimination", "jittered", "random", "grid", "halton", "r2", "dart-throwing", "dense", "polished"] | None = None,
    randomness: float | str | None = None,
    row_offset: float | str | None = None,
    pack: str | Sequence[str] | None = None,
    layer: _Text | None = None,
    bits: Literal["auto", "8", "16", "half", "float"] | None = None,
    ids: Literal["float", "uint"] | None = None,
    color_of: _Text | None = None,
    levels: _Text | None = None,
    curve: float | str | None = None,
    invert_output: bool | None = None,
    gradient: str | Sequence[str] | None = None,
    variation: float | str | None = None,
    line_color: _Text | None = None,
    relief: float | str | None = None,
    gloss: float | str | None = None,
    profile: Literal["convert", "ignore"] | None = None,
    rotate: float | str | None = None,
    crop: _Text | None = None,
    tones_from: _Image | None = None,
    contrast: _Text | None = None,
    detail: float | str | None = None,
    sharpen: float | str | None = None,
    blur: _Text | None = None,
    clean: bool | None = None,
    as_: Literal["tone", "density", "radius"] | None = None,
    tone: Literal["perceptual", "linear"] | None = None,
    invert: bool | None = None,
    channel: _Text | None = None,
    black: float | str | None = None,
    white: float | str | None = None,
    gamma: float | str | None = None,
    mask: _Image | None = None,
    weight: _Image | None = None,
    white_cutoff: float | str | None = None,
    nan: Literal["error", "zero"] | None = None,
    interpolation: Literal["smooth", "nearest"] | None = None,
    radius: _Text | None = None,
    count: int | str | None = None,
    slope: float | str | None = None,
    seed: int | None = None,
    threads: int | None = None,
    preset: _Path | Sequence[_Path] | None = None,
    recipe: str | None = None,
    progress: Callable[[str, float], None] | Any | None = None,
) -> Picture: ...
def dither(
    image: _Image,
    *,
    profile: Literal["convert", "ignore"] | None = None,
    rotate: float | str | None = None,
    crop: _Text | None = None,
    tones_from: _Image | None = None,
    contrast: _Text | None = None,
    detail: float | str | None = None,
    sharpen: float | str | None = None,
    blur: _Text | None = None,
    clean: bool | None = None,
    width: int | str | None = None,
    height: int | str | None = None,
    fit: _Text | None = None,
    cover: _Text | None = None,
    levels: int | str | None = None,
    palette: _Path | None = None,
    palette_from: _Image | None = None,
    colours: int | str | None = None,
    method: Literal["mask", "bayer", "floyd-steinberg", "ostromoukhov", "jarvis", "stucki", "burkes", "sierra", "atkinson"] | None = None,
    serpentine: bool | None = None,
    grey: bool | None = None,
    linear: bool | None = None,
    mixing: Literal["both", "light"] | None = None,
    perceptual: bool | None = None,
    strength: float | str | None = None,
    noise: Literal["uniform", "triangular"] | None = None,
    channels: Literal["independent", "locked"] | None = None,
    alpha: Literal["keep", "dither", "threshold"] | None = None,
    mask: _Image | None = None,
    slices: int | str | None = None,
    size: _Text | None = None,
    device_palette: _Path | None = None,
    pack: int | str | None = None,
    seed: int | None = None,
    threads: int | None = None,
    preset: _Path | Sequence[_Path] | None = None,
    recipe: str | None = None,
    progress: Callable[[str, float], None] | Any | None = None,
) -> Picture: ...
