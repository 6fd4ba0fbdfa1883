"""Builds the functions of the operations from the library's list of options."""

import ctypes
import inspect
import json
import os
import sys
import threading

from . import _arrays, _library
from ._results import Drawing, Picture, Points
from .errors import UsageError

_made_by = {"sample": Points, "stipple": Drawing}
_of_runs = ("seed", "threads", "max_pixels", "max_memory", "allow_format", "sandbox")
_apart = frozenset([*_of_runs, "progress", "recipe", "preset"])
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

    __slots__ = ("name", "encoded", "type", "repeats", "between")

    def __init__(self, row):
        self.name = row["name"]
        self.encoded = self.name.encode()
        self.type = row["type"]
        self.repeats = row["repeats"]
        self.between = ("," if self.type == "list" else
                        "x" if "x" in row.get("form", "").lower() else ":")

    def text_of(self, value):
        """Returns the text of a value: True, 0.5, (1, 4), "4mm:2mm", [..] or a path."""
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, os.PathLike):
            return os.fsdecode(value)
        if isinstance(value, (list, tuple)) or type(value).__module__ == "numpy" and value.ndim > 0:
            return self.between.join(map(self.text_of, value))
        return str(value)


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

    def set_image(self, name, image):
        if isinstance(image, (str, os.PathLike)):
            return self.set(name or b"input", os.fsdecode(image))
        view, _array = _arrays.image_view(image)
        self.context.call(_library.job_set_image, self.handle, name, ctypes.byref(view))

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
        elif isinstance(value, dict):
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


def _run(operation, kind, options, image, given):
    """Runs an operation and returns its result."""
    if _apart.isdisjoint(given):
        of = context()
        of.tell(None)
        of.ask_usual()
        with Job(of, operation) as job:
            return _made(job, kind, options, image, given)

    progress, recipe, preset = map(given.pop, ("progress", "recipe", "preset"), (None,) * 3)
    asked = {name: given.pop(name, None) for name in _of_runs}
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
        job.set_image(None, image)
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


def _doc(command, options):
    lines = [command["summary"] + ".", "", command["details"], ""]
    for name, option in options.items():
        words = f" One of {', '.join(option['choices'])}." if option.get("choices") else ""
        unit = f" In {option['unit']}." if option.get("unit") else ""
        lines.append(f"{name}: {option['doc']}.{unit}{words}")
    lines += [
        "seed: random seed; the same seed, options and version give the same bytes.",
        "threads: number of threads; 0 uses all; it never changes the result.",
        "preset: one or several presets to start from, by name or file.",
        "recipe: a recipe to start from, as TOML; wins over presets.",
        "progress: a function of stage and fraction, or a tqdm bar.",
    ]
    return "\n".join(lines)


def _function(command):
    operation = command["command"]
    options = {python_name(option["name"]): option
               for option in command["options"] if not option["common"]}
    takes_image = operation in ("sample", "stipple", "dither")
    parameters = []
    default = None if operation == "sample" else inspect.Parameter.empty
    if takes_image:
        parameters.append(inspect.Parameter("image", inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                            default=default))
    for name in [*options, "seed", "threads", "preset", "recipe", "progress"]:
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None))
    encoded, kind = operation.encode(), _made_by.get(operation, Picture)
    to_set = {name: Option(row) for name, row in options.items()}

    if takes_image and default is not None:
        def function(image=None, **given):
            if image is None and not given.keys() & {"recipe", "preset"}:  # may name it
                raise UsageError(f"{operation} needs an image: an array, or the name of a file")
            return _run(encoded, kind, to_set, image, given)
    elif takes_image:
        def function(image=None, **given):
            return _run(encoded, kind, to_set, image, given)
    else:
        def function(**given):
            return _run(encoded, kind, to_set, None, given)

    function.__name__ = function.__qualname__ = operation
    function.__module__ = "dapple"
    function.__doc__ = _doc(command, options)
    function.__signature__ = inspect.Signature(parameters)
    return function


def schema():
    """Returns all commands with their options, as data."""
    return json.loads(_library.schema())


functions = {command["command"]: _function(command) for command in schema()["commands"]
             if command["command"] in ("sample", "stipple", "mask", "worley", "dither")}
