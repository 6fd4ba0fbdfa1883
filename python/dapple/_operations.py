"""Builds the functions of the operations from the library's list of options."""

import ctypes
import inspect
import json
import os
import re
import sys
import threading

from . import _arrays, _library
from ._results import Drawing, Picture, Points
from .errors import UsageError

_made_by = {"sample": Points, "stipple": Drawing}
# Options of every run: type, default, meaning.
of_runs = {
    "seed": ("int", 1, "Random seed; the same seed, options and version give the same bytes."),
    "rng": ("numpy.random.Generator | int", None,
            "Takes the place of `seed`: an int is the seed, a generator draws it."),
    "threads": ("int", 0, "Number of threads; 0 uses all. It never changes the result."),
    "preset": ("_Path | Sequence[_Path]", None, "Presets to start from, by name or file."),
    "recipe": ("str", None, "A recipe to start from, as TOML; wins over presets."),
    "progress": ("Callable[[str, float], None] | Any", None,
                 "A function of stage and fraction, or a tqdm bar."),
    "max_pixels": ("int", 1 << 28, "The most pixels that a picture may have."),
    "max_memory": ("int | str", None, "The most memory, such as \"2G\"; default: what there is."),
    "allow_format": ("str | Sequence[str]", None, "Further formats of pictures to read."),
    "sandbox": ('Literal["auto", "always", "never"]', "auto",
                "Whether files are decoded in a process without rights."),
}
_of_contexts = ("seed", "threads", "max_pixels", "max_memory", "allow_format", "sandbox")
_apart = frozenset(of_runs)
_encoding = (sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
_local = threading.local()


def context():
    """Returns the context of this thread."""
    try:
        return _local.context
    except AttributeError:
        _local.context = _library.Context()
        return _local.context


def _told(progress):
    """Returns a function of stage and fraction for `progress`: such a function, or a tqdm bar."""
    if progress is None or not hasattr(progress, "update"):
        return progress
    progress.total = total = progress.total or 100

    def tell(stage, fraction):
        progress.set_description(stage, refresh=False)
        progress.n = round(fraction * total)
        progress.refresh()

    return tell


class Option:
    """An option of an operation; converts Python values to its text."""

    __slots__ = ("name", "encoded", "type", "repeats", "joins")

    def __init__(self, row):
        self.name = row["name"]
        self.encoded = self.name.encode()
        self.type = row["type"]
        self.repeats = row["repeats"]
        self.joins = row.get("joins", ())

    def text_of(self, value):
        """Returns the text of a value: True, 0.5, (1, 4), "4mm:2mm", [..], {..} or a path."""
        if isinstance(value, str):
            return value
        if type(value).__name__ in ("bool", "bool_"):  # Python's and NumPy's
            return "true" if value else "false"
        if isinstance(value, os.PathLike):
            return os.fsdecode(value)
        if isinstance(value, dict):
            return ",".join(f"{key}={self.text_of(one)}" for key, one in value.items())
        if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0:
            return self.joined([self.text_of(one) for one in value])
        if getattr(value, "is_integer", bool)() and abs(value) < 2**53:
            return str(int(value))  # 512.0 is a size, too
        return str(value)

    def joined(self, texts):
        """Joins several values by the form for their number, otherwise by the first form, and the
        library says what it expects."""
        between = next((form for form in self.joins if form[-1] == "*" or len(form) == len(texts) - 1),
                       self.joins[0] if self.joins else "")
        if not between and len(texts) != 1:
            raise UsageError(f"{self.name}: takes one value, not {len(texts)} ({', '.join(texts)})",
                             self.name)
        if between[-1:] == "*" or len(between) < len(texts) - 1:
            between = between[:1] * (len(texts) - 1)
        return "".join(text + sign for text, sign in zip(texts, [*between[:len(texts) - 1], ""]))


class Job:
    """A job of the library: takes options and inputs, then runs once."""

    __slots__ = ("context", "handle")

    def __init__(self, of, operation):
        self.context = of
        self.handle = ctypes.c_void_p()
        of.call(_library.job_new, of.handle, operation, ctypes.byref(self.handle))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _library.job_free(self.handle)

    def set(self, name, text):
        status = _library.job_set(self.handle, name, text.encode(*_encoding))
        if status:
            raise self.context.error(status)

    def set_image(self, name, image, dimensions=None):
        if isinstance(image, (str, os.PathLike)):
            return self.set(name or b"input", os.fsdecode(image))
        view, _array, slices = _arrays.image_view(image, dimensions)
        self.context.call(_library.job_set_slices, self.handle, name, ctypes.byref(view), slices)

    def set_mesh(self, name, mesh):
        if isinstance(mesh, (str, os.PathLike)):
            return self.set(name, os.fsdecode(mesh))
        columns, triangles = _arrays.mesh_views(mesh)
        views, _kept = _arrays.column_views(columns)
        self.context.call(_library.job_set_mesh, self.handle, name, views, len(views),
                          triangles.ctypes.data, len(triangles))

    def set_points(self, name, points, size):
        if isinstance(points, (str, os.PathLike)):
            return self.set(name, os.fsdecode(points))
        columns, sides, wraps = columns_of(points, deep_size_of(size))
        views, _kept = _arrays.column_views(columns)
        self.context.call(_library.job_set_points_in, self.handle, name, views,
                          len(views), *_arrays.sides_view(sides), wraps)

    def set_named_map(self, option, name, image, radii):
        is_file = isinstance(image, (str, os.PathLike))
        path = os.fsdecode(image) if is_file else ""
        self.set(option.encoded, ":".join([f"{name}={path}", *map(option.text_of, radii)]))
        if not is_file:
            self.set_image(option.encoded + b"-" + name.encode(*_encoding), image)

    def set_option(self, option, value, size=None):
        if option.type == "image":
            self.set_image(option.encoded, value)
        elif option.type == "points":
            self.set_points(option.encoded, value, size)
        elif option.type == "mesh":
            self.set_mesh(option.encoded, value)
        elif option.repeats and isinstance(value, dict):
            for one, (image, *radii) in value.items():
                self.set_named_map(option, one, image, radii)
        elif option.repeats and isinstance(value, (list, tuple)):
            for one in value:
                self.set(option.encoded, option.text_of(one))
        else:
            self.set(option.encoded, option.text_of(value))

    def run(self, kind):
        result = ctypes.c_void_p()
        try:
            self.context.run(_library.job_run, self.handle, ctypes.byref(result))
        except BaseException:
            _library.result_free(result)
            raise
        return kind(self.context, result)


def deep_size_of(size):
    """Returns the sides of a size with three or four sides, given as numbers or text; else None."""
    if isinstance(size, str):
        size = size.split("x")
    try:
        sides = tuple(map(float, size))
    except (TypeError, ValueError):
        return None
    return sides if len(sides) > 2 else None


def columns_of(points, size=None, wraps=False):
    """Returns columns, sides and the wrap flag of Points, a dict of columns, or an array with a
    column per side and optionally r. `size` has two to four sides. The default is the domain of
    Points, otherwise the next whole number beyond the largest coordinate."""
    import numpy

    if isinstance(points, Points):
        columns = dict(points.columns)
        size = size or points.domain
        wraps = wraps or points.facts["domain"]["wraps"]
    elif isinstance(points, dict):
        columns = dict(points)
    else:
        array = numpy.asarray(points)
        places = 2 if size is None else len(size)
        if array.ndim != 2 or array.shape[1] not in (places, places + 1):
            hint = f", for a size of {places} sides" if size is not None else (
                "; points in a volume or in four dimensions need a size of three or four sides")
            raise UsageError(f"an array of points must have the shape (points, {places}) or (points, "
                             f"{places + 1}), with r as the last column, not {array.shape}{hint}")
        names = "xyzw"[:places] + "r"
        columns = {name: array[:, i] for i, name in enumerate(names[:array.shape[1]])}
    if size is None:  # the library decides whether z makes a volume
        names = "xyzw" if "w" in columns else "xy"
        size = [numpy.floor(numpy.max(columns[name], initial=0)) + 1
                for name in names if name in columns]
    return columns, tuple(map(float, size)), int(bool(wraps))


def made_by(function, kind, *arguments):
    """Returns the result of a function of the library that needs no job."""
    of = context()
    of.tell(None)
    result = ctypes.c_void_p()
    of.run(function, of.handle, *arguments, ctypes.byref(result))
    return kind(of, result)


def points_of(points, size=None, wraps=False):
    """Returns a caller's points as Points; see columns_of()."""
    columns, sides, wraps = columns_of(points, size, wraps)
    views, _kept = _arrays.column_views(columns)
    return made_by(_library.points_in, Points, views, len(views), *_arrays.sides_view(sides), wraps)


def _run(operation, kind, options, image, given):
    """Runs an operation and returns its result."""
    if _apart.isdisjoint(given):
        of = context()
        of.tell(None)
        of.ask_usual()
        with Job(of, operation) as job:
            return _made(job, kind, options, image, given)

    progress, recipe, preset = map(given.pop, ("progress", "recipe", "preset"), (None,) * 3)
    asked = {name: given.pop(name, None) for name in _of_contexts}
    asked = {name: value for name, value in asked.items() if value is not None}
    # Limits apply only to this run, so it gets its own context.
    of = context() if asked.keys() <= {"seed", "threads"} else _library.Context()
    of.tell(_told(progress))
    of.ask({"seed": 1, "threads": 0, **asked})
    with Job(of, operation) as job:
        for name in [preset] if isinstance(preset, (str, os.PathLike)) else preset or []:
            job.set(b"preset", os.fsdecode(name))
        if recipe is not None:
            of.call(_library.job_set_recipe, job.handle, recipe.encode())
        if "seed" in asked:  # wins over the seed of a preset
            of.ask({"seed": asked["seed"]})
        made = _made(job, kind, options, image, given)
    if hasattr(progress, "update"):  # the last report may be far below 100 %
        progress.n = progress.total
        progress.refresh()
    return made


def _made(job, kind, options, image, given):
    if image is not None:
        job.set_image(None, image, given.get("dimensions"))
    for name, value in given.items():
        option = options.get(name)
        if option is None:
            job.set(name.replace("_", "-").encode(), "")  # fails with the nearest name
        elif value is not None:
            job.set_option(option, value, given.get("size"))
    return job.run(kind)


def python_name(name):
    name = name.replace("-", "_")
    return name + "_" if name in ("in", "as", "from", "class") else name


def annotation_of(option):
    """Returns the type of an option, in the words of the stubs."""
    if option.get("choices") and option["type"] == "text" and not option.get("other_form"):
        return "Literal[" + ", ".join(f'"{word}"' for word in option["choices"]) + "]"
    several = " | Sequence[str | float]" if "joins" in option else ""
    named = " | Mapping[str, Any]" if "=" in option.get("form", "") else ""
    return {"flag": "bool", "integer": "int | str", "number": "float | str", "image": "_Image",
            "points": "_Points | _Path", "mesh": "_Mesh | _Path", "text-file": "_Path" + several,
            }.get(option["type"], "str | float" + several + named)


def default_of(option):
    """Returns the default of an option as a Python value; None if it depends on others."""
    text = option["default"]
    if option["type"] == "flag":
        return text == "true"
    if option["type"] in ("integer", "number"):
        try:
            return int(text) if option["type"] == "integer" else float(text)
        except ValueError:
            return None if text == "none" else text
    return text or None


# An example of each operation, for its documentation.
_examples = {
    "sample": """
>>> points = dapple.sample(size=(64, 32), radius=4)
>>> points.xy.shape == (len(points), 2)
True
>>> cube = dapple.sample(size=(16, 16, 16), count=100, progressive=True)
>>> cube["rank"][:3].tolist()
[0, 1, 2]
""",
    "stipple": """
>>> import numpy
>>> photo = numpy.tile(numpy.arange(64, dtype=numpy.uint8) * 4, (64, 1))
>>> drawing = dapple.stipple(photo, dots=200)
>>> len(drawing)
200
>>> drawing.svg()[:5]
'<?xml'
""",
    "mask": """
>>> mask = dapple.mask(size=16)
>>> sorted(mask.ranks.ravel()) == list(range(256))
True
""",
    "worley": """
>>> cells = dapple.worley(size=(64, 32), count=20, outputs=["f1", "normal"])
>>> cells["f1"].shape, cells["normal"].shape
((32, 64), (32, 64, 3))
""",
    "dither": """
>>> import numpy
>>> ramp = numpy.tile(numpy.linspace(0, 1, 64), (16, 1))
>>> numpy.unique(dapple.dither(ramp).array).tolist()
[0.0, 1.0]
""",
}


def _wrapped(text, indent=""):
    """Returns the lines of a text. textwrap takes most of the time of an import."""
    lines = []
    for word in text.split():
        if not lines or len(lines[-1]) + len(word) > 91:
            lines.append(indent + word)
        else:
            lines[-1] += " " + word
    return lines


def _row(name, annotation, default, text):
    kind = annotation.replace("_", "").replace(" | ", " or ")
    if kind.startswith("Literal["):
        kind = "{" + kind[len("Literal["):-1] + "}"
    kind += ", optional" if default is None else f", default: {default!r}"
    return [f"{name} : {kind}", *_wrapped(text, "    ")]


def _doc(command, options, kind, takes_image):
    def python_names(text):
        return re.sub(r"--([a-z][a-z-]*)", lambda found: python_name(found[1]), text)

    lines = [command["summary"] + ".", ""]
    for paragraph in python_names(command["details"]).split("\n\n"):
        lines += [*_wrapped(paragraph), ""]
    lines += ["Parameters", "----------"]
    if takes_image:
        lines += _row("image", "_Image", None,
                      "A file, or an array of shape (height, width) or (height, width, channels). "
                      "uint8 and uint16 are sRGB, floats linear light.")
    for name, option in options.items():
        unit = f" In {option['unit']}." if option.get("unit") else ""
        lines += _row(name, annotation_of(option), default_of(option),
                      python_names(option["doc"]) + "." + unit)
    for name, (annotation, default, text) in of_runs.items():
        lines += _row(name, annotation, default, text)
    lines += ["", "Returns", "-------", kind.__name__, "    Its arrays are read-only.",
              "", "Raises", "------", "dapple.Error",
              "    UsageError, InputError, OutputError, LimitError, VerificationError, Cancelled or",
              "    InternalError. `option` names the option at fault.",
              "", "Examples", "--------", ">>> import dapple", _examples[command["command"]].strip()]
    return "\n".join(lines)


def _seed_of(rng):
    """Returns the seed that `rng` gives: a number is the seed, a generator draws one."""
    import operator

    import numpy

    try:
        return operator.index(rng)
    except TypeError:
        pass
    try:
        return int(numpy.random.default_rng(rng).integers(2**63))
    except TypeError:
        raise UsageError("rng: must be a numpy.random.Generator, a whole number or None, not "
                         f"{type(rng).__name__}", "rng") from None


def run(operation, image, given):
    """Runs an operation with options as the caller gave them and returns its result, which keeps
    them so that a copy in another process can be made again."""
    if "rng" in given:
        rng = given.pop("rng")
        if rng is not None:
            if given.get("seed") is not None:
                raise UsageError("seed and rng exclude each other: give one of them", "rng")
            given["seed"] = _seed_of(rng)
    encoded, kind, options = _runs[operation]
    made = _run(encoded, kind, options, image, dict(given))
    made._call = operation, image, given
    return made


def _function(command):
    operation = command["command"]
    options = {python_name(option["name"]): option
               for option in command["options"] if not option["common"]}
    takes_image = operation in ("sample", "stipple", "dither")
    parameters = []
    image_default = None if operation == "sample" else inspect.Parameter.empty
    if takes_image:
        parameters.append(inspect.Parameter("image", inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                            default=image_default, annotation="Image"))
    typed = {name: (annotation_of(option), default_of(option)) for name, option in options.items()}
    typed.update((name, row[:2]) for name, row in of_runs.items())
    for name, (annotation, default) in typed.items():
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default,
                                            annotation=re.sub(r"\b_", "", annotation)))
    kind = _made_by.get(operation, Picture)
    _runs[operation] = (operation.encode(), kind,
                        {spelling: Option(row) for name, row in options.items()
                         for spelling in (name, row.get("other_name", name))})

    if operation == "sample":
        def function(image=None, **given):
            return run(operation, image, given)
    elif takes_image:
        def function(image=None, **given):
            if image is None and not given.keys() & {"recipe", "preset"}:  # may name it
                raise UsageError(f"{operation} needs an image: an array, or the name of a file")
            return run(operation, image, given)
    else:
        def function(**given):
            return run(operation, None, given)

    function.__name__ = function.__qualname__ = operation
    function.__module__ = "dapple"
    function.__doc__ = _doc(command, options, kind, takes_image)
    function.__signature__ = inspect.Signature(parameters, return_annotation=kind.__name__)
    return function


def schema():
    """Returns all commands with their options, as data."""
    return json.loads(_library.schema())


_runs = {}  # name: encoded name, class of the result, options
functions = {command["command"]: _function(command) for command in schema()["commands"]
             if command["command"] in ("sample", "stipple", "mask", "worley", "dither")}
